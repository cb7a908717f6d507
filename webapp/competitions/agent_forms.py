"""What the form of a new competition of agents sends, read strictly."""

from typing import Any

from webapp.clock import now
from webapp.competitions.forms import LATER, OPENS, STARTS, Fields, moment_of, name_of, one_of
from webapp.competitions.refusals import BadCompetition
from webapp.competitions.states import Format, Kind
from webapp.tictactoe import openings

# The words of each choice by what is sent.
OPENINGS = {
    "2": "2 openings, 4 games for each two",
    "4": "4 openings, 8 games for each two",
    str(len(openings())): f"all {len(openings())} openings, {2 * len(openings())} games for each two",
}
BANKS = {"10": "10 seconds", "30": "30 seconds", "60": "60 seconds", "300": "5 minutes"}
CLOSES = {"": "until it ends", **{key: f"until {words[3:]} from now" for key, words in LATER.items()}}
ENDS = {"": "when I press End", "30": "30 minutes from now", **{key: f"{words[3:]} from now" for key, words in
        LATER.items() if key not in ("5", "15")}, "20160": "two weeks from now"}  # fmt: skip


def agents_competition_of(fields: Fields) -> dict[str, Any]:
    """The columns of a new competition, but for whose it is, where, and who may enter."""
    values: dict[str, Any] = {
        "kind": Kind.AGENTS,
        "name": name_of(fields.get("name", "")),
        "format": Format.ROUND_ROBIN,
        "rounds": int(one_of(fields, "openings", tuple(OPENINGS), "2")),
        "bank_seconds": int(one_of(fields, "bank_seconds", tuple(BANKS), "60")),
        "start_seconds": 15,
        "enters_from": moment_of(fields, "opens", OPENS),
        "enters_until": moment_of(fields, "closes", CLOSES),
        "starts_at": moment_of(fields, "starts", STARTS),
        "ends_at": moment_of(fields, "ends", ENDS),
    }
    if values["enters_until"] and values["enters_from"] and values["enters_until"] <= values["enters_from"]:
        raise BadCompetition("Entries would close before they open. Let them close later.")
    begins = max(moment for moment in (now(), values["enters_from"], values["starts_at"]) if moment)
    if values["ends_at"] and values["ends_at"] <= begins:
        raise BadCompetition("It would end before it starts. Choose a later end, or an earlier start.")
    return values
