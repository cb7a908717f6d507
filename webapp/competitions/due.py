"""Which competitions time alone moves on: to their start, their next round, their end. Read only, one statement each.

What has nothing to do is not among them, however long it lies there: else a few of those would keep all others back.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, or_, select

from webapp.classrooms.models import Classroom
from webapp.clock import now
from webapp.competitions.models import Competition, CompetitionEntry, Pairing
from webapp.competitions.queries import IS_IN, IS_NOT_OVER
from webapp.competitions.rounds import LEAST, WAITS_FOR_PLAYERS
from webapp.competitions.states import CompetitionKind, PairingState, State
from webapp.database import UtcDateTime, reading
from webapp.prepared import Prepared

AT_ONCE = 5  # competitions that one look moves on; the next one does more


def is_left(state: PairingState) -> ColumnElement[bool]:
    """Whether games of this competition are still in this state."""
    left = (Pairing.competition_id == Competition.id, Pairing.state == state, Pairing.score.is_(None))
    return exists().where(*left)


_MOMENT, _LONG_AGO = (bindparam(name, type_=UtcDateTime) for name in ("moment", "long_ago"))
_IS_ENTERING, _IS_PLAYING = (Competition.state == state for state in (State.ENTERING, State.PLAYING))
_IS_PAST = Competition.ends_at <= _MOMENT


def _has_players(least: int) -> ColumnElement[bool]:
    entered = select(func.count()).where(CompetitionEntry.competition_id == Competition.id, *IS_IN)
    return entered.scalar_subquery() >= least


def _due(kind: CompetitionKind, least: int, *goes_on: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """One that has not started by its end never does, so it is cancelled."""
    starts = and_(Competition.starts_at <= _MOMENT, Classroom.archived_at.is_(None), _has_players(least))
    is_due = or_(and_(_IS_ENTERING, or_(_IS_PAST, starts)), *goes_on)
    return (
        select(Competition.id, Competition.state, _IS_PAST.label("is_past"))
        .outerjoin(Classroom, Classroom.id == Competition.classroom_id)
        .where(IS_NOT_OVER, Competition.kind == kind, is_due)
        .order_by(Competition.id)
        .limit(AT_ONCE)
    )


# Games in play go on after the end, and until the last of them there is nothing to do.
_HAS_AN_END_TO_MAKE = or_(is_left(PairingState.WAITING), ~is_left(PairingState.PLAYING))
_AGENTS = _due(CompetitionKind.AGENTS, 1, and_(_IS_PLAYING, _IS_PAST, _HAS_AN_END_TO_MAKE))
_OF_AGENTS = Prepared(_AGENTS)
_THIS_OF_AGENTS = Prepared(_AGENTS.where(Competition.id == bindparam("competition_id")))
_OF_PEOPLE = Prepared(
    _due(
        CompetitionKind.PEOPLE, LEAST,
        and_(_IS_PLAYING, Competition.round_ends_at <= _MOMENT),
        # As rounds.is_given_up has it, where there is no end.
        and_(_IS_ENTERING, Competition.ends_at.is_(None), Competition.starts_at <= _LONG_AGO, ~_has_players(LEAST)),
    )
)  # fmt: skip


def due_of_agents(competition_id: int | None = None) -> Sequence[Any]:
    """This one, or the first few of all."""
    with reading() as connection:
        if competition_id is None:
            return _OF_AGENTS.rows(connection, moment=now())
        return _THIS_OF_AGENTS.rows(connection, moment=now(), competition_id=competition_id)


def due_of_people() -> list[int]:
    """The first few."""
    with reading() as connection:
        rows = _OF_PEOPLE.rows(connection, moment=now(), long_ago=now() - WAITS_FOR_PLAYERS)
    return [row.id for row in rows]
