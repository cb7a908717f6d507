"""A lesson begins and ends by a press. Knows no Flask request."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, exists, func, insert, select, update
from sqlalchemy.orm import aliased

from webapp.classrooms.enrolling import lock_classroom
from webapp.classrooms.models import LESSON_LASTS, Enrolment, Lesson, Question
from webapp.classrooms.queries import IS_PRESENT, ClassroomRecord, lesson_goes_on
from webapp.clock import now
from webapp.database import announce_change, reading, writing
from webapp.errors import Refusal
from webapp.games.models import Game, Move, Seat

GIVEN_UP = timedelta(days=1)  # an unfinished game in which nothing has happened for so long
_move = aliased(Move)


@dataclass(frozen=True)
class LessonRecord:
    id: int
    began_at: datetime
    first_game_id: int


def present_lesson(classroom_id: int) -> LessonRecord | None:
    """The one that goes on now; after some hours it has ended, whoever forgot to press."""
    with reading() as connection:
        return _present(connection, classroom_id)


def _present(connection: Connection, classroom_id: int) -> LessonRecord | None:
    columns = (Lesson.id, Lesson.began_at, Lesson.first_game_id)
    present = select(*columns).where(Lesson.classroom_id == classroom_id, lesson_goes_on())
    row = connection.execute(present).one_or_none()
    return LessonRecord(**row._mapping) if row else None


class JustArchived(Refusal):
    status = 409

    def __init__(self) -> None:
        super().__init__("Somebody has just archived this classroom, so nothing was changed.")


def begin_lesson(classroom: ClassroomRecord) -> LessonRecord:
    """Pressed twice, or by two instructors at once, it is one lesson."""
    with writing() as connection:
        return begin_within(connection, classroom.id)


def begin_within(connection: Connection, classroom_id: int) -> LessonRecord:
    """The lesson that goes on, or a new one. The classroom may have been archived since it was loaded."""
    if lock_classroom(connection, classroom_id).archived_at is not None:
        raise JustArchived
    if present := _present(connection, classroom_id):
        return present
    end_within(connection, classroom_id)
    row = {"classroom_id": classroom_id, "began_at": now(), "first_game_id": _first_game(connection, classroom_id)}
    connection.execute(insert(Lesson).values(row))
    announce_change(connection)
    begun = _present(connection, classroom_id)
    assert begun is not None  # noqa: S101 - it was written a moment ago
    return begun


def _first_game(connection: Connection, classroom_id: int) -> int:
    """The oldest game that may end in the lesson: one that a member has not finished, else the next that begins.

    One that was given up is none, or all games since then would be looked at in each lesson. Should it be finished
    after all, it counts for the lesson, but is not among the results as they come in.
    """
    members = select(Enrolment.user_id).where(Enrolment.classroom_id == classroom_id, IS_PRESENT)
    is_theirs = (Seat.user_id.in_(members), Seat.result.is_(None), is_played_since(now() - GIVEN_UP))
    unfinished = select(func.min(Seat.game_id)).join(Game, Game.id == Seat.game_id).where(*is_theirs)
    newest = connection.scalar(select(func.max(Game.id))) or 0
    return connection.scalar(unfinished) or newest + 1


def is_played_since(moment: datetime) -> ColumnElement[bool]:
    """Whether a game began or had a move since then."""
    return (Game.created_at >= moment) | exists().where(_move.game_id == Game.id, _move.made_at >= moment)


def end_lesson(classroom: ClassroomRecord) -> None:
    with writing() as connection:
        lock_classroom(connection, classroom.id)
        end_within(connection, classroom.id)
        announce_change(connection)


def end_within(connection: Connection, classroom_id: int) -> None:
    """With the classroom locked."""
    _end_where(connection, Lesson.classroom_id == classroom_id)


def _end_where(connection: Connection, *which: Any) -> None:
    """Nobody answers a question any more when its lesson is over."""
    open_ones = connection.execute(select(Lesson.id, Lesson.began_at).where(*which, Lesson.ended_at.is_(None))).all()
    for lesson_id, began_at in open_ones:
        ended_at = min(now(), began_at + LESSON_LASTS)
        connection.execute(update(Lesson).where(Lesson.id == lesson_id).values(ended_at=ended_at))
        unanswered = (Question.lesson_id == lesson_id, Question.closed_at.is_(None))
        connection.execute(update(Question).where(*unanswered).values(closed_at=ended_at))
