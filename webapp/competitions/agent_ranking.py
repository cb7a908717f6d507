"""The table of a competition of agents, from its games alone: a recount gives the same. Pure.

Points first; then those taken off the weak levels; then the Bradley-Terry strength; then time and nodes. What is
compared is what is shown, rounded as it is shown: who is equal in all of it shares a rank.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from webapp.competitions.agent_schedule import WEAK, Entrant
from webapp.competitions.strength import strengths

RESULTS = 3  # of the numbers in a line's order come from results of games; then time, then nodes


class Side(NamedTuple):
    """One entry in the games that count of two, added up. `untold` are those that it played to their end without
    telling its nodes.
    """

    entry_id: int
    halves: int  # of a point
    microseconds: int = 0
    nodes: int = 0
    untold: int = 0
    faults: int = 0


class Meeting(NamedTuple):
    """What two have played with the same marks."""

    x: Side
    o: Side
    games: int = 1

    @property
    def sides(self) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
        return (self.x, self.o), (self.o, self.x)


@dataclass(frozen=True)
class Line:
    """Of one entry. Points are counted in halves; weak levels' games are not among `games`."""

    entrant: Entrant
    games: int
    halves: int
    weak_games: int
    weak_halves: int
    strength: float | None  # None before the first game
    faults: int
    microseconds: int
    nodes: int | None  # None unless it told some, and in every game that it did not lose by a fault
    rank: int | None = None  # of an agent; reference players have none, because they do not meet each other
    decided_by: str | None = None  # "time" or "nodes", where the results of games leave others beside it

    @property
    def order(self) -> tuple[float, ...]:
        """Small is good."""
        told = float("inf") if self.nodes is None else self.nodes
        return -self.halves, -self.weak_halves, -(self.strength or 0), self.tenths, told

    @property
    def tenths(self) -> int:
        return tenths_of(self.microseconds)


def tenths_of(microseconds: int) -> int:
    """A time in tenths of a second, rounded up: nobody used none."""
    return -(-microseconds // 100_000)


def ranking(entrants: Sequence[Entrant], meetings: Iterable[Meeting]) -> list[Line]:
    """The agents with their ranks, the best first; then the reference players, the strongest first.

    Games of anybody else are left out: one may have entered, or been replaced, after the entrants were read.
    """
    known = {entrant.entry_id for entrant in entrants}
    lines = _lines(entrants, [one for one in meetings if {one.x.entry_id, one.o.entry_id} <= known])
    agents = sorted((line for line in lines if line.entrant.level is None), key=lambda line: line.order)
    references = [line for line in lines if line.entrant.level is not None]
    return ranked(agents) + sorted(references, key=lambda line: -(line.strength or 0))


def ranked(lines: Sequence[Line]) -> list[Line]:
    """Who is equal shares a rank, and the next one counts all before it."""
    ranks: dict[tuple[float, ...], int] = {}
    for number, line in enumerate(lines, 1):
        ranks.setdefault(line.order, number)
    orders = list(ranks)
    return [replace(line, rank=ranks[line.order], decided_by=_decided_by(line.order, orders)) for line in lines]


def _decided_by(order: tuple[float, ...], orders: Sequence[tuple[float, ...]]) -> str | None:
    """What parts a place from the one before it whose results are equal, or the first of these from the next."""
    equal = [one for one in orders if one[:RESULTS] == order[:RESULTS]]
    if len(equal) == 1:
        return None
    place = equal.index(order)
    other = equal[place - 1] if place else equal[1]
    return "time" if other[RESULTS] != order[RESULTS] else "nodes"


Played = tuple[Side, Side, int]  # mine, the other's, and how many games


def _lines(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> list[Line]:
    strength = strengths((one.x.entry_id, one.o.entry_id, one.x.halves, one.games) for one in meetings)
    levels = {entrant.entry_id: entrant.level for entrant in entrants}
    played: dict[int, list[Played]] = {entrant.entry_id: [] for entrant in entrants}
    for meeting in meetings:
        for mine, other in meeting.sides:
            played[mine.entry_id].append((mine, other, meeting.games))
    return [_line(entrant, played[entrant.entry_id], levels, strength) for entrant in entrants]


def _line(
    entrant: Entrant, played: Sequence[Played], levels: Mapping[int, str | None], strength: Mapping[int, float]
) -> Line:
    weak = [one for one in played if levels[one[1].entry_id] in WEAK]
    counted = [one for one in played if levels[one[1].entry_id] not in WEAK]
    every = [mine for mine, _, _ in played]
    fitted = strength.get(entrant.entry_id)
    tells_nodes = any(side.nodes for side in every) and not any(side.untold for side in every)
    return Line(
        entrant,
        games=sum(games for _, _, games in counted),
        halves=sum(mine.halves for mine, _, _ in counted),
        weak_games=sum(games for _, _, games in weak),
        weak_halves=sum(mine.halves for mine, _, _ in weak),
        strength=None if fitted is None else round(fitted, 2),
        faults=sum(side.faults for side in every),
        microseconds=sum(side.microseconds for side in every),
        nodes=sum(side.nodes for side in every) if tells_nodes else None,
    )
