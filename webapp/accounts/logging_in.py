"""Logging in, with a password or a code, and the browsers that are known since. Knows no Flask request."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import current_app
from sqlalchemy import Connection, Executable, Insert, bindparam, delete, exists, select

from webapp.accounts.models import KnownBrowser, User
from webapp.accounts.names import NAME
from webapp.accounts.passwords import SHORTEST, as_on_card, is_right_password, log_in_slots
from webapp.accounts.services import VerifiedAccount
from webapp.clock import now
from webapp.database import insert_or_update, reading, release_connection, writing
from webapp.errors import Refusal
from webapp.prepared import Prepared
from webapp.throttle import Limit, count_tries

KNOWN_FOR = timedelta(days=365)
LOG_IN_CODES = "noughts_log_in_codes"
TOO_MANY_HERE = "Too many tries to log in to this account."
# From name, code, network, browser, and the session of the press: whose account it opens. None for who has no code.
UseCode = Callable[[str, str, str, str, str], int | None]


class WrongNameOrPassword(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__("The name or the password is wrong. In your own password capital and small letters count.")


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


def purge_known_browsers() -> int:
    with writing() as connection:
        return connection.execute(delete(KnownBrowser).where(KnownBrowser.last_used_at < now() - KNOWN_FOR)).rowcount
