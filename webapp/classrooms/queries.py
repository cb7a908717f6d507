"""Questions about classrooms. Read only. Who may see a classroom is decided here, where it is loaded."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, exists, func, select

from webapp.accounts.models import Presence, User
from webapp.accounts.presence import is_here
from webapp.classrooms.models import LESSON_LASTS, Classroom, Enrolment, Lesson
from webapp.classrooms.real_names import by_last_name
from webapp.classrooms.roles import Role
from webapp.clock import now
from webapp.database import reading
from webapp.errors import NotThere
from webapp.games.models import Game
from webapp.prepared import Prepared

IS_PRESENT = Enrolment.removed_at.is_(None)
IS_STUDENT = IS_PRESENT & (Enrolment.role == Role.STUDENT)


def lesson_goes_on(began_since: Any = None) -> ColumnElement[bool]:
    """Nobody has ended it, nor has it ended by its time. A `Prepared` gives that as a parameter."""
    since = now() - LESSON_LASTS if began_since is None else began_since
    return Lesson.ended_at.is_(None) & (Lesson.began_at > since)


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
    allows_agents: bool
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


def _classrooms(user_id: Any, *conditions: ColumnElement[bool]) -> Select[Any]:
    return (
        select(*Classroom.__table__.columns, Enrolment.role, Enrolment.user_id)
        .join(Enrolment, Enrolment.classroom_id == Classroom.id)
        .where(Enrolment.user_id == user_id, IS_PRESENT, *conditions)
    )


class NoLongerIn(NotThere):
    """For who was in it once, and so knows that it is there: nothing else of it is told."""

    title = "You are no longer in this classroom"

    def __init__(self) -> None:
        super().__init__(
            "You left it, or an instructor removed you or moved you to another one. Your account and your games stay "
            "yours. If this is a mistake, ask your instructor to bring you back."
        )


def classroom_for(public_id: str, user_id: int | None, at_least: Role = Role.STUDENT) -> ClassroomRecord:
    """The one way to a classroom: for who is in it now and is at least this. For everybody else it is not there."""
    may_see = (Classroom.public_id == public_id, Enrolment.role.in_(at_least.and_above))
    with reading() as connection:
        # PostgreSQL refuses some characters with an error, so it is asked only for what can be an id.
        can_be = user_id is not None and public_id.isascii() and public_id.isprintable()
        row = connection.execute(_classrooms(user_id or 0, *may_see)).one_or_none() if can_be else None
    if row is None:
        raise NoLongerIn if can_be and _has_left(public_id, user_id or 0) else NotThere
    return ClassroomRecord(**row._mapping)


def _has_left(public_id: str, user_id: int) -> bool:
    """Was in it once and is not now."""
    stays = select(Enrolment.removed_at).join(Classroom, Enrolment.classroom_id == Classroom.id)
    with reading() as connection:
        ends = connection.scalars(stays.where(Classroom.public_id == public_id, Enrolment.user_id == user_id)).all()
    return bool(ends) and None not in ends


def is_without_agents(owner_id: Any) -> ColumnElement[bool]:
    """Whether this user is a student of a classroom in use in which agents are switched off."""
    stays = (Enrolment.user_id == owner_id, IS_STUDENT)
    is_closed = (Classroom.archived_at.is_(None), Classroom.allows_agents.is_(False))
    return exists().where(*stays, Classroom.id == Enrolment.classroom_id, *is_closed)


def rooms_without_agents(user_id: int) -> list[str]:
    """The names of the classrooms because of which this user's agents play nobody."""
    return [
        classroom.name
        for classroom in classrooms_of(user_id)
        if classroom.role is Role.STUDENT and not classroom.is_archived and not classroom.allows_agents
    ]


_ALL_OF = Prepared(
    _classrooms(bindparam("user_id")).order_by(Classroom.archived_at.is_not(None), Classroom.id.desc())
)


def classrooms_of(user_id: int) -> list[ClassroomRecord]:
    """All that somebody is in, the newest first and the archived ones last. Each log-in asks it."""
    with reading() as connection:
        return [ClassroomRecord(**row._asdict()) for row in _ALL_OF.rows(connection, user_id=user_id)]


def classroom_of_game(game: str, user_id: int) -> str | None:
    """The classroom in which a game was begun, for who is in it still. Public ids both."""
    of_game = _classrooms(user_id, Game.public_id == game).join(Game, Game.classroom_id == Classroom.id)
    can_be = game.isascii() and game.isprintable()
    with reading() as connection:
        return connection.scalar(of_game.with_only_columns(Classroom.public_id)) if can_be else None


def first_page(user_id: int) -> str:
    """Where a member begins after log-in, as accounts/destinations.py names it: in the one classroom, or at a list."""
    classrooms = [classroom for classroom in classrooms_of(user_id) if not classroom.is_archived]
    if not classrooms:
        return ""
    return f"classrooms.show/{classrooms[0].public_id}" if len(classrooms) == 1 else "classrooms.all"


def classroom_by_code(code: str) -> Any:
    """For who has the code: its id, name, term and seats, and whether it lets people in. None if none has the code."""
    known = (Classroom.id, Classroom.public_id, Classroom.name, Classroom.term)
    columns = (*known, Classroom.join_code, Classroom.seat_limit)
    is_open = Classroom.join_is_open & Classroom.archived_at.is_(None)
    with reading() as connection:
        return connection.execute(
            select(*columns, is_open.label("is_open")).where(Classroom.join_code == code)
        ).one_or_none()


@dataclass(frozen=True)
class Member:
    """Somebody in a classroom as its staff knows them. Others are shown the name only."""

    user_id: int
    name: str
    real_name: str
    role: Role
    joined_at: datetime
    seen_at: datetime | None

    @property
    def is_here(self) -> bool:
        return is_here(self.seen_at)


def members_of(classroom_id: int) -> list[Member]:
    """All who are in it now, by name: one statement, bounded by the class."""
    columns = (Enrolment.user_id, User.name, Enrolment.real_name, Enrolment.role, Enrolment.joined_at, Presence.seen_at)
    members = (
        select(*columns)
        .join(Enrolment, Enrolment.user_id == User.id)
        .outerjoin(Presence, Presence.user_id == User.id)
        .where(Enrolment.classroom_id == classroom_id, IS_PRESENT, User.deleted_at.is_(None))
    )
    with reading() as connection:
        found = [Member(**row._mapping) for row in connection.execute(members)]
    return sorted(found, key=lambda member: by_last_name(member.real_name or member.name))


@dataclass(frozen=True)
class Steps:
    """What a host does in order until the class plays; each is told by what is there, not by what was pressed."""

    has_students: bool
    has_visitors: bool  # most students have found the site: one alone may be a try of the instructor's
    has_lesson: bool

    @property
    def are_done(self) -> bool:
        return self.has_students and self.has_lesson


def steps_of(classroom: ClassroomRecord, members: list[Member]) -> Steps:
    students = [member for member in members if member.role is Role.STUDENT]
    seen = sum(member.seen_at is not None for member in students)
    with reading() as connection:
        has_lesson = connection.scalar(select(exists().where(Lesson.classroom_id == classroom.id))) is True
    return Steps(bool(students), seen > 1 and 2 * seen >= len(students), has_lesson)


def counts_of(classroom_ids: list[int]) -> dict[int, int]:
    """How many students are in each: one statement."""
    students = select(Enrolment.classroom_id, func.count()).where(Enrolment.classroom_id.in_(classroom_ids), IS_STUDENT)
    with reading() as connection:
        return dict(connection.execute(students.group_by(Enrolment.classroom_id)).all())
