"""Questions about classrooms. Read only. Who may see a classroom is decided here, where it is loaded."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select

from webapp.classrooms.models import Classroom, Enrolment
from webapp.classrooms.roles import Role
from webapp.database import reading
from webapp.errors import NotThere

IS_PRESENT = Enrolment.removed_at.is_(None)


@dataclass(frozen=True)
class ClassroomRecord:
    """A classroom as one of its members may see it, and what they are in it."""

    id: int
    public_id: str
    name: str
    term: str
    created_at: datetime
    archived_at: datetime | None
    join_code: str
    join_is_open: bool
    seat_limit: int
    only_members: bool
    allows_watching: bool
    allows_coach: bool
    levels: str | None
    has_leaderboard: bool
    role: Role
    user_id: int  # whose role it is

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None

    @property
    def is_instructor(self) -> bool:
        return self.role is Role.INSTRUCTOR

    @property
    def is_staff(self) -> bool:
        return self.role.is_staff


def _classrooms(user_id: int, *conditions: ColumnElement[bool]) -> Select[Any]:
    return (
        select(*Classroom.__table__.columns, Enrolment.role, Enrolment.user_id)
        .join(Enrolment, Enrolment.classroom_id == Classroom.id)
        .where(Enrolment.user_id == user_id, IS_PRESENT, *conditions)
    )


def classroom_for(public_id: str, user_id: int | None, at_least: Role = Role.STUDENT) -> ClassroomRecord:
    """The one way to a classroom: for who is in it now and is at least this. For everybody else it is not there."""
    may_see = (Classroom.public_id == public_id, Enrolment.role.in_(at_least.and_above))
    with reading() as connection:
        # PostgreSQL refuses some characters with an error, so it is asked only for what can be an id.
        can_be = user_id is not None and public_id.isascii() and public_id.isprintable()
        row = connection.execute(_classrooms(user_id or 0, *may_see)).one_or_none() if can_be else None
    if row is None:
        raise NotThere
    return ClassroomRecord(**row._mapping)


def classrooms_of(user_id: int) -> list[ClassroomRecord]:
    """All that somebody is in, the newest first and the archived ones last."""
    order = (Classroom.archived_at.is_not(None), Classroom.id.desc())
    with reading() as connection:
        rows = connection.execute(_classrooms(user_id).order_by(*order))
        return [ClassroomRecord(**row._mapping) for row in rows]


def seats_taken(classroom_id: int) -> int:
    """By students; instructors and assistants need none."""
    is_student = (Enrolment.classroom_id == classroom_id, IS_PRESENT, Enrolment.role == Role.STUDENT)
    with reading() as connection:
        return connection.scalar(select(func.count()).select_from(Enrolment).where(*is_student)) or 0


def counted_for(classroom_id: int, user_id: Any, ended_at: Any) -> ColumnElement[bool]:
    """Whether a game that ended then counts for the classroom: its player was enrolled at that moment."""
    stays = select(Enrolment.id).where(
        Enrolment.classroom_id == classroom_id,
        Enrolment.user_id == user_id,
        Enrolment.role == Role.STUDENT,
        Enrolment.joined_at <= ended_at,
        Enrolment.removed_at.is_(None) | (Enrolment.removed_at > ended_at),
    )
    return stays.exists()
