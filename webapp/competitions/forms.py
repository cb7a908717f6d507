"""What the form of a new competition sends, read strictly. Times are told from now on: a form knows no time zone."""

from datetime import datetime, timedelta
from typing import Any

from werkzeug.datastructures import MultiDict

from webapp.clock import now
from webapp.competitions.refusals import BadCompetition
from webapp.competitions.states import Entrants, Format, Kind

Fields = MultiDict[str, str]
NAME_LENGTH, MOST_ROUNDS = 80, 30
# The words of each choice by what is sent; "" leaves it open.
LATER = {"5": "in 5 minutes", "15": "in 15 minutes", "60": "in an hour", "1440": "in a day", "10080": "in a week"}
OPENS = {"": "now", **LATER}
STARTS = {"": "when I press Start", **LATER}
ENDS = {
    "": "with the last round", "30": "30 minutes from now", "60": "an hour from now", "1440": "a day from now",
    "10080": "a week from now", "20160": "two weeks from now",
}  # fmt: skip
ROUND_LASTS = {
    "2": "2 minutes", "3": "3 minutes", "5": "5 minutes", "10": "10 minutes", "20": "20 minutes", "60": "an hour",
    "1440": "a day", "2880": "two days",
}  # fmt: skip
ENTRANTS = {
    Entrants.STUDENTS: "its students",
    Entrants.MEMBERS: "its students, assistants and instructors",
}
FORMATS = {Format.ROUND_ROBIN: "all against all", Format.SWISS: "Swiss system"}


def competition_of(fields: Fields) -> dict[str, Any]:
    """The columns of a new competition, but for whose it is and where."""
    values: dict[str, Any] = {
        "kind": Kind(one_of(fields, "kind", tuple(Kind), Kind.PEOPLE)),
        "name": name_of(fields.get("name", "")),
        "format": Format(one_of(fields, "format", tuple(FORMATS), Format.ROUND_ROBIN)),
        "rounds": _rounds(fields.get("rounds", "")),
        "round_minutes": int(one_of(fields, "round_minutes", tuple(ROUND_LASTS), "10")),
        "enters_from": moment_of(fields, "opens", OPENS),
        "starts_at": moment_of(fields, "starts", STARTS),
        "ends_at": moment_of(fields, "ends", ENDS),
    }
    begins = max(moment for moment in (now(), values["enters_from"], values["starts_at"]) if moment)
    if values["ends_at"] and values["ends_at"] <= begins:
        raise BadCompetition("It would end before it starts. Choose a later end, or an earlier start.")
    if values["starts_at"] and values["enters_from"] and values["starts_at"] <= values["enters_from"]:
        raise BadCompetition("It would start before anybody can enter. Let entries open earlier.")
    return values


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


def moment_of(fields: Fields, name: str, choices: dict[str, str]) -> datetime | None:
    minutes = one_of(fields, name, tuple(choices), "")
    return now() + timedelta(minutes=int(minutes)) if minutes else None
