"""What instructors do with classrooms. Knows no Flask request; each function is one unit of work."""

import secrets

from sqlalchemy import insert, update

from webapp.accounts.models import User
from webapp.accounts.queries import account_named
from webapp.classrooms.codes import new_join_code
from webapp.classrooms.enrolling import enrol
from webapp.classrooms.models import Classroom
from webapp.classrooms.roles import Role
from webapp.database import added_id, writing
from webapp.errors import NotThere, Refusal


class BadClassroomName(Refusal):
    """A name that a classroom cannot have."""


def make_instructor(name: str) -> int:
    """Whoever has this account may make classrooms from now on."""
    user_id = account_named(name)
    with writing() as connection:
        connection.execute(update(User).where(User.id == user_id).values(is_instructor=True))
    return user_id


def create_classroom(user_id: int, name: str, term: str = "") -> str:
    """An instructor makes a classroom and is its first instructor. Gives its public id."""
    row = {"public_id": _new_public_id(), "join_code": new_join_code(), **named(name, term)}
    with writing() as connection:
        is_instructor = (User.id == user_id, User.is_instructor, User.deleted_at.is_(None))
        # The update of nothing locks the row: who is deleted or no instructor any more makes no classroom.
        if not connection.execute(update(User).where(*is_instructor).values(is_instructor=True)).rowcount:
            raise NotThere
        classroom_id = added_id(connection, insert(Classroom).values(row))
        enrol(connection, classroom_id, user_id, Role.INSTRUCTOR)
    return str(row["public_id"])


def named(name: str, term: str) -> dict[str, str]:
    """A classroom's name and term as they are stored; says what is wrong with them."""
    name, term = (" ".join(text.split()) for text in (name, term))
    if not 1 <= len(name) <= 80 or not name.isprintable():
        raise BadClassroomName("A classroom needs a name of 1 to 80 characters, such as Informatics 7b.")
    if len(term) > 40 or not term.isprintable():
        raise BadClassroomName("The term has at most 40 characters, such as Autumn 2026. It can also stay empty.")
    return {"name": name, "term": term}


def _new_public_id() -> str:
    while not (public_id := secrets.token_urlsafe(9))[0].isalnum():
        pass
    return public_id
