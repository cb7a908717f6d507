"""Accounts: made, named, and confirmed by their password. Knows no Flask request; each function is one unit of work."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from webapp.accounts.models import User
from webapp.accounts.names import NAME, NameTaken, check_name
from webapp.accounts.passwords import as_on_card, check_password, hash_password, is_right_password
from webapp.clock import now
from webapp.database import added_id, reading, release_connection, writing
from webapp.errors import Refusal, SeveralRefusals
from webapp.throttle import Limit, check_count, count_tries, count_within, forget_tries

SECOND_PRESS_WITHIN = timedelta(minutes=1)
AlsoDo = Callable[[Connection, int], None]  # with the id of the new account


class WrongPassword(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__("This is not your current password. Try again.")


class NameIsFixed(Refusal):
    status = 409

    def __init__(self) -> None:
        super().__init__("Your user name can be changed only once, and only if the site chose it for you.")


class VerifiedAccount(NamedTuple):
    """An account, and the hash that its password was compared with: a session begins only while it stands.

    When it begins, the tries under `tries_key` are forgotten. Opened `by_code`, nobody is asked for a password.
    """

    user_id: int
    password_hash: str | None
    tries_key: str | None = None
    by_code: bool = False


def add_guest(connection: Connection) -> int:
    """A row without name or password, so that somebody can play before they decide to stay."""
    return added_id(connection, insert(User).values(name=None))


def nothing_else(_connection: Connection, _user_id: int) -> None:
    """What is also done by most who sign up."""


def sign_up(
    name: str, password: str | None, guest_id: int | None = None, must_change: bool = False,
    limit: Limit | None = None, also: AlsoDo = nothing_else,
) -> VerifiedAccount:  # fmt: skip
    """Make an account; a guest's own row becomes it, games and all. The limit counts accounts, not tries.

    Without a password it is opened in another way, which `also` writes down.

    What the account is made for is done in the same unit: if `also` refuses, there is no account either.
    """
    _check_sign_up(name, password)
    if limit is not None:
        check_count(limit)
    release_connection()
    password_hash = None if password is None else hash_password(password)
    account: dict[str, Any] = {"name": name, "name_key": name.lower(), "password_hash": password_hash}
    account |= {"must_change_password": must_change, "created_at": now()}  # of a guest's row too: it is an account now
    try:
        with writing() as connection:
            if limit is not None:
                count_within(connection, limit)
            user_id = _turn_guest_into(connection, guest_id, account)
            user_id = user_id or added_id(connection, insert(User).values(account))
            also(connection, user_id)
    except IntegrityError:
        raise NameTaken from None
    return VerifiedAccount(user_id, password_hash)


def _check_sign_up(name: str, password: str | None) -> None:
    """Says all that is wrong, not only the first of it."""
    wrong: list[Refusal] = []
    checks = [partial(check_name, name), partial(_check_is_free, name)]
    if password is not None:
        checks.append(partial(check_password, password, name))
    for check in checks:
        try:
            check()
        except Refusal as refusal:
            wrong.append(refusal)
    if wrong:
        raise wrong[0] if len(wrong) == 1 else SeveralRefusals(wrong)


def _check_is_free(name: str) -> None:
    """Before the slow hash. Whether it still is then, the database decides."""
    with reading() as connection:
        if NAME.match(name) and connection.scalar(select(exists().where(User.name_key == name.lower()))):
            raise NameTaken


def was_made_just_now(name: str) -> bool:
    is_new = (User.name_key == name.lower(), User.created_at > now() - SECOND_PRESS_WITHIN)
    with reading() as connection:
        return connection.scalar(select(exists().where(*is_new))) is True


def _turn_guest_into(connection: Connection, guest_id: int | None, account: dict[str, Any]) -> int | None:
    """None if there is no such guest any more: somebody else signed up from it, or it was purged."""
    if guest_id is None:
        return None
    is_guest = (User.id == guest_id, User.name_key.is_(None), User.deleted_at.is_(None))
    return guest_id if connection.execute(update(User).where(*is_guest).values(account)).rowcount else None


def confirm_password(user_id: int, password: str, limit: int) -> str:
    """Before something that cannot be taken back: a browser left open is not enough. Gives the hash that fits."""
    key = f"confirm {user_id}"
    count_tries(Limit(key, limit, "Too many tries with a wrong password."))
    with reading() as connection:
        about = select(User.password_hash, User.must_change_password).where(User.id == user_id)
        password_hash, is_one_time = connection.execute(about).one_or_none() or (None, False)
    release_connection()
    if not is_right_password(as_on_card(password) if is_one_time else password, password_hash) or password_hash is None:
        raise WrongPassword
    with writing() as connection:
        forget_tries(connection, key)
    return str(password_hash)


def change_name(user_id: int, name: str) -> None:
    """Once, for who was given a name by the site. The old one is never given again: what is left of it is a row like
    that of a deleted account.
    """
    check_name(name)
    may_change = (User.id == user_id, User.may_change_name, User.deleted_at.is_(None))
    values = {"name": name, "name_key": name.lower(), "may_change_name": False}
    try:
        with writing() as connection:
            old = connection.scalar(select(User.name_key).where(*may_change).with_for_update())
            if old is None:
                raise NameIsFixed
            connection.execute(update(User).where(User.id == user_id).values(values))
            if old != name.lower():
                connection.execute(insert(User).values(name_key=old, deleted_at=now()))
    except IntegrityError:
        raise NameTaken from None
