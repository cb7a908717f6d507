"""What people do with their accounts. Knows no Flask request; each function is one unit of work."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

from flask import current_app
from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Exists,
    Insert,
    bindparam,
    delete,
    exists,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.accounts.names import NAME, NameTaken, check_name
from webapp.accounts.passwords import (
    SHORTEST,
    BadPassword,
    as_on_card,
    check_password,
    hash_password,
    is_right_password,
    log_in_slots,
    one_time_password,
)
from webapp.accounts.personal import holdings
from webapp.clock import now
from webapp.database import added_id, announce_change, insert_or_update, reading, release_connection, writing
from webapp.errors import NotThere, Refusal, SeveralRefusals
from webapp.prepared import Prepared
from webapp.throttle import Limit, check_count, count_tries, count_within, forget_tries

KNOWN_FOR = timedelta(days=365)
JUST_NOW = timedelta(minutes=1)
LOGGED_IN_JUST_NOW = timedelta(minutes=15)  # a browser left open for longer does not choose a password
LOG_IN_CODES = "noughts_log_in_codes"
TOO_MANY_HERE = "Too many tries to log in to this account."
# From name, code, network, browser, and the session of the press: whose account it opens. None for who has no code.
UseCode = Callable[[str, str, str, str, str], int | None]


class WrongNameOrPassword(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__("The name or the password is wrong. In your own password capital and small letters count.")


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


AlsoDo = Callable[[Connection, int], None]  # with the id of the new account


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
    is_new = (User.name_key == name.lower(), User.created_at > now() - JUST_NOW)
    with reading() as connection:
        return connection.scalar(select(exists().where(*is_new))) is True


def _turn_guest_into(connection: Connection, guest_id: int | None, account: dict[str, Any]) -> int | None:
    """None if there is no such guest any more: somebody else signed up from it, or it was purged."""
    if guest_id is None:
        return None
    is_guest = (User.id == guest_id, User.name_key.is_(None), User.deleted_at.is_(None))
    return guest_id if connection.execute(update(User).where(*is_guest).values(account)).rowcount else None


def log_in(
    name: str, password: str, network: str, browser_hash: str, limits: tuple[int, int], pressed_in: str | None = None
) -> VerifiedAccount:
    """The account that name and password open. A code in place of the password, which is shorter than any, is for the
    log-in form only, whose session is `pressed_in`: elsewhere it is a wrong password, and stays good.

    Guesses are counted by account and network together and by network, but a browser in which the account was
    opened before is counted by itself: so nobody locks the owner out by guessing, from the same classroom either.
    """
    if pressed_in is not None and len(password.strip()) < SHORTEST:
        try:
            if account := _log_in_by_code(name, password, network, browser_hash, pressed_in):
                return account
        except Refusal as refusal:
            if len(password) < SHORTEST:  # else it is a code typed with a blank, or a password that has blanks
                if isinstance(refusal, WrongNameOrPassword):
                    _take_as_long(password)
                raise
    release_connection()  # not held by those who wait
    with log_in_slots:
        return _log_in(name, password, network, browser_hash, *limits)


def _take_as_long(password: str) -> None:
    """As for a name without a code: neither time nor words tell who has one. Who tries on until the limit, which is
    higher for a code, learns it (decision 021).
    """
    release_connection()
    with log_in_slots:
        is_right_password(password, None)


def _log_in(
    name: str, password: str, network: str, browser_hash: str, per_account: int, per_address: int
) -> VerifiedAccount:
    account = _account(name, browser_hash)
    is_known = account is not None and account.is_known_browser
    key = f"log-in {name.lower()} {browser_hash if is_known else network}"
    limits = [Limit(key, per_account, TOO_MANY_HERE)]
    if not is_known:
        limits.insert(0, Limit(f"log-in {network}", per_address, "Too many log-ins came from this network."))
    count_tries(*limits)
    typed = as_on_card(password) if account is not None and account.must_change_password else password
    if not is_right_password(typed, account.password_hash if account else None) or account is None:
        raise WrongNameOrPassword
    return VerifiedAccount(account.id, account.password_hash, key)


def _log_in_by_code(
    name: str, code: str, network: str, browser_hash: str, pressed_in: str
) -> VerifiedAccount | None:
    use_code: UseCode = current_app.extensions[LOG_IN_CODES]
    if (user_id := use_code(name, code, network, browser_hash, pressed_in)) is None:
        return None
    with reading() as connection:
        password_hash = connection.scalar(select(User.password_hash).where(User.id == user_id))
    return VerifiedAccount(user_id, password_hash or "", by_code=True)


_ACCOUNT = Prepared(
    select(
        User.id,
        User.password_hash,
        User.must_change_password,
        exists()
        .where(KnownBrowser.user_id == User.id, KnownBrowser.token_hash == bindparam("browser_hash"))
        .label("is_known_browser"),
    ).where(User.name_key == bindparam("key"), User.deleted_at.is_(None))
)


def _account(name: str, browser_hash: str) -> Any:
    """None for a name that nobody has, or can have: PostgreSQL refuses some characters with an error."""
    if not NAME.match(name):
        return None
    with reading() as connection:
        rows = _ACCOUNT.rows(connection, key=name.lower(), browser_hash=browser_hash)
    return rows[0] if rows else None


def remember_browser(connection: Connection, user_id: int, browser_hash: str) -> None:
    _REMEMBER.run(connection, user=user_id, hidden=browser_hash, moment=now())


def _remembering() -> Executable:
    """One statement: the same browser may log in twice at once."""
    names = {"user_id": "user", "token_hash": "hidden", "last_used_at": "moment"}
    new = insert_or_update(KnownBrowser).values({column: bindparam(name) for column, name in names.items()})
    this = [KnownBrowser.user_id, KnownBrowser.token_hash]
    updating: Insert = new.on_conflict_do_update(index_elements=this, set_={"last_used_at": new.excluded.last_used_at})
    return updating


_REMEMBER = Prepared(_remembering)


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


def purge_known_browsers() -> int:
    with writing() as connection:
        return connection.execute(delete(KnownBrowser).where(KnownBrowser.last_used_at < now() - KNOWN_FOR)).rowcount
