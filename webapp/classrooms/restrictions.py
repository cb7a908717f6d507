"""What classrooms close to their students in games. Of several classrooms the strictest holds. Read only.

It is asked where a game begins or is looked at by others: never for a move.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from sqlalchemy import Executable, and_, func, select

from webapp.accounts.models import User
from webapp.classrooms.models import Classroom, Enrolment
from webapp.classrooms.queries import IS_PRESENT, IS_STUDENT
from webapp.classrooms.roles import Role
from webapp.database import among, reading
from webapp.games.permissions import Pair, Restriction
from webapp.prepared import Prepared
from webapp.tictactoe import LEVELS

RESPONSIBLE = func.coalesce(User.owner_id, User.id)  # an agent plays for its owner
BECAUSE = "Your instructor chose this for your classroom."
AGENTS_ARE_OFF = "Agents are switched off in a classroom of its owner. Its instructor can switch them on."


def _write_classrooms() -> Executable:
    stay = (Enrolment.user_id == RESPONSIBLE, IS_STUDENT)
    chosen = (
        Classroom.levels, Classroom.allows_coach, Classroom.only_members, Classroom.allows_watching,
        Classroom.allows_agents,
    )  # fmt: skip
    is_used = (Classroom.id == Enrolment.classroom_id, Classroom.archived_at.is_(None))
    return (
        select(User.id.label("user_id"), User.owner_id, Classroom.id, *chosen)
        .outerjoin(Enrolment, and_(*stay))
        .outerjoin(Classroom, and_(*is_used))
        .where(among(User.id, "people"))
    )


_CLASSROOMS = Prepared(_write_classrooms)


def _classrooms_of(people: Collection[int]) -> list[Any]:
    """Each of these people with the classrooms in use in which they are students. An agent is where its owner is.

    Whoever is in none has one row without a classroom, in which nothing is chosen.
    """
    with reading() as connection:
        return _CLASSROOMS.rows(connection, people=list(people))


def _closed_levels(user_id: int) -> set[str]:
    """An agent of a classroom without agents begins no game at all."""
    classrooms = [row for row in _classrooms_of([user_id]) if row.id is not None]
    if any(row.owner_id is not None and not row.allows_agents for row in classrooms):
        return set(LEVELS)
    allowed = [row.levels.split() for row in classrooms if row.levels is not None]
    return {level for level in LEVELS if any(level not in levels for levels in allowed)}


def _why(people: Collection[int]) -> str:
    """Where it is because one of them is an agent, which one of their classrooms does without."""
    rows = _classrooms_of(people)
    if any(row.owner_id is not None for row in rows) and any(row.allows_agents is False for row in rows):
        return "Agents are switched off in a classroom of one of you." if len(people) > 1 else AGENTS_ARE_OFF
    return ""


def _is_coach_closed(user_id: int) -> bool:
    return any(row.allows_coach is False for row in _classrooms_of([user_id]))


def _apart(pairs: Collection[Pair]) -> set[Pair]:
    """Whoever is in a classroom that plays among itself, and whoever is not in it; agents, and whoever is in a
    classroom without them.
    """
    people = {person for pair in pairs for person in pair if person is not None}
    rows = _classrooms_of(people)
    agents = {row.user_id for row in rows if row.owner_id is not None}
    without_agents = {row.user_id for row in rows if row.allows_agents is False}
    closed = _by_person([row for row in rows if row.only_members])
    inside = _members({classroom for classrooms in closed.values() for classroom in classrooms}, people)

    def are_apart(one: int | None, other: int | None) -> bool:
        if one in without_agents and (one in agents or other in agents):
            return True
        return any((classroom, other) not in inside for classroom in closed.get(one or 0, ()))

    return {pair for pair in pairs if are_apart(*pair) or are_apart(*reversed(pair))}


def _unwatched(pairs: Collection[Pair]) -> set[Pair]:
    """The games of a classroom that is not watched are seen by its instructors and assistants besides the players."""
    players = {player for _, player in pairs}
    closed = _by_person([row for row in _classrooms_of(players) if row.allows_watching is False])
    viewers = {viewer for viewer, _ in pairs if viewer is not None}
    staff = _members({classroom for classrooms in closed.values() for classroom in classrooms}, viewers, Role.ASSISTANT)
    return {
        (viewer, player)
        for viewer, player in pairs
        if any((classroom, viewer) not in staff for classroom in closed.get(player, ()))
    }


def _outsiders(pairs: Collection[tuple[int, int | None]]) -> set[tuple[int, int | None]]:
    people = {person for _, person in pairs if person is not None}
    return set(pairs) - _members({classroom for classroom, _ in pairs}, people)


def _by_person(rows: list[Any]) -> dict[int, list[int]]:
    classrooms: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        classrooms[row.user_id].append(row.id)
    return classrooms


_MEMBERS = Prepared(
    lambda: (
        select(Enrolment.classroom_id, Enrolment.role, User.id)
        .join(User, Enrolment.user_id == RESPONSIBLE)
        .where(among(Enrolment.classroom_id, "classrooms"), among(User.id, "people"), IS_PRESENT)
    )
)


def _members(classrooms: set[int], people: set[int], at_least: Role = Role.STUDENT) -> set[tuple[int, int | None]]:
    if not classrooms or not people:
        return set()
    with reading() as connection:
        members = _MEMBERS.rows(connection, classrooms=list(classrooms), people=list(people))
    return {(row.classroom_id, row.id) for row in members if row.role in at_least.and_above}


RESTRICTION = Restriction(
    BECAUSE,
    why=_why,
    closed_levels=_closed_levels,
    is_coach_closed=_is_coach_closed,
    apart=_apart,
    unwatched=_unwatched,
    outsiders=_outsiders,
)
