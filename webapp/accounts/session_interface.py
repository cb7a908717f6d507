"""Sessions kept on the server, as Flask sees them: the cookie holds nothing but a random id, the database its SHA-256.

A visitor costs no row: until somebody logs in or plays, the id in the cookie does nothing but carry the CSRF
token, which derives from it.
"""

import base64
import hmac
import json
import logging
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any, cast

from flask import Flask, Request, Response, current_app, g, request, session
from flask.sessions import SessionInterface, SessionMixin
from flask_login import LoginManager
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from sqlalchemy import Connection, Executable, Insert, bindparam, delete, select, update

from webapp.accounts.current_user import CurrentUser
from webapp.accounts.models import User, UserSession
from webapp.accounts.session_data import EMPTY, as_json, merged
from webapp.accounts.tokens import TOKEN, hash_of, new_token
from webapp.clock import now
from webapp.database import UNREACHABLE, insert_or_update, reading, writing
from webapp.extensions import settings
from webapp.prepared import Prepared
from webapp.serving.clients import tell_known

log = logging.getLogger("noughts.sessions")

STATELESS = ("/static/", "/labs/python/", "/healthz", "/readyz", "/api/")  # under /api/ a cookie never counts
SEEN_EVERY = timedelta(minutes=1)
CSRF, TOKEN_SALT = "csrf_token", "wtf-csrf-token"
BY_CODE = "by_code"
OF_ACCOUNT = "in."  # so begins the id of a browser that is logged in: it tells when its session has been ended
SESSION_ID = re.compile(rf"({re.escape(OF_ACCOUNT)})?{TOKEN.pattern}")
LOGGED_OUT = "Logged-Out"
NOTHING: Mapping[str, Any] = MappingProxyType({})


def init_app(app: Flask) -> None:
    app.session_interface = ServerSessions()
    app.before_request(check_session)


class ServerSession(dict[str, Any], SessionMixin):
    """What Flask and its extensions see as the session, and what we know of the row behind it."""

    row_id: int | None = None
    user: CurrentUser | None = None
    last_seen_at: datetime | None = None
    saved: str = EMPTY
    failure: Exception | None = None
    has_ended: bool = False  # somewhere else, or by its time, while the browser was logged in

    def __init__(self, token: str | None) -> None:
        self.cookie_is_new = token is None
        self.token = token or new_token()
        self.accessed = self.modified = False
        super().__init__({CSRF: _csrf_token(self.token)})

    def attach(self, row: Any) -> None:
        self.row_id, self.saved, self.last_seen_at = row.id, row.data, row.last_seen_at
        self.update(json.loads(row.data))
        if row.user_id is not None:
            must_change = row.must_change_password and BY_CODE not in self  # who came by code knows no password
            self.user = CurrentUser(row.user_id, row.name, must_change, row.is_instructor)

    def as_json(self) -> str:
        return as_json({key: value for key, value in self.items() if key != CSRF})

    def change_token(self, token: str, row_id: int | None = None, kept: Mapping[str, Any] = NOTHING) -> None:
        self.clear()
        self.update(kept)
        self.token, self.cookie_is_new = token, True
        self.row_id, self.user, self.saved, self.has_ended = row_id, None, self.as_json(), False
        self.last_seen_at = None  # its row has just been written
        self[CSRF] = _csrf_token(self.token)


def _csrf_token(token: str) -> str:
    return _derived("csrf", token).hex()


def csrf_token() -> str:
    """As Flask-WTF makes it, once for each page. That packs it first, which costs a page a twentieth of its time."""
    if CSRF not in g:
        payload = json.dumps(session[CSRF]).encode()
        g.csrf_token = _signer(current_app.secret_key).sign(base64.urlsafe_b64encode(payload).rstrip(b"=")).decode()
    return cast(str, g.csrf_token)


@cache
def _signer(secret_key: str) -> TimestampSigner:
    """Theirs derives the key for each token anew, and by a function that Python's hmac takes the slow way."""
    theirs = URLSafeTimedSerializer(secret_key, salt=TOKEN_SALT).make_signer(TOKEN_SALT)
    return TimestampSigner(theirs.derive_key(), key_derivation="none", digest_method="sha1")


def token_for(purpose: str, token: str) -> str:
    """The id under which the browser with this id goes on after a press that begins a session.

    It is the same for two presses of one button, whichever of the answers the browser keeps: so they begin one session.
    Nobody works it out without the secret of the site, and an hour later it is another one. What the form carries is
    part of `purpose`: so a computer that is set back to an earlier cookie brings no session back that has been ended.
    """
    made = _derived(f"{purpose} {now():%Y-%m-%d %H}", token)
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def this_form_key() -> str:
    """What both presses of one button send, and no other form: its CSRF token, or the state from the school."""
    return request.form.get("csrf_token") or request.args.get("state", "")


def _derived(purpose: str, token: str) -> bytes:
    key = cast(str, current_app.secret_key).encode()
    return hmac.digest(key, f"{purpose}:{token}".encode(), "sha256")


class ServerSessions(SessionInterface):
    def open_session(self, app: Flask, request: Request) -> SessionMixin | None:
        if request.path.startswith(STATELESS):
            return self.make_null_session(app)
        token = request.cookies.get(self.get_cookie_name(app), "")
        known = ServerSession(token if SESSION_ID.match(token) else None)
        try:
            row = None if known.cookie_is_new else _live_row(token)
        except UNREACHABLE as failure:  # No page can be shown from here; `check_session` says it when one can.
            row, known.failure = None, failure
        if row is not None:
            known.attach(row)
        if known.user is not None:
            tell_known(request.environ, token, known.user.id)
        known.has_ended = token.startswith(OF_ACCOUNT) and known.user is None and known.failure is None
        return known

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if not isinstance(session, ServerSession):
            return
        response.headers.add("Vary", "Cookie")
        if response.status_code != 503:  # then the database has just refused; nobody should wait for it again
            try:
                _save(session)
            except UNREACHABLE as failure:  # The page itself is done, so the person gets it.
                log.error("A session was not saved: %s", type(failure).__name__)
        if session.has_ended:
            response.headers[LOGGED_OUT] = "yes"  # for live.js
        if session.cookie_is_new:
            self._set_cookie(app, session.token, response)

    def _set_cookie(self, app: Flask, token: str, response: Response) -> None:
        response.set_cookie(
            self.get_cookie_name(app),
            token,
            max_age=timedelta(days=settings().session_idle_days),
            httponly=True,
            secure=settings().https,
            samesite="Lax",
        )


_ROW = Prepared(
    select(
        UserSession.id,
        UserSession.data,
        UserSession.created_at,
        UserSession.last_seen_at,
        UserSession.user_id,
        User.name,
        User.must_change_password,
        User.is_instructor,
    )
    .outerjoin(User, User.id == UserSession.user_id)
    .where(UserSession.token_hash == bindparam("token_hash"))
)


def _live_row(token: str) -> Any:
    with reading() as connection:
        rows = _ROW.rows(connection, token_hash=hash_of(token))
    moment, known = now(), settings()
    is_live = (
        rows
        and rows[0].last_seen_at > moment - timedelta(days=known.session_idle_days)
        and rows[0].created_at > moment - timedelta(days=known.session_days)
    )
    return rows[0] if is_live else None


def _save(session: ServerSession) -> None:
    text = session.as_json()
    if session.row_id is None and text != EMPTY:
        _begin(session, text)
    elif session.row_id is not None and (text != session.saved or _is_due(session)):
        session.cookie_is_new |= _keep(session, text)


def _is_due(session: ServerSession) -> bool:
    """Being seen is written down at most once a minute; a page that only asks for news does not count."""
    is_poll = request.endpoint is not None and request.endpoint.endswith((".state", ".piece", ".events", ".waiting"))
    return not is_poll and session.last_seen_at is not None and now() - session.last_seen_at > SEEN_EVERY


def _keep(session: ServerSession, text: str) -> bool:
    """UPDATE, never an upsert, and by the token: a session that was ended while this request ran stays ended.
    False if it was: then the browser may have another cookie by now, and keeps that one.

    The user first, as everywhere: whoever changes a password locks the user and then ends the sessions.
    """
    values: dict[str, Any] = {"last_seen_at": now()}
    this = UserSession.token_hash == hash_of(session.token)
    with writing() as connection:
        if session.user is not None:
            connection.execute(update(User).where(User.id == session.user.id).values(values))
        if text != session.saved:
            stored = connection.scalar(select(UserSession.data).where(this).with_for_update())
            values["data"] = merged(session.saved, text, stored or EMPTY)
        return connection.execute(update(UserSession).where(this).values(values)).rowcount > 0


def _begin(session: ServerSession, text: str) -> None:
    """A row for nobody in particular, who has been told something that the next page shows."""
    dead = (UserSession.token_hash == hash_of(session.token), UserSession.user_id.is_not(None))
    with writing() as connection:
        connection.execute(delete(UserSession).where(*dead))  # else this would begin its time anew
        session.row_id, session.saved = add_row(connection, session.token, None, text).id, text


def add_row(connection: Connection, token: str, user_id: int | None, text: str = EMPTY) -> Any:
    """Its `id`, and the `user_id` that another press with the same token may have given it already."""
    agent = request.user_agent.string[:300].replace("\0", "")  # on which PostgreSQL breaks
    row = {"user": user_id, "text": text, "agent": agent, "moment": now()}
    return _ADD.rows(connection, hidden=hash_of(token), **row)[0]


def _adding_row() -> Executable:
    """One statement: two presses at once, which have the same token, leave one row."""
    names = {"data": "text", "user_agent": "agent", "created_at": "moment", "last_seen_at": "moment"}
    row: dict[str, Any] = {column: bindparam(name) for column, name in names.items()}
    new = insert_or_update(UserSession).values(token_hash=bindparam("hidden"), user_id=bindparam("user"), **row)
    updating: Insert = new.on_conflict_do_update(index_elements=[UserSession.token_hash], set_=row)
    return updating.returning(UserSession.id, UserSession.user_id)


_ADD = Prepared(_adding_row)


def this_session() -> ServerSession:
    return cast(ServerSession, session._get_current_object())  # type: ignore[attr-defined]


def check_session() -> None:
    """Before each request: if the database could not be asked who this is, say so and do nothing."""
    if failure := getattr(this_session(), "failure", None):
        raise failure


def session_has_ended() -> bool:
    """Whether this browser was logged in, and is no longer, without having logged out."""
    return getattr(this_session(), "has_ended", False)


class SessionUsers(LoginManager):
    """Flask-Login, told at once: the user was read together with the session. Left to itself it looks for an id in the
    session, and for a cookie of its own in which somebody asked to be remembered; who sends one is nobody then.
    """

    def _load_user(self) -> None:
        self._update_request_context_with_user(getattr(this_session(), "user", None))


def show_to(user: CurrentUser) -> None:
    """To whom this session belongs from now on: the answer to this request is drawn for them already."""
    this_session().user = user
    current_app.login_manager._load_user()  # type: ignore[attr-defined]
