"""A new password: changed, chosen in place of a one-time one, or reset. Knows no Flask request."""

from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, Exists, delete, exists, select, update

from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.accounts.passwords import (
    BadPassword,
    as_on_card,
    check_password,
    hash_password,
    is_right_password,
    one_time_password,
)
from webapp.accounts.personal import holdings
from webapp.accounts.services import VerifiedAccount, WrongPassword, confirm_password
from webapp.clock import now
from webapp.database import announce_change, reading, release_connection, writing
from webapp.errors import NotThere
from webapp.throttle import Limit, count_tries

LOGGED_IN_JUST_NOW = timedelta(minutes=15)  # a browser left open for longer does not choose a password


def change_password(user_id: int, name: str, present: str, new: str, limit: int) -> VerifiedAccount:
    """A new password; every session of the account ends with the old one, and every browser is forgotten."""
    confirmed = confirm_password(user_id, present, limit)
    check_password(new, name)
    if new == present:
        raise BadPassword("You have this password already. Choose another one.")
    changed = _set_password(new, False, User.id == user_id, User.password_hash == confirmed)
    if changed is None:  # somebody else changed it while this was under way
        raise WrongPassword
    return changed


def choose_password(user_id: int, name: str, session_id: int | None, new: str, limit: int) -> VerifiedAccount:
    """In place of a one-time password, by who logged in with it a moment ago: it is not asked for again."""
    check_password(new, name)
    count_tries(Limit(f"choose {user_id}", limit, "Too many tries to choose a password."))
    with reading() as connection:
        one_time: str | None = connection.scalar(select(User.password_hash).where(User.id == user_id))
    release_connection()
    if is_right_password(as_on_card(new), one_time):
        raise BadPassword("This is the one-time password. Choose one of your own.")
    password_hash = hash_password(new)
    with writing() as connection:
        still = select(User.id).where(User.id == user_id, User.password_hash == one_time, User.must_change_password)
        is_there = connection.scalar(still.with_for_update()) is not None
        # A statement of its own: whoever gave out another password meanwhile has ended this session.
        if not is_there or connection.scalar(select(_began_just_now(session_id, user_id))) is not True:
            raise WrongPassword
        write_password(connection, user_id, password_hash, must_change=False)
    return VerifiedAccount(user_id, password_hash)


def _began_just_now(session_id: int | None, user_id: int) -> Exists:
    began_since = UserSession.created_at > now() - LOGGED_IN_JUST_NOW
    return exists().where(UserSession.id == session_id, UserSession.user_id == user_id, began_since)


def is_logged_in_just_now(session_id: int | None, user_id: int) -> bool:
    with reading() as connection:
        return connection.scalar(select(_began_just_now(session_id, user_id))) is True


def reset_password(name: str) -> str:
    """A one-time password for somebody who forgot theirs: it must be changed after the next log-in."""
    password = one_time_password()
    if not _set_password(password, True, User.name_key == name.lower()):
        raise NotThere(f"There is no account with the name {name}.")
    return password


def _set_password(password: str, must_change: bool, *who: ColumnElement[bool]) -> VerifiedAccount | None:
    password_hash = hash_password(password)
    account = (User.deleted_at.is_(None), User.name_key.is_not(None), User.owner_id.is_(None))  # an agent has none
    with writing() as connection:
        user_id = connection.scalar(select(User.id).where(*who, *account).with_for_update())
        if user_id is None:
            return None
        write_password(connection, user_id, password_hash, must_change)
    return VerifiedAccount(user_id, password_hash)


def write_password(connection: Connection, user_id: int, password_hash: str, must_change: bool) -> None:
    """Within a unit that writes: with the old password every session of the account ends. With a one-time one nothing
    else opens it either: whoever had found out the old one may have joined a school account of their own to it.
    """
    values = {"password_hash": password_hash, "must_change_password": must_change}
    connection.execute(update(User).where(User.id == user_id).values(values))
    others = [table for holding in holdings() for table in holding.opens] if must_change else []
    for table in (UserSession, KnownBrowser, *others):
        connection.execute(delete(table).where(table.user_id == user_id))
    announce_change(connection)  # their streams end with them
