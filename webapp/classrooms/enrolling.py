"""People come into a classroom and leave it: within a unit that writes, with these people and the classroom locked."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, exists, func, insert, select, update

from webapp.accounts.locking import lock_all
from webapp.classrooms.departures import announce_departure
from webapp.classrooms.models import Classroom, Enrolment
from webapp.classrooms.queries import IS_PRESENT, IS_STUDENT, ClassroomRecord
from webapp.classrooms.roles import Role
from webapp.clock import now
from webapp.errors import NotThere, Refusal


class NoSeatLeft(Refusal):
    status = 409
    title = "No seat left"

    def __init__(self, free: int = 0) -> None:
        left = {0: "No seat is left", 1: "Only one seat is left"}.get(free, f"Only {free} seats are left")
        super().__init__(f"{left} in this classroom. Its instructor can allow more in the settings.")


def lock_people(connection: Connection, user_ids: Collection[int]) -> None:
    """Before the classroom. Whoever deletes their account at this moment comes in nowhere any more."""
    if lock_all(connection, user_ids) != set(user_ids):
        raise NotThere


def lock_classroom(connection: Connection, classroom_id: int) -> Any:
    """Its seats are counted and taken by one unit after the other. It may have been deleted a moment ago.

    Whoever locks users too locks them before: the end of a game does, and then writes for which classrooms it counts.
    """
    this = select(Classroom).where(Classroom.id == classroom_id)
    classroom = connection.execute(this.with_for_update()).one_or_none()
    if classroom is None:
        raise NotThere
    return classroom


def check_still(connection: Connection, classroom: ClassroomRecord, at_least: Role) -> None:
    """After something slow, with the classroom locked: whose request it is may have lost their role meanwhile."""
    theirs = (Enrolment.classroom_id == classroom.id, Enrolment.user_id == classroom.user_id, IS_PRESENT)
    if connection.scalar(select(Enrolment.role).where(*theirs)) not in at_least.and_above:
        raise NotThere


def take_seats(connection: Connection, classroom_id: int, count: int) -> None:
    """Refuse unless so many seats are free. The classroom stays locked until the unit ends."""
    limit = lock_classroom(connection, classroom_id).seat_limit
    is_student = (Enrolment.classroom_id == classroom_id, IS_STUDENT)
    taken = connection.scalar(select(func.count()).select_from(Enrolment).where(*is_student)) or 0
    if taken + count > limit:
        raise NoSeatLeft(max(0, limit - taken))


def is_enrolled(connection: Connection, classroom_id: int, user_id: int) -> bool:
    here = exists().where(Enrolment.classroom_id == classroom_id, Enrolment.user_id == user_id, IS_PRESENT)
    return connection.scalar(select(here)) is True


def enrol(
    connection: Connection, classroom_id: int, user_id: int, role: Role = Role.STUDENT, **about: Any
) -> None:  # fmt: skip
    """A new stay. `about` is what is known of the person: real_name, external_id, email, section, made_for_classroom.

    Nothing happens if they are in the classroom already. For a student `take_seats` comes first.
    """
    if not is_enrolled(connection, classroom_id, user_id):
        row: Mapping[str, Any] = {"classroom_id": classroom_id, "user_id": user_id, "role": role, **about}
        connection.execute(insert(Enrolment).values(row))


def end_stays(connection: Connection, classroom_id: int, user_ids: list[int]) -> int:
    """They are out at once; their games stay counted. How many were in. `after_departure` follows the unit."""
    who = (Enrolment.classroom_id == classroom_id, Enrolment.user_id.in_(user_ids), IS_PRESENT)
    count = connection.execute(update(Enrolment).where(*who).values(removed_at=now())).rowcount
    announce_departure(connection, classroom_id, user_ids)
    return count
