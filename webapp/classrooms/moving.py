"""Students leave a classroom, come back, and move to another one, several at once. Knows no Flask request.

Each is one unit: all of those chosen, or nobody. Their games stay, and count where they were when these ended.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, select

from webapp.classrooms.departures import after_departure
from webapp.classrooms.enrolling import end_stays, enrol, is_enrolled, lock_classroom, lock_people, take_seats
from webapp.classrooms.models import Enrolment, LogInCode
from webapp.classrooms.queries import IS_STUDENT
from webapp.classrooms.roles import Role
from webapp.database import announce_change, writing
from webapp.errors import NotThere

KEPT = (
    Enrolment.real_name, Enrolment.external_id, Enrolment.email, Enrolment.section, Enrolment.made_for_classroom,
    Enrolment.on_leaderboard,
)  # fmt: skip


def remove_students(classroom_id: int, user_ids: Collection[int]) -> int:
    """They are out at once, and so are their open pages. How many were in: pressed twice, none the second time."""
    with writing() as connection:
        lock_people(connection, user_ids)
        lock_classroom(connection, classroom_id)
        present = _students(connection, classroom_id, user_ids)
        _end_stays(connection, classroom_id, present)
    after_departure(classroom_id, present)
    return len(present)


def bring_back_students(classroom_id: int, user_ids: Collection[int]) -> int:
    """Each as they were known here before."""
    with writing() as connection:
        lock_people(connection, user_ids)
        lock_classroom(connection, classroom_id)
        known = _last_stays(connection, classroom_id, user_ids)
        coming = [stay for one, stay in known.items() if not is_enrolled(connection, classroom_id, one)]
        _enrol(connection, classroom_id, coming)
        announce_change(connection)
    return len(coming)


def move_students(classroom_id: int, to_id: int, user_ids: Collection[int]) -> int:
    """Out of the one and into the other, under the same names."""
    if classroom_id == to_id:
        raise NotThere  # no form offers it
    with writing() as connection:
        lock_people(connection, user_ids)
        for one in sorted((classroom_id, to_id)):  # in one order everywhere, so that nobody waits crosswise
            lock_classroom(connection, one)
        moving = _students(connection, classroom_id, user_ids)
        known = _last_stays(connection, classroom_id, moving)
        _end_stays(connection, classroom_id, moving)
        _enrol(connection, to_id, [stay for one, stay in known.items() if not is_enrolled(connection, to_id, one)])
    after_departure(classroom_id, moving)
    return len(moving)


def _students(connection: Connection, classroom_id: int, user_ids: Collection[int]) -> list[int]:
    """Those of these who are students here now. Who never was one is not there."""
    _last_stays(connection, classroom_id, user_ids)
    here = (Enrolment.classroom_id == classroom_id, IS_STUDENT)
    return list(connection.scalars(select(Enrolment.user_id).where(*here, Enrolment.user_id.in_(user_ids))))


def _last_stays(connection: Connection, classroom_id: int, user_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """What is known of each; raises if one of them was no student here."""
    stays = select(Enrolment.user_id, *KEPT).where(Enrolment.classroom_id == classroom_id)
    stays = stays.where(Enrolment.user_id.in_(user_ids), Enrolment.role == Role.STUDENT).order_by(Enrolment.id)
    found = {row["user_id"]: dict(row) for row in connection.execute(stays).mappings()}
    if set(found) != set(user_ids):
        raise NotThere
    return found


def _end_stays(connection: Connection, classroom_id: int, user_ids: list[int]) -> None:
    end_stays(connection, classroom_id, user_ids)
    connection.execute(delete(LogInCode).where(LogInCode.user_id.in_(user_ids)))
    announce_change(connection)  # their streams end with their right to see what these tell of


def _enrol(connection: Connection, classroom_id: int, stays: Collection[dict[str, Any]]) -> None:
    take_seats(connection, classroom_id, len(stays))
    for stay in stays:
        enrol(connection, classroom_id, role=Role.STUDENT, **stay)
