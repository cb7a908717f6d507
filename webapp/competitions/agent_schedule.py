"""Which games a competition of agents consists of: all against all, with both marks, from each opening. Pure.

The games of an entry are told when it enters, so that one may come late; whoever enters in whichever order, all
together are the same games.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from webapp.tictactoe import ALL_LEVELS, Mark, Opening

WEAK = ("beginner", "casual")  # what an agent takes off them is counted apart
BASELINE = tuple(ALL_LEVELS)  # the reference players that enter every competition of agents


class Entrant(NamedTuple):
    """An entry, and its level if it is a reference player."""

    entry_id: int
    level: str | None = None


class PlannedGame(NamedTuple):
    """`round` is the number of its opening, from 1: so a schedule that is cut short has the same openings for all."""

    round: int
    x: int  # entries
    o: int
    opening: Opening
    seed: int | None  # against a reference player


def games_of(entrant: Entrant, others: Iterable[Entrant], openings: Sequence[Opening]) -> list[PlannedGame]:
    """The games of this one against those who are there already. Reference players do not play each other."""
    return [
        PlannedGame(number, x.entry_id, o.entry_id, opening, _seed(x, o, number))
        for number, opening in enumerate(openings, 1)
        for other in others
        if entrant.level is None or other.level is None
        for x, o in ((entrant, other), (other, entrant))
    ]


def _seed(x: Entrant, o: Entrant, number: int) -> int | None:
    """The same for every agent: who makes the same moves meets the same answers."""
    level = x.level or o.level
    return None if level is None else seed_of(level, Mark.X if x.level else Mark.O, number)


def seed_of(*parts: object) -> int:
    """A number from words and numbers, the same on every machine; it fits any column."""
    return int.from_bytes(sha256(":".join(map(str, parts)).encode()).digest()[:4], "big") >> 1
