"""Accounts made for a classroom's roster, and new passwords for them. Knows no Flask request.

A password is hashed before the unit begins, never under the write lock. It is returned to be shown once.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from webapp.accounts.changing_passwords import write_password
from webapp.accounts.locking import lock_all
from webapp.accounts.models import User
from webapp.accounts.passwords import hash_passwords, one_time_password
from webapp.accounts.tokens import hash_of
from webapp.classrooms.corrections import complete_within
from webapp.classrooms.enrolling import check_still, lock_classroom
from webapp.classrooms.models import Enrolment, LogInCode
from webapp.classrooms.queries import ClassroomRecord
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import RosterRow
from webapp.classrooms.students import Student, checked_rows, resettable_students
from webapp.classrooms.user_names import new_user_names
from webapp.database import announce_change, reading, release_connection, writing
from webapp.errors import Refusal

TRIES = 5


class RosterHasProblems(Refusal):
    """A confirmation while something is wrong with a line: nothing is written."""

    status = 409


class NotResettable(Refusal):
    status = 403
    title = "No new password"

    def __init__(self) -> None:
        super().__init__(
            "You can give new passwords only to students whose account was made for this classroom, and who are no "
            "instructor or assistant anywhere. The others ask the person who runs this site."
        )


class Card(NamedTuple):
    """What a student needs to log in. It is shown once and kept nowhere."""

    real_name: str
    section: str
    name: str
    password: str


def add_students(
    classroom: ClassroomRecord, rows: Sequence[RosterRow], completing: Sequence[RosterRow] = ()
) -> list[Card]:  # fmt: skip
    """An account for each row, and what the list knows more of students here, all or none; raises if something is
    wrong with one line.
    """
    with reading() as connection:
        _refuse_problems(connection, classroom.id, rows)
    passwords, hashes = _new_passwords(len(rows))
    for _ in range(TRIES):
        names = new_user_names(len(rows))
        try:
            with writing() as connection:
                lock_classroom(connection, classroom.id)
                check_still(connection, classroom, Role.INSTRUCTOR)
                _refuse_problems(connection, classroom.id, rows)
                complete_within(connection, classroom.id, completing)
                _insert(connection, classroom.id, rows, names, hashes)
        except IntegrityError:  # one of the names is taken
            continue
        return [Card(row.name, row.section, *made) for row, *made in zip(rows, names, passwords, strict=True)]
    raise Refusal("No free user names were found. Try again.")


def _refuse_problems(connection: Connection, classroom_id: int, rows: Sequence[RosterRow]) -> None:
    count = sum(bool(one.problem) for one in checked_rows(connection, classroom_id, rows))
    if count or not rows:
        raise RosterHasProblems("Nothing was saved, because some lines have a problem.")


def _new_passwords(count: int) -> tuple[list[str], list[str]]:
    passwords = [one_time_password() for _ in range(count)]
    release_connection()
    return passwords, hash_passwords(passwords)


def _insert(
    connection: Connection, classroom_id: int, rows: Sequence[RosterRow], names: list[str], hashes: list[str]
) -> None:
    account = {"must_change_password": True, "may_change_name": True}
    keys = [{"name": name, "name_key": name, "password_hash": one} for name, one in zip(names, hashes, strict=True)]
    users = [key | account for key in keys]
    ids = connection.scalars(insert(User).returning(User.id, sort_by_parameter_order=True), users).all()
    stay = {"classroom_id": classroom_id, "role": Role.STUDENT, "made_for_classroom": True}
    stays = [_about(row) | stay | {"user_id": user_id} for user_id, row in zip(ids, rows, strict=True)]
    connection.execute(insert(Enrolment), stays)
    announce_change(connection)


def _about(row: RosterRow) -> dict[str, Any]:
    return {"real_name": row.name, "external_id": row.external_id, "email": row.email, "section": row.section}


def reset_passwords(classroom: ClassroomRecord, user_ids: Collection[int]) -> list[Card]:
    """New one-time passwords; the students' sessions end. For accounts made for this classroom only."""
    check_resettable(classroom.id, user_ids)
    passwords, hashes = _new_passwords(len(user_ids))
    with writing() as connection:
        lock_all(connection, user_ids)  # else they are locked one by one as they are written, by their real names
        lock_classroom(connection, classroom.id)
        check_still(connection, classroom, Role.ASSISTANT)
        students = _resettable(connection, classroom.id, user_ids)
        for student, hashed in zip(students, hashes, strict=True):
            write_password(connection, student.user_id, hashed, must_change=True)
        connection.execute(delete(LogInCode).where(LogInCode.user_id.in_(user_ids)))
    pairs = zip(students, passwords, strict=True)
    return [Card(student.real_name, student.section, student.name, password) for student, password in pairs]


def password_marks(user_ids: Collection[int]) -> list[str]:
    """One for each, another after each change of the password. A form carries them, so that sent again, as by a page
    that is loaded anew, it does not end what is on the cards. They tell nothing: each stored hash has a salt.
    """
    with reading() as connection:
        users = connection.execute(select(User.id, User.password_hash).where(User.id.in_(user_ids)).order_by(User.id))
        return [f"{user_id}.{hash_of(hashed or '')[:12]}" for user_id, hashed in users]


def check_resettable(classroom_id: int, user_ids: Collection[int]) -> None:
    with reading() as connection:
        _resettable(connection, classroom_id, user_ids)


def _resettable(connection: Connection, classroom_id: int, user_ids: Collection[int]) -> list[Student]:
    """These students; raises if one of them is not here, or their password is none of this classroom's business."""
    found = [one for one in resettable_students(connection, classroom_id) if one.user_id in user_ids]
    if not found or len(found) != len(user_ids):
        raise NotResettable
    return found
