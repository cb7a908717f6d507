"""What was played in a competition of agents, added up by the database, and the ranking that follows. Read only."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from sqlalchemy import ColumnElement, case, func, select

from webapp.competitions.agent_ranking import Line, Meeting, Side, ranking
from webapp.competitions.agent_schedule import Entrant
from webapp.competitions.models import Pairing
from webapp.competitions.states import PairingState, Score
from webapp.database import reading

COUNTS = (PairingState.FINISHED, PairingState.FORFEITED)
KEPT = 6  # results, in each worker: 4 MB each where 60 agents play, and each game that ends makes another one


def _sums(side: str, mark: Score, other: Score) -> list[ColumnElement[Any]]:
    """Of one side of a pairing. Who moved and told no nodes in a game that it did not lose by a fault told none."""
    columns = Pairing.__table__.c
    microseconds, nodes = columns[f"{side}_microseconds"], columns[f"{side}_nodes"]
    is_own_fault = Pairing.fault.is_not(None) & (Pairing.score == other)
    is_untold = microseconds.is_not(None) & nodes.is_(None) & ~is_own_fault
    sums = {
        "halves": case((Pairing.score == mark, 2), (Pairing.score == Score.DRAWN, 1), else_=0),
        "microseconds": func.coalesce(microseconds, 0),
        "nodes": func.coalesce(nodes, 0),
        "untold": case((is_untold, 1), else_=0),
        "faults": case((is_own_fault, 1), else_=0),
    }
    return [func.sum(value).label(f"{side}_{name}") for name, value in sums.items()]


def meetings_in(competition_id: int) -> tuple[Meeting, ...]:
    """One row for each two that have met with these marks, however many games they played."""
    played = (
        select(
            Pairing.x_entry_id, Pairing.o_entry_id, func.count().label("games"),
            *_sums("x", Score.X, Score.O), *_sums("o", Score.O, Score.X),
        )
        .where(Pairing.competition_id == competition_id, Pairing.state.in_(COUNTS), Pairing.score != Score.BOTH_LOST)
        .group_by(Pairing.x_entry_id, Pairing.o_entry_id)
        .order_by(Pairing.x_entry_id, Pairing.o_entry_id)
    )  # fmt: skip
    with reading() as connection:
        return tuple(_meeting(row) for row in connection.execute(played))


def _meeting(row: Any) -> Meeting:
    """PostgreSQL adds whole numbers up to decimal ones."""
    sides = [
        Side(getattr(row, f"{side}_entry_id"), *(int(getattr(row, f"{side}_{name}")) for name in Side._fields[1:]))
        for side in "xo"
    ]
    return Meeting(sides[0], sides[1], row.games)


@dataclass
class Results:
    """What counts in a competition at one moment, added up once for all who look then."""

    meetings: tuple[Meeting, ...]
    rankings: dict[tuple[Entrant, ...], tuple[Line, ...]] = field(default_factory=dict)

    @cached_property
    def taken(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        """By the entry of the row and that of the column, with both marks together: halves, games, faults."""
        taken: dict[tuple[int, int], tuple[int, int, int]] = {}
        for meeting in self.meetings:
            for mine, other in meeting.sides:
                pair = mine.entry_id, other.entry_id
                halves, games, faults = taken.get(pair, (0, 0, 0))
                taken[pair] = halves + mine.halves, games + meeting.games, faults + mine.faults
        return taken


@lru_cache(KEPT)
def results_in(competition_id: int, public_id: str, version: tuple[int, ...]) -> Results:
    """`version` is Progress.of_results; `public_id` besides the id, because no other database has it."""
    return Results(meetings_in(competition_id))


def ranking_of(entrants: Collection[Entrant], results: Results) -> tuple[Line, ...]:
    """The fit takes longer than all the rest, and many look at the same table."""
    ranked = tuple(entrants)
    if ranked not in results.rankings:
        results.rankings[ranked] = tuple(ranking(ranked, results.meetings))
    return results.rankings[ranked]
