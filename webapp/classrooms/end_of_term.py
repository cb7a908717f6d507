"""The end of a classroom: take the names off it, or delete it. Knows no Flask request; each function is one unit."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, delete, exists, func, select, update
from sqlalchemy.orm import aliased

from webapp.accounts.locking import lock_all
from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.accounts.personal import holdings
from webapp.classrooms.enrolling import lock_classroom
from webapp.classrooms.models import Classroom, Enrolment, LogInCode
from webapp.classrooms.queries import IS_STUDENT
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import plain
from webapp.classrooms.services import archive_within
from webapp.database import announce_change, reading, writing
from webapp.errors import Refusal


class NotItsName(Refusal):
    status = 400

    def __init__(self, name: str) -> None:
        super().__init__(f"Nothing was deleted. To delete the classroom, type its name: {name}")


_elsewhere = aliased(Enrolment)


def _made_for(classroom_id: int) -> Sequence[ColumnElement[bool]]:
    """Accounts that were made from this classroom's roster and are nothing but students, and in no other classroom."""
    is_elsewhere = exists().where(
        _elsewhere.user_id == Enrolment.user_id,
        _elsewhere.removed_at.is_(None),
        (_elsewhere.classroom_id != classroom_id) | (_elsewhere.role != Role.STUDENT),
    )
    return (
        Enrolment.classroom_id == classroom_id,
        Enrolment.made_for_classroom.is_(True),
        ~is_elsewhere,
        User.password_hash.is_not(None),
        User.is_instructor.is_(False),
    )


def accounts_to_close(classroom_id: int) -> list[int]:
    with reading() as connection:
        return _accounts_to_close(connection, classroom_id)


def _accounts_to_close(connection: Connection, classroom_id: int) -> list[int]:
    made = select(User.id).join(Enrolment, Enrolment.user_id == User.id).where(*_made_for(classroom_id)).distinct()
    return list(connection.scalars(made.order_by(User.id)))


def anonymise(classroom_id: int) -> None:
    """Real names and what a school's file said of people are gone; the accounts made for the class are closed.

    The results stay under the user names, which tell nothing about a person. Nobody new can join.
    """
    with writing() as connection:
        _, accounts = _locked(connection, classroom_id)
        _close_accounts(connection, accounts)
        nothing = dict.fromkeys(("real_name", "external_id", "email", "section"), "")
        connection.execute(update(Enrolment).where(Enrolment.classroom_id == classroom_id).values(nothing))
        archive_within(connection, classroom_id)


def delete_classroom(classroom_id: int, typed_name: str) -> None:
    """With its lessons, questions, results and roster. Games and other people's accounts stay."""
    with writing() as connection:
        name, accounts = _locked(connection, classroom_id)
        if plain(typed_name) != plain(name):
            raise NotItsName(name)
        _close_accounts(connection, accounts)
        connection.execute(delete(Classroom).where(Classroom.id == classroom_id))
        announce_change(connection)


def _locked(connection: Connection, classroom_id: int) -> tuple[str, list[int]]:
    """The name of the classroom, and the accounts that are closed with it. People are locked before their sessions, and
    before the classroom: a page locks its user first, and so does the end of a game, which then counts it here.
    """
    lock_all(connection, _accounts_to_close(connection, classroom_id))
    name: str = lock_classroom(connection, classroom_id).name
    return name, _accounts_to_close(connection, classroom_id)


def _close_accounts(connection: Connection, user_ids: list[int]) -> None:
    """Nobody can log in to them any more, by password, code or school, nor play by their agents; open pages end."""
    for table in (UserSession, KnownBrowser, LogInCode):
        connection.execute(delete(table).where(table.user_id.in_(user_ids)))
    for holding in holdings():
        holding.close(connection, user_ids)
    closed = {"password_hash": None, "must_change_password": False}
    connection.execute(update(User).where(User.id.in_(user_ids)).values(closed))


def students_in(classroom_id: int) -> int:
    are_here = (Enrolment.classroom_id == classroom_id, IS_STUDENT)
    with reading() as connection:
        return connection.scalar(select(func.count()).select_from(Enrolment).where(*are_here)) or 0
