"""OpenID Connect, as Authlib speaks it. Loaded only where it is used: it takes as long to load as half of the site.

What a log-in under way has to remember stands in its `state`, signed and bound to the browser's session: so it costs no
row, two presses at once do not disturb each other, and another browser can do nothing with it.
"""

import hashlib
import hmac
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from typing import Any, NamedTuple

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.flask_client import FlaskIntegration
from authlib.integrations.flask_client.apps import FlaskOAuth2App
from flask import current_app, request, url_for
from itsdangerous import BadData, URLSafeTimedSerializer
from joserfc.errors import JoseError
from requests import RequestException
from werkzeug.wrappers import Response

from webapp.accounts.session_interface import this_session
from webapp.clock import now
from webapp.config import Settings
from webapp.database import release_connection
from webapp.single_sign_on.confirmation import check_asked_again
from webapp.single_sign_on.identity import Identity, identity_from
from webapp.single_sign_on.refusals import LogInFailed, SchoolDoesNotAnswer

STATE_SECONDS = 15 * 60  # to type a password, and find the phone for the second factor
PATIENCE = 10  # seconds for the provider's answer
AT_ONCE = 8  # who may ask it
IN_LINE = 32  # who ask it or wait for their turn, as a class that comes back at once: others need threads too
SECONDS_FOR_A_TURN = 5
NAMES = ("preferred_username", "nickname", "email")


class Purpose(NamedTuple):
    """Why somebody was sent to the school, and when: to log in, or to confirm that it is still they."""

    wish: str
    confirms: bool
    sent_at: str


class Provider:
    def __init__(self, given: Settings) -> None:
        self._slots, self._line = threading.BoundedSemaphore(AT_ONCE), threading.BoundedSemaphore(IN_LINE)
        self._client = FlaskOAuth2App(
            SignedStates("school"),
            name="school",
            client_id=given.oidc_client_id,
            client_secret=given.oidc_client_secret or None,
            server_metadata_url=f"{given.oidc_issuer.rstrip('/')}/.well-known/openid-configuration",
            client_kwargs={"scope": "openid profile", "code_challenge_method": "S256", "default_timeout": PATIENCE},
        )

    def send_away(self, wish: str, asks_again: bool, confirms: bool = False) -> Response:
        """To the school's page; `asks_again` wants the password there even of who is logged in there."""
        state = _states().dumps([secrets.token_urlsafe(12), Purpose(wish, confirms, now().isoformat())])
        prompt: dict[str, Any] = {"prompt": "login"} if asks_again else {}
        prompt |= {"max_age": 0} if confirms else {}  # then it must tell when it asked
        secrets_of_state = {"nonce": _derived("nonce", state), "code_verifier": _derived("verifier", state)}
        try:
            with nullcontext() if self._is_known() else self._slot():
                answer: Response = self._client.authorize_redirect(
                    _way_back(), state=state, **secrets_of_state, **prompt
                )
        except (RequestException, ValueError, RuntimeError) as failure:
            self._forget()
            raise SchoolDoesNotAnswer(failure) from failure
        return answer

    def finish(self) -> tuple[Identity, Purpose]:
        """Who came back from there, and for what they had gone."""
        try:
            with self._slot():
                token = self._client.authorize_access_token()
        except (RequestException, RuntimeError) as failure:
            self._forget()
            raise SchoolDoesNotAnswer(failure) from failure
        except (JoseError, ValueError, KeyError) as failure:
            self._forget()
            raise LogInFailed(failure) from failure
        except AuthlibBaseError as failure:  # by which the provider refuses one person
            raise LogInFailed(failure) from failure
        claims = token.get("userinfo")
        if not claims:
            raise LogInFailed("no ID token came")
        wish = next((claims[name] for name in NAMES if claims.get(name)), "")
        purpose = _opened(request.args.get("state", ""))
        if purpose.confirms:
            promised = self._client.server_metadata.get("claims_supported")
            check_asked_again(claims, datetime.fromisoformat(purpose.sent_at), promised)
        return identity_from(claims["iss"], claims["sub"], wish), purpose

    def _forget(self) -> None:
        """What the provider says of itself and its keys is kept for good, and asked anew after a failure: if half of it
        came in a bad moment, nobody would get in until the site is started again.
        """
        self._client.server_metadata = {}

    def _is_known(self) -> bool:
        """Whether its pages are known, so that it need not be asked for them; Authlib notes when it was."""
        return "_loaded_at" in self._client.server_metadata

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """A provider that hangs keeps some threads waiting, and no connection to the database."""
        release_connection()
        with _place(self._line, 0), _place(self._slots, SECONDS_FOR_A_TURN):
            yield


@contextmanager
def _place(places: threading.Semaphore, seconds: float) -> Iterator[None]:
    if not places.acquire(timeout=seconds):
        raise SchoolDoesNotAnswer("too many wait for it already")
    try:
        yield
    finally:
        places.release()


class SignedStates(FlaskIntegration):
    """In place of Authlib's own, which writes each log-in that begins into the session."""

    def set_state_data(self, session: Any, state: Any, data: Any) -> None:
        """It is in the state already."""

    def get_state_data(self, session: Any, state: str | None) -> dict[str, str] | None:
        try:
            _opened(state or "")
        except BadData:
            return None
        secrets_of_state = {"nonce": _derived("nonce", state), "code_verifier": _derived("verifier", state)}
        return {"redirect_uri": _way_back(), **secrets_of_state}

    def clear_state_data(self, session: Any, state: Any) -> None:
        """The provider takes each code once."""


def _states() -> URLSafeTimedSerializer:
    """The salt is another one with each form of what is signed: who is at the school while the site is renewed is told
    to try again.
    """
    return URLSafeTimedSerializer(current_app.secret_key or "", salt=f"at school {this_session().token}")


def _opened(state: str) -> Purpose:
    _random, purpose = _states().loads(state, max_age=STATE_SECONDS)
    return Purpose(*purpose)


def _derived(what: str, state: str | None) -> str:
    """Known to nobody but us, though the state stands in an address."""
    key = str(current_app.secret_key).encode()
    return hmac.new(key, f"{what}:{state}:{this_session().token}".encode(), hashlib.sha256).hexdigest()


def _way_back() -> str:
    return url_for("single_sign_on.back", _external=True)
