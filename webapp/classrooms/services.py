"""What instructors do with classrooms. Knows no Flask request; each function is one unit of work."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, exists, insert, select, update
from sqlalchemy.orm import aliased

from webapp.accounts.models import User
from webapp.accounts.queries import account_named, person_named
from webapp.classrooms.codes import new_join_code
from webapp.classrooms.departures import after_departure
from webapp.classrooms.enrolling import end_stays, enrol, is_enrolled, lock_classroom, lock_people, take_seats
from webapp.classrooms.lessons import end_within
from webapp.classrooms.models import Classroom, Enrolment
from webapp.classrooms.personal import LastInstructor
from webapp.classrooms.queries import IS_PRESENT, IS_STUDENT, ClassroomRecord
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import plain
from webapp.classrooms.roster_problems import has_unseen_character, is_name, problem_of_field
from webapp.clock import now
from webapp.database import added_id, announce_change, writing
from webapp.errors import NotThere, Refusal
from webapp.games.services import new_public_id


class BadClassroomName(Refusal):
    """A name that a classroom cannot have, or a term."""

    def __init__(self, sentence: str, field: str = "name") -> None:
        super().__init__(sentence)
        self.field = field


class LastSiteInstructor(Refusal):
    status = 409
    title = "The last instructor"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is the only instructor of this site. Make somebody else an instructor first.")


class OthersStudent(Refusal):
    """With a role, new passwords and codes reach the account no more, and its class would miss them."""

    status = 403
    title = "No role"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The account {name} was made for a class that you do not lead, so you can give it no role. Ask this "
            "person for the name of an account that they made themselves."
        )


class JoiningClosed(Refusal):
    status = 409
    title = "Joining is closed"

    def __init__(self) -> None:
        super().__init__("Nobody can join this classroom now. Ask your instructor to open it.")


def make_instructor(name: str, asked_by: int | None = None) -> int:
    """Whoever has this account may make classrooms from now on. Without `asked_by` it is the host who asks."""
    user_id = person_named(name)
    with writing() as connection:
        if asked_by is not None:
            lock_people(connection, [user_id])
            _refuse_others_student(connection, user_id, name, asked_by)
        is_there = (User.id == user_id, User.deleted_at.is_(None))
        if not connection.execute(update(User).where(*is_there).values(is_instructor=True)).rowcount:
            raise NotThere
    return user_id


def remove_instructor(name: str) -> None:
    """They make no classrooms any more. Those that they lead stay theirs: the real names there are nobody else's."""
    user_id = person_named(name)
    with writing() as connection:
        is_instructor = (User.is_instructor, User.deleted_at.is_(None))
        # In the order of accounts/locking.py, which a lock on somebody else after these would break.
        locked = select(User.id).where(*is_instructor).order_by(User.id).with_for_update(key_share=True)
        instructors = connection.scalars(locked).all()
        if user_id not in instructors:
            return
        if len(instructors) == 1:
            raise LastSiteInstructor(name)
        connection.execute(update(User).where(User.id == user_id).values(is_instructor=False))


def create_classroom(user_id: int, name: str, term: str = "", public_id: str = "", **settings: Any) -> str:
    """An instructor makes a classroom and is its first instructor. Gives its public id.

    The page chooses it, so that two presses make one classroom; without one it is chosen here.
    """
    row = {"public_id": public_id or new_public_id(), "join_code": new_join_code(), **named(name, term), **settings}
    with writing() as connection:
        is_instructor = (User.id == user_id, User.is_instructor, User.deleted_at.is_(None))
        # The update of nothing locks the row: who is deleted or no instructor any more makes no classroom.
        if not connection.execute(update(User).where(*is_instructor).values(is_instructor=True)).rowcount:
            raise NotThere
        holders = _instructors(connection, row["public_id"])
        if user_id in holders:
            return str(row["public_id"])
        row["public_id"] = new_public_id() if holders else row["public_id"]
        classroom_id = added_id(connection, insert(Classroom).values(row))
        enrol(connection, classroom_id, user_id, Role.INSTRUCTOR)
    return str(row["public_id"])


def _instructors(connection: Connection, public_id: str) -> Sequence[int]:
    is_theirs = (Classroom.public_id == public_id, Enrolment.role == Role.INSTRUCTOR)
    holders = select(Enrolment.user_id).join(Classroom, Classroom.id == Enrolment.classroom_id).where(*is_theirs)
    return connection.scalars(holders.order_by(Enrolment.id)).all()


def duplicate(classroom: ClassroomRecord, public_id: str = "") -> str:
    """For a parallel group: the same settings, nobody in it but who makes it."""
    switches = ("only_members", "allows_watching", "allows_coach", "allows_agents", "has_leaderboard")
    kept = (*switches, "levels", "seat_limit")
    values = {field: getattr(classroom, field) for field in kept}
    name = f"{classroom.name[:73]} (copy)"
    return create_classroom(classroom.user_id, name, classroom.term, public_id, **values)


def named(name: str, term: str) -> dict[str, str]:
    """A classroom's name and term as they are stored; says what is wrong with them."""
    name, term = plain(name), plain(term)
    if not 1 <= len(name) <= 80 or has_unseen_character(name) or not any(map(str.isprintable, name)):
        raise BadClassroomName("A classroom needs a name of 1 to 80 characters, such as Informatics 7b.")
    if len(term) > 40 or has_unseen_character(term):
        sentence = "The term has at most 40 characters, such as Autumn 2026. It can also stay empty."
        raise BadClassroomName(sentence, "term")
    return {"name": name, "term": term}


def change(classroom: ClassroomRecord, **values: Any) -> None:
    with writing() as connection:
        announce_change(connection)  # what members may do and see may be another thing now
        connection.execute(update(Classroom).where(Classroom.id == classroom.id).values(values))


def archive(classroom: ClassroomRecord) -> None:
    """A lesson that goes on ends, and the question that the class is asked in it."""
    with writing() as connection:
        lock_classroom(connection, classroom.id)
        archive_within(connection, classroom.id)


def archive_within(connection: Connection, classroom_id: int) -> None:
    """With the classroom locked."""
    end_within(connection, classroom_id)
    is_in_use = (Classroom.id == classroom_id, Classroom.archived_at.is_(None))
    connection.execute(update(Classroom).where(*is_in_use).values(archived_at=now(), join_is_open=False))
    announce_change(connection)


def bring_back(classroom: ClassroomRecord) -> None:
    change(classroom, archived_at=None)


def change_join_code(classroom: ClassroomRecord) -> str:
    """The old one opens nothing from now on. Gives the new one."""
    code = new_join_code()
    change(classroom, join_code=code, join_is_open=True)
    return code


# Who comes in


def join(classroom: Any, user_id: int, real_name: str = "") -> None:
    """By the code. Who is in already stays what they are."""
    with writing() as connection:
        join_within(connection, classroom.id, classroom.join_code, user_id, real_name)


def join_within(connection: Connection, classroom_id: int, code: str, user_id: int, real_name: str) -> None:
    """In a unit that writes, perhaps the one that makes the account."""
    lock_people(connection, [user_id])
    classroom = lock_classroom(connection, classroom_id)
    if is_enrolled(connection, classroom_id, user_id):
        return
    if not classroom.join_is_open or classroom.archived_at is not None or classroom.join_code != code:
        raise JoiningClosed
    take_seats(connection, classroom_id, 1)
    about = _known_before(connection, classroom_id, user_id) | ({"real_name": real_name} if real_name else {})
    enrol(connection, classroom_id, user_id, **about)
    announce_change(connection)


def _known_before(connection: Connection, classroom_id: int, user_id: int) -> dict[str, Any]:
    """Who was in the classroom once is known by the same names, but for what they type now."""
    columns = (Enrolment.real_name, Enrolment.external_id, Enrolment.email, Enrolment.section,
               Enrolment.made_for_classroom, Enrolment.on_leaderboard)  # fmt: skip
    stay = select(*columns).where(Enrolment.classroom_id == classroom_id, Enrolment.user_id == user_id)
    row = connection.execute(stay.order_by(Enrolment.id.desc()).limit(1)).mappings().one_or_none()
    return dict(row) if row else {}


def full_name(typed: str) -> str:
    """As it is stored, and refused for what a roster's is. Only a classroom's staff sees it."""
    name = plain(typed)
    if problem := problem_of_field("name", name):
        raise BadFullName(problem)
    return name if is_name(name) else ""


class BadFullName(Refusal):
    """A name of a person that cannot be stored."""


# Who teaches


def add_staff(classroom: ClassroomRecord, name: str, role: Role) -> str:
    """Somebody with an account becomes an instructor or assistant here. Gives their name.

    Who is a student until then ends that stay: what they played counts as it did, and they can be brought back to it.
    """
    user_id = person_named(name)
    with writing() as connection:
        lock_people(connection, [user_id])
        lock_classroom(connection, classroom.id)
        _refuse_others_student(connection, user_id, name, classroom.user_id)
        _keep_an_instructor(connection, classroom, user_id, role)
        stay = (Enrolment.classroom_id == classroom.id, Enrolment.user_id == user_id, IS_PRESENT)
        connection.execute(update(Enrolment).where(*stay, Enrolment.role == Role.STUDENT).values(removed_at=now()))
        if not connection.execute(update(Enrolment).where(*stay).values(role=role)).rowcount:
            enrol(connection, classroom.id, user_id, role, **_known_before(connection, classroom.id, user_id))
        announce_change(connection)
    return name


def _refuse_others_student(connection: Connection, user_id: int, name: str, asked_by: int) -> None:
    led = aliased(Enrolment)
    asked_by_leads = exists().where(
        led.classroom_id == Enrolment.classroom_id, led.user_id == asked_by,
        led.role == Role.INSTRUCTOR, led.removed_at.is_(None),
    )  # fmt: skip
    made_for = (Enrolment.user_id == user_id, IS_STUDENT, Enrolment.made_for_classroom)
    if connection.scalar(select(Enrolment.id).where(*made_for, ~asked_by_leads).limit(1)):
        raise OthersStudent(name)


def remove_staff(classroom: ClassroomRecord, name: str) -> int:
    """An instructor or assistant leaves, or is removed by an instructor; the last instructor stays."""
    user_id = account_named(name)
    with writing() as connection:
        lock_people(connection, [user_id])
        lock_classroom(connection, classroom.id)
        _keep_an_instructor(connection, classroom, user_id)
        is_staff = (Enrolment.user_id == user_id, Enrolment.role != Role.STUDENT, IS_PRESENT)
        if not connection.scalar(select(Enrolment.id).where(Enrolment.classroom_id == classroom.id, *is_staff)):
            raise NotThere
        end_stays(connection, classroom.id, [user_id])
        announce_change(connection)
    after_departure(classroom.id, [user_id])
    return user_id


def _keep_an_instructor(
    connection: Connection, classroom: ClassroomRecord, user_id: int, role: Role = Role.STUDENT
) -> None:
    """With the classroom locked: two who leave at once leave one after the other."""
    present = (Enrolment.classroom_id == classroom.id, Enrolment.role == Role.INSTRUCTOR, IS_PRESENT)
    theirs = select(Enrolment.user_id).join(User, User.id == Enrolment.user_id).where(*present)
    instructors = connection.scalars(theirs.where(User.deleted_at.is_(None))).all()
    if list(instructors) == [user_id] and role is not Role.INSTRUCTOR:
        raise LastInstructor(classroom.name)


