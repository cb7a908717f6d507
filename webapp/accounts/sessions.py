"""Which browser is whose: sessions begin, end, and are deleted when they are over."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, delete, or_, select

from webapp.accounts import models
from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.accounts.services import VerifiedAccount, remember_browser
from webapp.accounts.session_interface import BY_CODE, NOTHING, add_row, this_session, token_for
from webapp.accounts.tokens import new_token
from webapp.clock import now
from webapp.database import announce_change, reading, writing
from webapp.errors import Refusal
from webapp.extensions import settings
from webapp.throttle import forget_tries


class PasswordChanged(Refusal):
    """Somebody logged in with a password that was changed or deleted before they were through."""

    status = 409
    title = "Not logged in"

    def __init__(self) -> None:
        super().__init__("This password was changed a moment ago. Log in with the new one.")


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
    token = token_for(user_id, this.token)
    with writing() as connection:
        present = select(User.password_hash).where(User.id == user_id).with_for_update(read=True)
        if connection.scalar(present) != password_hash:
            raise PasswordChanged
        connection.execute(delete(UserSession).where(UserSession.id == this.row_id))
        row_id = add_row(connection, token, user_id, json.dumps(dict(kept)))
        if browser_hash is not None:
            remember_browser(connection, user_id, browser_hash)
            _make_room(connection, user_id, row_id, browser_hash)
        if tries_key is not None:
            forget_tries(connection, tries_key)
    this.change_token(token, row_id, kept)


def _make_room(connection: Connection, user_id: int, session_id: int | None, browser_hash: str) -> None:
    """Whoever logs in again and again fills no table: the browsers used longest ago make room for this one."""
    tables: list[tuple[Any, Any, Any, Any]] = [
        (UserSession, UserSession.id == session_id, UserSession.id, UserSession.last_seen_at),
        (KnownBrowser, KnownBrowser.token_hash == browser_hash, KnownBrowser.token_hash, KnownBrowser.last_used_at),
    ]
    for table, is_this, key, used_at in tables:
        newest = select(key).where(table.user_id == user_id).order_by(is_this.desc(), used_at.desc())
        others = (table.user_id == user_id, key.not_in(newest.limit(models.BROWSERS_KEPT)))
        connection.execute(delete(table).where(*others))


def end_this_session() -> None:
    """End this browser's session; what it shows from now on goes under a new id."""
    this = this_session()
    if this.row_id is not None:
        end_sessions(UserSession.id == this.row_id)
    this.change_token(new_token())


def end_sessions(*conditions: Any) -> int:
    with writing() as connection:
        announce_change(connection)  # their streams end with them
        return connection.execute(delete(UserSession).where(*conditions)).rowcount


def current_session_id() -> int | None:
    return this_session().row_id


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
