"""Which browser is whose: sessions begin, end, and are deleted when they are over."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, cast

from sqlalchemy import Connection, Integer, bindparam, delete, exists, or_, select, update

from webapp.accounts import models
from webapp.accounts.current_user import CurrentUser
from webapp.accounts.logging_in import remember_browser
from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.accounts.services import VerifiedAccount, add_guest
from webapp.accounts.session_interface import (
    BY_CODE,
    NOTHING,
    OF_ACCOUNT,
    add_row,
    show_to,
    this_form_key,
    this_session,
    token_for,
)
from webapp.accounts.tokens import hash_of
from webapp.clock import now
from webapp.database import announce_change, reading, writing
from webapp.errors import Refusal
from webapp.extensions import settings
from webapp.prepared import Prepared
from webapp.throttle import Limit, count_within, forget_tries


class PasswordChanged(Refusal):
    """Somebody logged in with a password that was changed or deleted before they were through."""

    status = 409
    title = "Not logged in"

    def __init__(self) -> None:
        super().__init__("This password was changed a moment ago. Log in with the new one.")


def _all_but_newest(table: Any, key: Any, used_at: Any) -> Prepared:
    """A DELETE of what one person has besides `this` and the newest."""
    theirs = table.user_id == bindparam("user_id")
    newest = select(key).where(theirs).order_by((key == bindparam("this")).desc(), used_at.desc())
    return Prepared(delete(table).where(theirs, key.not_in(newest.limit(bindparam("kept", type_=Integer)))))


_OLD_SESSIONS = _all_but_newest(UserSession, UserSession.id, UserSession.last_seen_at)
_OLD_BROWSERS = _all_but_newest(KnownBrowser, KnownBrowser.token_hash, KnownBrowser.last_used_at)
_HASH = Prepared(
    select(User.password_hash)
    .where(User.id == bindparam("user_id"), User.deleted_at.is_(None))
    .with_for_update(read=True)
)


def begin_session_of(account: VerifiedAccount, browser_hash: str, **kept: Any) -> None:
    """Log this browser in: it is known from now on, and its tries are forgotten. What is `kept` is in the session."""
    kept |= {BY_CODE: True} if account.by_code else {}
    begin_session(account.user_id, account.password_hash, browser_hash, account.tries_key, kept)


def begin_session(
    user_id: int, password_hash: str | None = None, browser_hash: str | None = None, tries_key: str | None = None,
    kept: Mapping[str, Any] = NOTHING,
) -> None:  # fmt: skip
    """From now on this browser is this user's, under a new id; the id from before is dead. Pressed twice, it is once.

    All or nothing, and only while the hash that the password was compared with still stands: otherwise a log-in
    under way while the password is changed would outlive the change.
    """
    this = this_session()
    token = OF_ACCOUNT + token_for(f"log-in {user_id} {this_form_key()}", this.token)
    with writing() as connection:
        if [row.password_hash for row in _HASH.rows(connection, user_id=user_id)] != [password_hash]:
            raise PasswordChanged
        if this.row_id is not None:
            connection.execute(delete(UserSession).where(UserSession.id == this.row_id))
        row_id = add_row(connection, token, user_id, json.dumps(dict(kept))).id
        if browser_hash is not None:
            remember_browser(connection, user_id, browser_hash)
            _keep_newest(connection, user_id, row_id, browser_hash)
        if tries_key is not None:
            forget_tries(connection, tries_key)
    this.change_token(token, row_id, kept)


def begin_session_of_guest(form_key: str, limit: Limit) -> int:
    """A new guest, and this browser theirs. `form_key` is random and stands in the form: of two presses of its button
    the second finds the row of the first, and goes on as the same guest.
    """
    this = this_session()
    token = token_for(f"guest {form_key}", this.token)
    with writing() as connection:
        row = add_row(connection, token, None)
        if (guest_id := row.user_id) is None:
            count_within(connection, limit)
            guest_id = add_guest(connection)
            connection.execute(update(UserSession).where(UserSession.id == row.id).values(user_id=guest_id))
        if this.row_id is not None:
            connection.execute(delete(UserSession).where(UserSession.id == this.row_id))
    this.change_token(token, row.id)
    show_to(CurrentUser(guest_id, None))
    return cast(int, guest_id)


def _keep_newest(connection: Connection, user_id: int, session_id: int | None, browser_hash: str) -> None:
    """Whoever logs in again and again fills no table: the browsers used longest ago make room for this one."""
    for old, this in ((_OLD_SESSIONS, session_id), (_OLD_BROWSERS, browser_hash)):
        old.run(connection, user_id=user_id, this=this, kept=models.BROWSERS_KEPT)


def end_this_session() -> None:
    """End this browser's session; what it shows from now on goes under a new id. Pressed twice, it is the same one."""
    this, token = this_session(), _token_afterwards()
    if this.row_id is not None:
        end_sessions(UserSession.id == this.row_id)
    this.change_token(token)


def was_ended_by_this_press() -> bool:
    """Whether the other press of the same button has ended the session that both came with."""
    after = UserSession.token_hash == hash_of(_token_afterwards())
    with reading() as connection:
        return connection.scalar(select(exists().where(after))) is True


def _token_afterwards() -> str:
    return token_for(f"end {this_form_key()}", this_session().token)


def end_sessions(*conditions: Any) -> int:
    with writing() as connection:
        announce_change(connection)  # their streams end with them
        return connection.execute(delete(UserSession).where(*conditions)).rowcount


def current_session_id() -> int | None:
    return this_session().row_id


def this_session_has_ended() -> bool:
    """Since this request began: somewhere else, or by the other press of the same button."""
    this = UserSession.token_hash == hash_of(this_session().token)
    with reading() as connection:
        return connection.scalar(select(exists().where(this))) is not True


def began_within(span: timedelta) -> bool:
    """Whether somebody logged in with this browser so recently."""
    with reading() as connection:
        began = connection.scalar(select(UserSession.created_at).where(UserSession.id == this_session().row_id))
    return began is not None and began > now() - span


def purge_sessions() -> int:
    """Delete what `_live_row` would refuse anyway; a live session is never among it."""
    moment = now()
    is_over = or_(
        UserSession.last_seen_at <= moment - timedelta(days=settings().session_idle_days),
        UserSession.created_at <= moment - timedelta(days=settings().session_days),
    )
    with writing() as connection:
        return connection.execute(delete(UserSession).where(is_over)).rowcount
