"""What the form of a new competition of agents sends, read strictly."""

from typing import Any

from webapp.competitions.forms import LAST, LATER, OPENS, STARTS, Fields, name_of, one_of, times_of
from webapp.competitions.states import CompetitionKind, Format
from webapp.tictactoe import openings

# The words of each choice by what is sent.
BANKS = {"10": "10 seconds", "30": "30 seconds", "60": "60 seconds", "300": "5 minutes"}
CLOSES = {"": "until it ends", **{minutes: f"until {words}" for minutes, words in LATER.items()}}
ENDS = {"": "when I press End", **LAST}


def offered_openings() -> dict[str, str]:
    """When a page asks: to find all openings takes longer than to load this package."""
    most = len(openings())
    return {
        "2": "2 openings, 4 games for each two",
        "4": "4 openings, 8 games for each two",
        str(most): f"all {most} openings, {2 * most} games for each two",
    }


def agents_competition_of(fields: Fields) -> dict[str, Any]:
    """The columns of a new competition, but for whose it is, where, and who may enter."""
    return {
        "kind": CompetitionKind.AGENTS,
        "name": name_of(fields.get("name", "")),
        "format": Format.ROUND_ROBIN,
        "rounds": int(one_of(fields, "openings", tuple(offered_openings()), "2")),
        "bank_seconds": int(one_of(fields, "bank_seconds", tuple(BANKS), "60")),
        "start_seconds": 15,
        **times_of(fields, opens=OPENS, closes=CLOSES, starts=STARTS, ends=ENDS),
    }
