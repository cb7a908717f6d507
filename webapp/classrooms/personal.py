"""What classrooms hold about a person, for export and deletion. Knows no Flask request."""

from sqlalchemy import Connection, exists, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import User
from webapp.accounts.personal import Exported, Holding, text_of
from webapp.classrooms.models import (
    Classroom,
    ClassroomTally,
    CountedGame,
    Enrolment,
    LogInCode,
    Question,
    QuestionAnswer,
)
from webapp.classrooms.queries import IS_PRESENT
from webapp.classrooms.roles import Role
from webapp.errors import Refusal

_other = aliased(Enrolment)
# Who leads a classroom alone: nobody else in it is an instructor now. Who is deleted leads nothing.
IS_LAST_INSTRUCTOR = (
    (Enrolment.role == Role.INSTRUCTOR)
    & IS_PRESENT
    & exists().where(User.id == Enrolment.user_id, User.deleted_at.is_(None))
    & ~exists().where(
        _other.classroom_id == Enrolment.classroom_id,
        _other.user_id != Enrolment.user_id,
        _other.role == Role.INSTRUCTOR,
        _other.removed_at.is_(None),
        User.id == _other.user_id,
        User.deleted_at.is_(None),
    )
)


class LastInstructor(Refusal):
    status = 409
    title = "You are the last instructor"

    def __init__(self, classroom: str) -> None:
        super().__init__(
            f"You are the only instructor of {classroom}. Make somebody else an instructor there first, or delete it."
        )


def _export(connection: Connection, user_id: int) -> Exported:
    return {"classrooms": _stays(connection, user_id), "answers_in_class": _answers(connection, user_id)}


def _stays(connection: Connection, user_id: int) -> list[Exported]:
    about = (Enrolment.real_name, Enrolment.external_id, Enrolment.email, Enrolment.section)
    columns = (Classroom.name, Classroom.term, Enrolment.role, *about, Enrolment.joined_at, Enrolment.removed_at)
    stays = select(*columns).join(Classroom, Classroom.id == Enrolment.classroom_id)
    rows = connection.execute(stays.where(Enrolment.user_id == user_id).order_by(Enrolment.id)).mappings()
    return [dict(row) | {name: text_of(row[name]) for name in ("joined_at", "removed_at")} for row in rows]


def _answers(connection: Connection, user_id: int) -> list[Exported]:
    columns = (Question.position, Question.to_move, QuestionAnswer.cell, QuestionAnswer.answered_at)
    answers = select(*columns).join(Question, Question.id == QuestionAnswer.question_id)
    rows = connection.execute(answers.where(QuestionAnswer.user_id == user_id).order_by(Question.id)).mappings()
    return [dict(row) | {"answered_at": text_of(row["answered_at"])} for row in rows]


def _check(connection: Connection, user_id: int) -> None:
    """A classroom is never left without an instructor."""
    alone = select(Classroom.name).join(Enrolment, Enrolment.classroom_id == Classroom.id)
    name = connection.scalar(alone.where(Enrolment.user_id == user_id, IS_LAST_INSTRUCTOR).limit(1))
    if name is not None:
        raise LastInstructor(name)


def _leave(connection: Connection, user_id: int) -> bool:
    """Locked here and not when it is checked first: the end of a game locks the game, then the classroom."""
    theirs = select(Classroom.id).join(Enrolment, Enrolment.classroom_id == Classroom.id)
    theirs = theirs.where(Enrolment.user_id == user_id, Enrolment.role == Role.INSTRUCTOR, IS_PRESENT)
    classrooms = connection.scalars(theirs.order_by(Classroom.id)).all()
    lock = select(Classroom.id).where(Classroom.id.in_(classrooms)).order_by(Classroom.id).with_for_update()
    connection.execute(lock)  # two who leave at once leave one after the other
    _check(connection, user_id)
    return True


HOLDING = Holding(
    export=_export, check=_check, leave=_leave,
    tables=(Enrolment, QuestionAnswer, LogInCode, CountedGame, ClassroomTally),
)  # fmt: skip
