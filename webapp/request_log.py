"""One line for each request, with the id that an error page shows. No query, form, cookie or token: no secrets."""

import logging
import secrets
import sys
import time
from urllib.parse import quote

from flask import Flask, Response, g, request

log = logging.getLogger("noughts.requests")
SECRET_PATHS = {"/set-up/": "/set-up/<token>", "/join/": "/join/<code>"}


def init_app(app: Flask) -> None:
    app.before_request(begin_line)
    app.after_request(write_line)
    ours = logging.getLogger("noughts")
    if not ours.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        ours.addHandler(handler)
        ours.setLevel(logging.INFO)
        ours.propagate = False


def begin_line() -> None:
    g.request_id = secrets.token_hex(6)
    g.started = time.perf_counter()


def place() -> str:
    """Which request this is: its id and path. A line break in a path stays percent-encoded."""
    return f"{g.get('request_id', '-')} {request.method} {_path()}"


def _path() -> str:
    """Of an address that opens something by itself only the route."""
    routes = (route for begin, route in SECRET_PATHS.items() if request.path.startswith(begin))
    return next(routes, None) or quote(request.path)


def write_line(response: Response) -> Response:
    if "request_id" not in g:  # The request failed before our first step, as with an unknown host.
        begin_line()
    milliseconds = (time.perf_counter() - g.started) * 1000
    log.info("%s %d %.1f ms", place(), response.status_code, milliseconds)
    response.headers["X-Request-Id"] = g.request_id
    return response
