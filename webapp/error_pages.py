"""Every error as a page with a sentence, a board and a way home."""

import json
import logging
from contextlib import suppress
from typing import Any

from flask import Flask, Response, current_app, g, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, SecurityError

from webapp.database import UNREACHABLE, CommitUnanswered
from webapp.database_file import LOST, DatabaseFileLost
from webapp.errors import NOT_FOUND, Refusal
from webapp.headers import LARGEST_BODY
from webapp.request_log import place

log = logging.getLogger("noughts.errors")
BUSY_FOR = 2

SENTENCES = {
    400: ("That request was not understood", "Go back to the page you came from, reload it, and try again."),
    403: ("Not allowed", "You are not allowed to open this page. If this is wrong, ask your instructor."),
    404: ("Not found", NOT_FOUND),
    405: ("This is not a page", "Only a form can use this address. Go to the page with the form, and send it there."),
    409: ("Somebody was quicker", "Something changed after you opened your page. Go back and reload it."),
    411: ("The length is missing", "The request did not say how long it is. Send it with a Content-Length."),
    413: ("Too much data", "You sent more than our pages ever send, so nothing was saved. Go back and send less."),
    429: ("Too many tries", "Wait a little, then try again."),
    500: ("Something broke here", "This was our mistake, and you lost nothing. Try again. If it happens again, tell "
          "the person who runs this site the number below."),
    503: ("Busy right now", "The database could not do this right now, so nothing was changed. Try again in a moment."),
}  # fmt: skip
FOR_PROGRAMS = {
    400: "The address or the body is not what this site takes. Nothing was changed.",
    404: "There is nothing at this address, or who asks is not allowed to see it.",
    411: "Send the body with a Content-Length: chunks are not taken.",
    413: f"The body has more than {LARGEST_BODY:,} bytes, which is the most. Nothing was changed.",
    500: "Something broke here. It was this site's mistake. Send the same again; if it breaks again, tell the "
         "person who runs this site the X-Request-Id of the answer.",
}  # fmt: skip
NOT_KNOWN = (
    "The database stopped while it saved this, so it may be saved or not. Go back and reload the page to see which.",
    "Saved or not",
)
NOT_KNOWN_TO_PROGRAM = (
    "The database stopped while it saved this, so it may be saved or not. Sent again, an answer counts once, but a new "
    "game may be there twice.",
)
FILE_IS_LOST = (
    "The database was moved while the site ran. Nothing was changed. Ask the person who runs this site to restart it.",
    "The database is gone",
)


def init_app(app: Flask) -> None:
    app.register_error_handler(Refusal, refused)
    app.register_error_handler(CSRFError, token_is_wrong)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(SecurityError, host_is_unknown)
    for kind in UNREACHABLE:
        app.register_error_handler(kind, database_is_busy)
    # Flask's own line holds the path as it came, line breaks and all.
    app.log_exception = log_exception  # type: ignore[method-assign]


def page(
    status: int, sentence: str | None = None, title: str | None = None, way_back: tuple[str, str] | None = None
) -> Response:
    known_title, known_sentence = SENTENCES.get(status, SENTENCES[400 if status < 500 else 500])
    if _is_asked_by_program():
        known = _words_for_program(status, known_sentence)
        return _told_to_program(status, known if sentence is None or sentence == NOT_FOUND else sentence)
    text = render_template(
        "errors/error.html",
        status=status,
        title=title or known_title,
        sentence=sentence or known_sentence,
        way_back=way_back,
        request_id=g.get("request_id", ""),
    )
    return Response(text, status)


def _is_asked_by_program() -> bool:
    return request.path.startswith("/api/") or request.path.endswith(".json")


def _words_for_program(status: int, for_people: str) -> str:
    if status == 405 and isinstance(error := request.routing_exception, MethodNotAllowed):
        taken = sorted({*(error.valid_methods or ())} - {"HEAD", "OPTIONS"})
        return f"This address takes {' or '.join(taken)}, not {request.method}."
    return FOR_PROGRAMS.get(status, for_people)


def _told_to_program(status: int, sentence: str) -> Response:
    return Response(json.dumps({"error": sentence}) + "\n", status, mimetype="application/json")


def refused(refusal: Refusal) -> Response:
    response = page(refusal.status, refusal.sentence, refusal.title, refusal.way_back)
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(refusal.retry_after)
    return response


def token_is_wrong(_error: CSRFError) -> Response:
    return page(
        400,
        "You logged in or out in another tab, or began to play there. Reload the page with the form, then try again.",
        "This form is out of date",
    )


def http_error(error: HTTPException) -> Any:
    if error.code is None or error.code < 400:
        return error
    response = page(error.code, way_back=_page_with_form() if error.code == 405 else None)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _page_with_form() -> tuple[str, str] | None:
    """The nearest page above the address of a form: a phone that opens its tabs again asks for what the form was sent
    to.
    """
    adapter, path = current_app.create_url_adapter(request), request.path
    while adapter and (path := path.rpartition("/")[0]):
        with suppress(HTTPException):
            adapter.match(path, "GET")
            return "To the page with the form", request.script_root + path
    return None


def host_is_unknown(_error: SecurityError) -> Response:
    """No address of ours can be built for a host that is not ours, so this is no page but a sentence."""
    sentence = "This site has another address. Ask the person who runs it."
    if _is_asked_by_program():
        return _told_to_program(400, sentence)
    return Response(f"{sentence}\nRequest {g.get('request_id', '')}\n", 400, mimetype="text/plain")


def log_exception(exc_info: Any) -> None:
    log.error("%s broke", place(), exc_info=exc_info)


def database_is_busy(error: Exception) -> Response:
    """Locked for too long, full, or out of reach: said as it is, with when to come back."""
    cause = getattr(error, "orig", error)  # not the statement, which holds what was sent
    log.error("%s %s", place(), " ".join(str(cause).split()))
    is_lost = isinstance(cause, DatabaseFileLost)
    if request.endpoint == "pages.readyz":  # asked by a machine; its host need not guess, strangers learn no path
        sentence = f"The database file was {LOST}." if is_lost else "The database does not answer."
        response = Response(f"{sentence}\nRequest {g.request_id}\n", 503, mimetype="text/plain")
    elif isinstance(cause, CommitUnanswered):
        response = page(503, *(NOT_KNOWN_TO_PROGRAM if _is_asked_by_program() else NOT_KNOWN))
    else:
        response = page(503, *(FILE_IS_LOST if is_lost else ()))
    response.headers["Retry-After"] = str(BUSY_FOR)
    return response
