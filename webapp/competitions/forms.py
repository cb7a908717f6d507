"""What the form of a new competition sends, read strictly. Times are told from now on: a form knows no time zone."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from werkzeug.datastructures import MultiDict

from webapp.clock import now
from webapp.competitions.refusals import BadCompetition
from webapp.competitions.states import CompetitionKind, Entrants, Format

Fields = MultiDict[str, str]
NAME_LENGTH, MOST_ROUNDS = 80, 30
# The words of each choice by what is sent; "" leaves it open.
LATER = {
    "5": "5 minutes from now", "15": "15 minutes from now", "60": "an hour from now", "1440": "a day from now",
    "10080": "a week from now",
}  # fmt: skip
LAST = {
    "30": "30 minutes from now", "60": "an hour from now", "1440": "a day from now", "10080": "a week from now",
    "20160": "two weeks from now",
}  # fmt: skip
OPENS = {"": "now", **LATER}
STARTS = {"": "when I press Start", **LATER}
ENDS = {"": "with the last round", **LAST}
ROUND_LASTS = {
    "2": "2 minutes", "3": "3 minutes", "5": "5 minutes", "10": "10 minutes", "20": "20 minutes", "60": "an hour",
    "1440": "a day", "2880": "two days",
}  # fmt: skip
ENTRANTS = {
    Entrants.STUDENTS: "its students",
    Entrants.MEMBERS: "its students, assistants and instructors",
}
FORMATS = {Format.ROUND_ROBIN: "all against all", Format.SWISS: "Swiss system"}
TIMES = {"opens": "enters_from", "closes": "enters_until", "starts": "starts_at", "ends": "ends_at"}


def competition_of(fields: Fields) -> dict[str, Any]:
    """The columns of a new competition, but for whose it is and where."""
    return {
        "kind": CompetitionKind(one_of(fields, "kind", tuple(CompetitionKind), CompetitionKind.PEOPLE)),
        "name": name_of(fields.get("name", "")),
        "format": Format(one_of(fields, "format", tuple(FORMATS), Format.ROUND_ROBIN)),
        "rounds": _rounds(fields.get("rounds", "")),
        "round_minutes": int(one_of(fields, "round_minutes", tuple(ROUND_LASTS), "10")),
        **times_of(fields, opens=OPENS, starts=STARTS, ends=ENDS),
    }


def entrants_of(fields: Fields, is_open: bool) -> Entrants:
    if is_open:
        return Entrants.ANYONE
    return Entrants(one_of(fields, "entrants", tuple(ENTRANTS), Entrants.STUDENTS))


def name_of(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise BadCompetition(f"Give the competition a name of 1 to {NAME_LENGTH} characters.")
    return name


def _rounds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= MOST_ROUNDS):
        raise BadCompetition(f"The number of rounds must be a whole number from 1 to {MOST_ROUNDS}.")
    return int(text)


def one_of(fields: Fields, name: str, words: tuple[str, ...], otherwise: str) -> str:
    word = fields.get(name, otherwise)
    if word not in words:
        raise BadCompetition(f"The form had a wrong {name.replace('_', ' ')}. Choose again.")
    return word


def times_of(fields: Fields, **choices: Mapping[str, str]) -> dict[str, datetime | None]:
    """The columns by what is sent, all counted from one moment: the same choice twice is the same time."""
    moment = now()
    times: dict[str, datetime | None] = {}
    for name, words in choices.items():
        minutes = one_of(fields, name, tuple(words), "")
        times[TIMES[name]] = moment + timedelta(minutes=int(minutes)) if minutes else None
    _check_order(times, moment)
    return times


def _check_order(times: Mapping[str, datetime | None], moment: datetime) -> None:
    opens, starts, ends = times["enters_from"] or moment, times["starts_at"], times["ends_at"]
    if (closes := times.get("enters_until")) and closes <= opens:
        raise BadCompetition("Entries would close before they open. Let them close later.")
    if starts and starts <= opens:
        raise BadCompetition("It would start before anybody can enter. Let entries open earlier.")
    if ends and ends <= (starts or opens):
        raise BadCompetition("It would end before it starts. Both count from now: choose a later end.")
