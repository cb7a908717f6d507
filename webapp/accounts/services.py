"""What people do with their accounts. Knows no Flask request; each function is one unit of work."""

from datetime import timedelta

from sqlalchemy import ColumnElement, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.accounts.names import NameTaken, check_name
from webapp.accounts.passwords import check_password, hash_password, is_right_password, one_time_password
from webapp.clock import now
from webapp.database import added_id, begin_writing, changed_rows
from webapp.errors import NotThere, Refusal
from webapp.extensions import db
from webapp.throttle import count_try, forget_tries

KNOWN_FOR = timedelta(days=365)


class WrongNameOrPassword(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__("The name or the password is wrong. Passwords tell capital from small letters.")


class WrongPassword(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__("This is not your present password.")


def create_guest() -> int:
    """A row without name or password, so that somebody can play before they decide to stay."""
    begin_writing()
    user_id = added_id(insert(User).values(name=None))
    db.session.commit()
    return user_id


def sign_up(name: str, password: str, guest_id: int | None = None, must_change: bool = False) -> int:
    """Make an account; a guest's own row becomes it, games and all."""
    check_name(name)
    check_password(password, name)
    account = {
        "name": name,
        "name_key": name.lower(),
        "password_hash": hash_password(password),
        "must_change_password": must_change,
    }
    begin_writing()
    try:
        user_id = _turn_guest_into(guest_id, account) or added_id(insert(User).values(account))
        db.session.commit()
    except IntegrityError:
        db.session.rollback()
        raise NameTaken from None
    return user_id


def _turn_guest_into(guest_id: int | None, account: dict[str, object]) -> int | None:
    """None if there is no such guest any more: somebody else signed up from it, or it was purged."""
    if guest_id is None:
        return None
    is_guest = (User.id == guest_id, User.name_key.is_(None))
    return guest_id if changed_rows(update(User).where(*is_guest).values(account)) else None


def log_in(name: str, password: str, address: str, browser_hash: str, limits: tuple[int, int]) -> int:
    """The id of the account that name and password open.

    Guesses are counted by account and address together, and a browser in which the account was opened before
    is counted by itself: so nobody locks the owner out by guessing, from the same classroom either.
    """
    per_account, per_address = limits
    count_try(f"log-in {address}", per_address, "Too many log-ins came from this network.")
    user = db.session.execute(
        select(User.id, User.password_hash).where(User.name_key == name.lower(), User.deleted_at.is_(None))
    ).one_or_none()
    db.session.rollback()
    is_known = user is not None and _is_known_browser(user.id, browser_hash)
    key = f"log-in {name.lower()[:20]} {browser_hash if is_known else address}"
    count_try(key, per_account, "Too many tries to log in to this account.")
    if not is_right_password(password, user.password_hash if user else None) or user is None:
        raise WrongNameOrPassword
    forget_tries(key)
    remember_browser(user.id, browser_hash)
    user_id: int = user.id
    return user_id


def _is_known_browser(user_id: int, browser_hash: str) -> bool:
    known = exists().where(KnownBrowser.user_id == user_id, KnownBrowser.token_hash == browser_hash)
    found = bool(db.session.scalar(select(known)))
    db.session.rollback()
    return found


def remember_browser(user_id: int, browser_hash: str) -> None:
    this = (KnownBrowser.user_id == user_id, KnownBrowser.token_hash == browser_hash)
    begin_writing()
    if not changed_rows(update(KnownBrowser).where(*this).values(last_used_at=now())):
        db.session.execute(insert(KnownBrowser).values(user_id=user_id, token_hash=browser_hash))
    db.session.commit()


def confirm_password(user_id: int, password: str, limit: int) -> None:
    """Before something that cannot be taken back: a browser left open is not enough."""
    key = f"confirm {user_id}"
    count_try(key, limit, "Too many tries with a wrong password.")
    password_hash = db.session.scalar(select(User.password_hash).where(User.id == user_id))
    db.session.rollback()
    if not is_right_password(password, password_hash):
        raise WrongPassword
    forget_tries(key)


def change_password(user_id: int, name: str, password: str) -> None:
    """A new password; every session of the account ends with the old one."""
    check_password(password, name)
    _set_password(User.id == user_id, password, must_change=False)


def reset_password(name: str) -> str:
    """A one-time password for somebody who forgot theirs: it must be changed after the next log-in."""
    password = one_time_password()
    if not _set_password(User.name_key == name.lower(), password, must_change=True):
        raise NotThere(f"There is no account with the name {name}.")
    return password


def _set_password(who: ColumnElement[bool], password: str, must_change: bool) -> bool:
    values = {"password_hash": hash_password(password), "must_change_password": must_change}
    begin_writing()
    user_id = db.session.scalar(select(User.id).where(who, User.deleted_at.is_(None), User.name_key.is_not(None)))
    if user_id is not None:
        db.session.execute(update(User).where(User.id == user_id).values(values))
        db.session.execute(delete(UserSession).where(UserSession.user_id == user_id))
    db.session.commit()
    return user_id is not None


def purge_known_browsers() -> int:
    begin_writing()
    count = changed_rows(delete(KnownBrowser).where(KnownBrowser.last_used_at < now() - KNOWN_FOR))
    db.session.commit()
    return count
