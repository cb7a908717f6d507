"""Questions about the students of a classroom, for its instructors and assistants. Read only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, exists, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import Presence, User
from webapp.classrooms.models import Classroom, Enrolment
from webapp.classrooms.queries import IS_PRESENT
from webapp.classrooms.real_names import by_last_name
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import RosterRow
from webapp.classrooms.roster_problems import CheckedRow, checked
from webapp.database import reading

_elsewhere, _later, _mine = aliased(Enrolment), aliased(Enrolment), aliased(Enrolment)
_holds_a_role = exists().where(
    _elsewhere.user_id == User.id, _elsewhere.role != Role.STUDENT, _elsewhere.removed_at.is_(None)
)
_IS_CLOSED = Enrolment.made_for_classroom & User.password_hash.is_(None)  # at the end of a term, for good
# A new password reaches only accounts that were made for this classroom and hold no role anywhere.
CAN_BE_RESET = (
    Enrolment.made_for_classroom & ~_IS_CLOSED & ~User.is_instructor & User.deleted_at.is_(None) & ~_holds_a_role
)
# Who has held a role since then comes back as a student all the same, once they hold it no more.
_IS_LAST_STAY = ~exists().where(
    _later.classroom_id == Enrolment.classroom_id,
    _later.user_id == Enrolment.user_id,
    _later.id > Enrolment.id,
    (_later.role == Role.STUDENT) | _later.removed_at.is_(None),
)


@dataclass(frozen=True)
class Student:
    user_id: int
    name: str
    real_name: str
    external_id: str
    email: str
    section: str
    can_be_reset: bool
    is_closed: bool
    seen_at: datetime | None
    removed_at: datetime | None


def students_of(classroom_id: int) -> list[Student]:
    """Who is in it now, by last name, those without a real name by user name."""
    with reading() as connection:
        return _students(connection, Enrolment.classroom_id == classroom_id, IS_PRESENT)


def removed_students(classroom_id: int) -> list[Student]:
    """Who was in it and can be brought back, the last removed first."""
    with reading() as connection:
        gone = (Enrolment.classroom_id == classroom_id, Enrolment.removed_at.is_not(None), _IS_LAST_STAY)
        return sorted(_students(connection, *gone), key=lambda one: str(one.removed_at), reverse=True)


class KnownStudent(NamedTuple):
    """A student as somebody knows them who teaches them."""

    name: str
    real_name: str
    classroom: str
    is_here: bool  # in the classroom that was asked about


def student_of(teacher_id: int, user_id: int, classroom_id: int = 0) -> KnownStudent | None:
    """Whether this user is a student of this teacher now: in the classroom named if they are, else in any."""
    is_here = (Enrolment.classroom_id == classroom_id).label("is_here")
    found = (
        select(User.name, Enrolment.real_name, Classroom.name.label("classroom"), is_here)
        .join(Enrolment, Enrolment.user_id == User.id)
        .join(Classroom, Classroom.id == Enrolment.classroom_id)
        .join(_mine, _mine.classroom_id == Enrolment.classroom_id)
        .where(User.id == user_id, Enrolment.role == Role.STUDENT, IS_PRESENT)
        .where(_mine.user_id == teacher_id, _mine.role != Role.STUDENT, _mine.removed_at.is_(None))
        .order_by(is_here.desc(), Enrolment.id)
        .limit(1)
    )
    with reading() as connection:
        row = connection.execute(found).one_or_none()
    return KnownStudent(**row._mapping) if row else None


def resettable_students(connection: Connection, classroom_id: int) -> list[Student]:
    return _students(connection, Enrolment.classroom_id == classroom_id, IS_PRESENT, CAN_BE_RESET)


def _students(connection: Connection, *conditions: ColumnElement[bool]) -> list[Student]:
    rows = connection.execute(_selected().where(Enrolment.role == Role.STUDENT, *conditions))
    students = [Student(**row._mapping) for row in rows]
    return sorted(students, key=lambda one: by_last_name(one.real_name or one.name))


def _selected() -> Any:
    about = (Enrolment.real_name, Enrolment.external_id, Enrolment.email, Enrolment.section, Enrolment.removed_at)
    can_be_reset = (CAN_BE_RESET.label("can_be_reset"), _IS_CLOSED.label("is_closed"))
    user = (User.id.label("user_id"), User.name, Presence.seen_at)
    columns = select(*user, *about, *can_be_reset).join(User, User.id == Enrolment.user_id)
    columns = columns.outerjoin(Presence, Presence.user_id == User.id)
    return columns.where(User.deleted_at.is_(None))


def roster_of(connection: Connection, classroom_id: int) -> dict[int, RosterRow]:
    """What is known of each student who is here now, by user."""
    here = (Enrolment.classroom_id == classroom_id, Enrolment.role == Role.STUDENT, IS_PRESENT)
    about = (Enrolment.real_name, Enrolment.external_id, Enrolment.email, Enrolment.section)
    rows = connection.execute(select(Enrolment.user_id, *about).where(*here).order_by(Enrolment.id))
    return {user_id: RosterRow(0, *row) for user_id, *row in rows}


def checked_rows(connection: Connection, classroom_id: int, rows: Sequence[RosterRow]) -> list[CheckedRow]:
    """The rows of a roster, each with what is wrong with it in this classroom now."""
    here = roster_of(connection, classroom_id).values()
    limit = connection.scalar(select(Classroom.seat_limit).where(Classroom.id == classroom_id)) or 0
    return checked(rows, [one for one in here if one.name], limit - len(here))
