"""Codes in place of passwords, for a lesson: one for each student, good once, for a quarter of an hour.

Six characters of 28 are 4.8 * 10^8 codes, and at each there are 50 tries from one network, 50 in a browser in which the
account was opened before, and 500 in all: the chance to guess one student's code is one in 960,000, one of a class of
thirty one in 32,000, and from one network ten times less. The hash is keyed with the secret of the site, which is in no
backup: else a code of 29 bits is found in seconds.
"""

import hashlib
import hmac
import re
import secrets
from datetime import timedelta
from typing import Any, cast

from flask import current_app
from sqlalchemy import Connection, delete, exists, insert, or_, select, update

from webapp.accounts.logging_in import TOO_MANY_HERE, WrongNameOrPassword
from webapp.accounts.models import KnownBrowser, User
from webapp.accounts.names import NAME
from webapp.accounts.services import SECOND_PRESS_WITHIN
from webapp.accounts.tokens import UNMISTAKABLE
from webapp.classrooms.enrolling import lock_classroom
from webapp.classrooms.models import Enrolment, LogInCode
from webapp.classrooms.queries import IS_PRESENT
from webapp.classrooms.student_accounts import Card
from webapp.classrooms.students import CAN_BE_RESET, resettable_students
from webapp.clock import now
from webapp.database import reading, writing
from webapp.errors import Refusal
from webapp.throttle import Limit, count_tries

GOOD_FOR = timedelta(minutes=15)
LENGTH = 6
TRIES, TRIES_FROM_ANYWHERE = 50, 500  # ten networks must guess before a right code is refused in another


class NobodyToLogIn(Refusal):
    status = 409
    title = "No codes"

    def __init__(self) -> None:
        super().__init__(
            "Codes are for accounts that were made for this classroom, and it has none. Add students first."
        )


def make_codes(classroom_id: int) -> list[Card]:
    """New ones for the whole class, to be shown once; the old ones end, and so do the guesses at them."""
    expires_at = now() + GOOD_FOR
    with writing() as connection:
        lock_classroom(connection, classroom_id)
        students = resettable_students(connection, classroom_id)
        if not students:
            raise NobodyToLogIn
        codes = {student.user_id: _new_code() for student in students}
        of_class = or_(LogInCode.classroom_id == classroom_id, LogInCode.user_id.in_(codes))
        connection.execute(delete(LogInCode).where(of_class))
        common = {"classroom_id": classroom_id, "expires_at": expires_at}
        rows = [{"user_id": user_id, "code_hash": _hash(user_id, code), **common} for user_id, code in codes.items()]
        connection.execute(insert(LogInCode), rows)
    return [
        Card(student.real_name, student.section, student.name, shown(codes[student.user_id])) for student in students
    ]


def _new_code() -> str:
    return "".join(secrets.choice(UNMISTAKABLE) for _ in range(LENGTH))


def shown(code: str) -> str:
    return f"{code[:3]}-{code[3:]}"


def _hash(user_id: int, code: str) -> str:
    key = cast(str, current_app.secret_key).encode()
    return hmac.new(key, f"log-in code {user_id} {code}".encode(), hashlib.sha256).hexdigest()


def use_code(name: str, typed: str, network: str, browser_hash: str, pressed_in: str) -> int | None:
    """Whose account the code opens now, and then never again. None for a name without a code: there is none to guess.

    Tries are counted for each code, never for a network alone: a class behind one address is not shut out together. A
    browser in which the account was opened before is counted by itself, as for passwords: so no classmate shuts it out.

    Pressed twice, the second press comes from the same session: it gets what the first one got.
    """
    if (right := _code_of(name, browser_hash)) is None:
        return None
    user_id, key = int(right.user_id), f"log-in code {right.code_hash}"
    here = browser_hash if right.is_known_browser else network
    count_tries(Limit(f"{key} {here}", TRIES, TOO_MANY_HERE), Limit(key, TRIES_FROM_ANYWHERE, TOO_MANY_HERE))
    _spend(user_id, re.sub(r"[\s-]", "", typed).lower(), pressed_in)
    return user_id


def _spend(user_id: int, code: str, pressed_in: str) -> None:
    moment = now()
    this = (LogInCode.user_id == user_id, LogInCode.code_hash == _hash(user_id, code))
    is_good = (LogInCode.used_at.is_(None), LogInCode.expires_at > moment)
    is_second_press = (LogInCode.used_in == pressed_in, LogInCode.used_at > moment - SECOND_PRESS_WITHIN)
    with writing() as connection:
        if not _may_log_in(connection, user_id):
            raise WrongNameOrPassword
        used = update(LogInCode).where(*this, *is_good).values(used_at=moment, used_in=pressed_in)
        before = select(LogInCode.user_id).where(*this, *is_second_press)
        if not connection.execute(used).rowcount and connection.scalar(before) is None:
            raise WrongNameOrPassword


def _code_of(name: str, browser_hash: str) -> Any:
    """One that a first press may have used a moment ago, at the very end of its time."""
    this_browser = exists().where(KnownBrowser.user_id == User.id, KnownBrowser.token_hash == browser_hash)
    columns = (LogInCode.user_id, LogInCode.code_hash, this_browser.label("is_known_browser"))
    theirs = select(*columns).join(User, User.id == LogInCode.user_id)
    may_be_good = LogInCode.expires_at > now() - SECOND_PRESS_WITHIN
    is_theirs = (User.name_key == name.lower(), User.deleted_at.is_(None), may_be_good)
    with reading() as connection:
        return connection.execute(theirs.where(*is_theirs)).one_or_none() if NAME.match(name) else None


def _may_log_in(connection: Connection, user_id: int) -> bool:
    """Who left the classroom, or was given a role anywhere, does not get in by a code from before."""
    stay = select(LogInCode.user_id).join(User, User.id == LogInCode.user_id)
    stay = stay.join(Enrolment, (Enrolment.user_id == User.id) & (Enrolment.classroom_id == LogInCode.classroom_id))
    return connection.scalar(stay.where(LogInCode.user_id == user_id, IS_PRESENT, CAN_BE_RESET)) is not None


def purge_codes() -> None:
    """Those whose time is over."""
    with writing() as connection:
        connection.execute(delete(LogInCode).where(LogInCode.expires_at <= now()))
