"""What classrooms close to their students in games. Of several classrooms the strictest holds. Read only.

It is asked where a game begins or is looked at by others: never for a move.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, select

from webapp.classrooms.models import Classroom, Enrolment
from webapp.classrooms.queries import IS_PRESENT
from webapp.classrooms.roles import Role
from webapp.database import reading
from webapp.games.permissions import Pair, Restriction
from webapp.tictactoe import LEVELS

BECAUSE = "Your instructor chose this for your classroom."


def _classrooms_where(*conditions: ColumnElement[bool]) -> list[Any]:
    """The stays of students in classrooms that are in use."""
    stays = (
        select(Enrolment.user_id, Classroom.id, Classroom.levels, Classroom.allows_coach)
        .join(Classroom, Classroom.id == Enrolment.classroom_id)
        .where(IS_PRESENT, Enrolment.role == Role.STUDENT, Classroom.archived_at.is_(None), *conditions)
    )
    with reading() as connection:
        return list(connection.execute(stays))


def _closed_levels(user_id: int) -> set[str]:
    rows = _classrooms_where(Enrolment.user_id == user_id, Classroom.levels.is_not(None))
    return {level for row in rows for level in LEVELS if level not in row.levels.split()}


def _is_coach_closed(user_id: int) -> bool:
    return bool(_classrooms_where(Enrolment.user_id == user_id, Classroom.allows_coach.is_(False)))


def _apart(pairs: Collection[Pair]) -> set[Pair]:
    """Whoever is in a classroom that plays among itself, and whoever is not in it."""
    people = {person for pair in pairs for person in pair if person is not None}
    closed = _by_person(_classrooms_where(Enrolment.user_id.in_(people), Classroom.only_members.is_(True)))
    inside = _members({room for rooms in closed.values() for room in rooms}, people)

    def are_apart(one: int | None, other: int | None) -> bool:
        return any((room, other) not in inside for room in closed.get(one or 0, ()))

    return {pair for pair in pairs if are_apart(*pair) or are_apart(*reversed(pair))}


def _unwatched(pairs: Collection[Pair]) -> set[Pair]:
    """The games of a classroom that is not watched are seen by its instructors and assistants besides the players."""
    players = {player for _, player in pairs}
    closed = _by_person(_classrooms_where(Enrolment.user_id.in_(players), Classroom.allows_watching.is_(False)))
    viewers = {viewer for viewer, _ in pairs if viewer is not None}
    staff = _members({room for rooms in closed.values() for room in rooms}, viewers, Role.ASSISTANT)
    return {
        (viewer, player)
        for viewer, player in pairs
        if any((room, viewer) not in staff for room in closed.get(player, ()))
    }


def _by_person(rows: list[Any]) -> dict[int, list[int]]:
    rooms: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        rooms[row.user_id].append(row.id)
    return rooms


def _members(rooms: set[int], people: set[int], at_least: Role = Role.STUDENT) -> set[tuple[int, int | None]]:
    if not rooms:
        return set()
    members = select(Enrolment.classroom_id, Enrolment.user_id).where(
        Enrolment.classroom_id.in_(rooms), Enrolment.user_id.in_(people), IS_PRESENT,
        Enrolment.role.in_(at_least.and_above),
    )  # fmt: skip
    with reading() as connection:
        return {(row.classroom_id, row.user_id) for row in connection.execute(members)}


RESTRICTION = Restriction(
    BECAUSE,
    closed_levels=_closed_levels,
    is_coach_closed=_is_coach_closed,
    apart=_apart,
    unwatched=_unwatched,
)
