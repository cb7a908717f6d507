"""What people do with their accounts. Knows no Flask request; each function is one unit of work."""

from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.accounts.names import NAME, NameTaken, check_name
from webapp.accounts.passwords import (
    BadPassword,
    check_password,
    hash_password,
    is_right_password,
    line_of_log_ins,
    one_time_password,
)
from webapp.clock import now
from webapp.database import added_id, begin_writing, changed_rows, insert_or_update
from webapp.errors import NotThere, Refusal, SeveralRefusals
from webapp.extensions import db
from webapp.throttle import Limit, check_count, count_in_unit, count_try, forget_tries

KNOWN_FOR = timedelta(days=365)


class WrongNameOrPassword(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__("The name or the password is wrong. Passwords tell capital from small letters.")


class WrongPassword(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__("This is not your present password.")


class Opened(NamedTuple):
    """An account, and the hash that its password was compared with: a session begins only while it stands."""

    user_id: int
    password_hash: str


def create_guest() -> int:
    """A row without name or password, so that somebody can play before they decide to stay."""
    begin_writing()
    user_id = added_id(insert(User).values(name=None))
    db.session.commit()
    return user_id


def sign_up(
    name: str, password: str, guest_id: int | None = None, browser_hash: str | None = None, must_change: bool = False,
    limit: Limit | None = None,
) -> Opened:  # fmt: skip
    """Make an account; a guest's own row becomes it, games and all. The limit counts accounts, not tries."""
    _check_sign_up(name, password)
    if limit is not None:
        check_count(*limit)
    password_hash = hash_password(password)
    account: dict[str, Any] = {"name": name, "name_key": name.lower(), "password_hash": password_hash}
    account["must_change_password"] = must_change
    begin_writing()
    if limit is not None:
        count_in_unit(*limit)
    try:
        user_id = _turn_guest_into(guest_id, account) or added_id(insert(User).values(account))
    except IntegrityError:
        db.session.rollback()
        raise NameTaken from None
    if browser_hash is not None:
        _remember_browser(user_id, browser_hash)
    db.session.commit()
    return Opened(user_id, password_hash)


def _check_sign_up(name: str, password: str) -> None:
    """Says all that is wrong, not only the first of it."""
    wrong: list[Refusal] = []
    for check, values in ((check_name, (name,)), (_check_is_free, (name,)), (check_password, (password, name))):
        try:
            check(*values)
        except Refusal as refusal:
            wrong.append(refusal)
    if wrong:
        raise wrong[0] if len(wrong) == 1 else SeveralRefusals(wrong)


def _check_is_free(name: str) -> None:
    """Before the slow hash. Whether it still is then, the database decides."""
    is_taken = NAME.match(name) and db.session.scalar(select(exists().where(User.name_key == name.lower())))
    db.session.rollback()
    if is_taken:
        raise NameTaken


def _turn_guest_into(guest_id: int | None, account: dict[str, Any]) -> int | None:
    """None if there is no such guest any more: somebody else signed up from it, or it was purged."""
    if guest_id is None:
        return None
    is_guest = (User.id == guest_id, User.name_key.is_(None), User.deleted_at.is_(None))
    return guest_id if changed_rows(update(User).where(*is_guest).values(account)) else None


def log_in(name: str, password: str, network: str, browser_hash: str, limits: tuple[int, int]) -> Opened:
    """The account that name and password open.

    Guesses are counted by account and network together and by network, but a browser in which the account was
    opened before is counted by itself: so nobody locks the owner out by guessing, from the same classroom either.
    """
    with line_of_log_ins:
        return _log_in(name, password, network, browser_hash, *limits)


def _log_in(
    name: str, password: str, network: str, browser_hash: str, per_account: int, per_address: int
) -> Opened:
    account = _account(name, browser_hash)
    is_known = account is not None and account.is_known_browser
    if not is_known:
        count_try(f"log-in {network}", per_address, "Too many log-ins came from this network.")
    key = f"log-in {name.lower()} {browser_hash if is_known else network}"
    count_try(key, per_account, "Too many tries to log in to this account.")
    if not is_right_password(password, account.password_hash if account else None) or account is None:
        raise WrongNameOrPassword
    forget_tries(key)
    opened = Opened(account.id, account.password_hash)
    _remember_browser_while_it_stands(opened, browser_hash)
    return opened


def _account(name: str, browser_hash: str) -> Any:
    """None for a name that nobody has, or can have: PostgreSQL refuses some characters with an error."""
    if not NAME.match(name):
        return None
    is_known = exists().where(KnownBrowser.user_id == User.id, KnownBrowser.token_hash == browser_hash)
    account = db.session.execute(
        select(User.id, User.password_hash, is_known.label("is_known_browser")).where(
            User.name_key == name.lower(), User.deleted_at.is_(None)
        )
    ).one_or_none()
    db.session.rollback()
    return account


def _remember_browser_while_it_stands(opened: Opened, browser_hash: str) -> None:
    """Not if the password was changed while this log-in was under way: then it opens nothing any more."""
    begin_writing()
    present = select(User.password_hash).where(User.id == opened.user_id).with_for_update(read=True)
    if db.session.scalar(present) == opened.password_hash:
        _remember_browser(opened.user_id, browser_hash)
    db.session.commit()


def _remember_browser(user_id: int, browser_hash: str) -> None:
    """One statement: the same browser may log in twice at once."""
    moment = now()
    new = insert_or_update(KnownBrowser).values(user_id=user_id, token_hash=browser_hash, last_used_at=moment)
    this = [KnownBrowser.user_id, KnownBrowser.token_hash]
    db.session.execute(new.on_conflict_do_update(index_elements=this, set_={"last_used_at": moment}))


def confirm_password(user_id: int, password: str, limit: int) -> str:
    """Before something that cannot be taken back: a browser left open is not enough. Gives the hash that fits."""
    key = f"confirm {user_id}"
    count_try(key, limit, "Too many tries with a wrong password.")
    password_hash = db.session.scalar(select(User.password_hash).where(User.id == user_id))
    db.session.rollback()
    if not is_right_password(password, password_hash) or password_hash is None:
        raise WrongPassword
    forget_tries(key)
    return password_hash


def change_password(user_id: int, name: str, present: str, new: str, browser_hash: str, limit: int) -> Opened:
    """A new password; every session of the account ends with the old one, and only this browser stays known."""
    confirmed = confirm_password(user_id, present, limit)
    check_password(new, name)
    if new == present:
        raise BadPassword("This is the password that you have already. Choose another one.")
    changed = _set_password(new, browser_hash, User.id == user_id, User.password_hash == confirmed)
    if changed is None:  # somebody else changed it while this was under way
        raise WrongPassword
    return changed


def reset_password(name: str) -> str:
    """A one-time password for somebody who forgot theirs: it must be changed after the next log-in."""
    password = one_time_password()
    if not _set_password(password, None, User.name_key == name.lower()):
        raise NotThere(f"There is no account with the name {name}.")
    return password


def _set_password(password: str, browser_hash: str | None, *who: ColumnElement[bool]) -> Opened | None:
    """Chosen in this browser; without one somebody else has set it, and it must be changed after the next log-in."""
    password_hash = hash_password(password)
    begin_writing()
    account = (User.deleted_at.is_(None), User.name_key.is_not(None))
    user_id = db.session.scalar(select(User.id).where(*who, *account).with_for_update())
    if user_id is not None:
        values = {"password_hash": password_hash, "must_change_password": browser_hash is None}
        db.session.execute(update(User).where(User.id == user_id).values(values))
        for table in (UserSession, KnownBrowser):
            db.session.execute(delete(table).where(table.user_id == user_id))
        if browser_hash is not None:
            _remember_browser(user_id, browser_hash)
    db.session.commit()
    return None if user_id is None else Opened(user_id, password_hash)


def purge_known_browsers() -> int:
    begin_writing()
    count = changed_rows(delete(KnownBrowser).where(KnownBrowser.last_used_at < now() - KNOWN_FOR))
    db.session.commit()
    return count
