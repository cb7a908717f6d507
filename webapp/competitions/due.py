"""Which competitions time alone moves on: to their start, their next round, their end. Read only, one statement each.

What has nothing to do is not among them, however long it lies there: else a few of those would keep all others back.
Nor is what cannot be moved on, through a mistake of ours, for an hour after that was tried.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from flask import current_app
from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, exists, func, or_, select

from webapp.classrooms.models import Classroom
from webapp.clock import now
from webapp.competitions.models import Competition, CompetitionEntry, Pairing
from webapp.competitions.queries import HAS_ENTERED, IS_NOT_OVER
from webapp.competitions.rounds import LEAST, WAITS_FOR_PLAYERS
from webapp.competitions.states import CompetitionKind, PairingState, State
from webapp.database import UNREACHABLE, UtcDateTime, reading
from webapp.prepared import Prepared

log = logging.getLogger("noughts.competitions")

PUT_OFF, PUT_OFF_FOR = "noughts_put_off", timedelta(hours=1)  # the first in an app's extensions: until when, by id
AT_ONCE = 5  # competitions that one look moves on; the next one does more


def is_left(state: PairingState) -> ColumnElement[bool]:
    """Whether games of this competition are still in this state."""
    left = (Pairing.competition_id == Competition.id, Pairing.state == state, Pairing.score.is_(None))
    return exists().where(*left)


_MOMENT, _LONG_AGO = (bindparam(name, type_=UtcDateTime) for name in ("moment", "long_ago"))
_IS_ENTERING, _IS_PLAYING = (Competition.state == state for state in (State.ENTERING, State.PLAYING))
_IS_PAST = Competition.ends_at <= _MOMENT


def _has_players(least: int) -> ColumnElement[bool]:
    entered = select(func.count()).where(CompetitionEntry.competition_id == Competition.id, *HAS_ENTERED)
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
        .limit(bindparam("count", type_=Integer))
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


def due_of_agents(competition_id: int | None = None) -> list[Any]:
    """This one, or the first few of all."""
    if competition_id is None:
        return _first_few(_OF_AGENTS)
    with reading() as connection:
        return _THIS_OF_AGENTS.rows(connection, moment=now(), competition_id=competition_id, count=1)


def due_of_people() -> list[int]:
    """The first few."""
    return [row.id for row in _first_few(_OF_PEOPLE, long_ago=now() - WAITS_FOR_PLAYERS)]


def _first_few(due: Prepared, **values: Any) -> list[Any]:
    put_off = _put_off()
    with reading() as connection:
        rows = due.rows(connection, moment=now(), count=AT_ONCE + len(put_off), **values)
    return [row for row in rows if row.id not in put_off][:AT_ONCE]


def _put_off() -> set[int]:
    known: dict[int, datetime] = current_app.extensions.get(PUT_OFF, {})
    return {competition_id for competition_id, until in known.copy().items() if until > now()}


@contextmanager
def passed_over_if_broken(competition_id: int) -> Iterator[None]:
    """Round a step of this competition, not within a unit that writes: whoever looks at the lobby, moves or asks for a
    job is shown and given what there is. It is logged once an hour by each worker, and its own page tries it each time.
    """
    try:
        yield
    except UNREACHABLE:  # no fault of this competition's
        raise
    except Exception:
        if competition_id not in _put_off():
            log.exception("Competition %s cannot go on. It is tried again in an hour.", competition_id)
            current_app.extensions.setdefault(PUT_OFF, {})[competition_id] = now() + PUT_OFF_FOR
