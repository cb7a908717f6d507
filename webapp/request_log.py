"""One line for each request, with the id that an error page shows. No query, form, cookie or token: no secrets."""

import logging
import re
import secrets
import time
from urllib.parse import quote

from flask import Flask, Response, g, request

from webapp.extensions import settings, settings_of
from webapp.json_log import set_up_log

log = logging.getLogger("noughts.requests")
SECRET_PATHS = {"/set-up/": "/set-up/<token>", "/join/": "/join/<code>"}
SECRET_BEGINNINGS = tuple(SECRET_PATHS)
LONGEST_PATH = 200  # none of ours is longer: whoever sends others must not fill the disk with them
AS_IT_IS = re.compile(r"[A-Za-z0-9/_.~-]*")


def init_app(app: Flask) -> None:
    app.before_request(begin_line)
    app.after_request(write_line)
    set_up_log(settings_of(app).log == "json")


def begin_line() -> None:
    g.request_id = secrets.token_hex(6)
    g.started = time.perf_counter()


def place() -> str:
    """Which request this is: its id and path. A line break in a path stays percent-encoded."""
    return f"{g.get('request_id', '-')} {request.method} {_path()}"


def _path() -> str:
    """Of an address that opens something by itself only the route. As JSON every address is its route."""
    if settings().log == "json":
        return request.endpoint or "none"
    path = request.path[:LONGEST_PATH]
    if path.startswith(SECRET_BEGINNINGS):
        return next(route for begin, route in SECRET_PATHS.items() if path.startswith(begin))
    return path if AS_IT_IS.fullmatch(path) else quote(path)


def write_line(response: Response) -> Response:
    if "request_id" not in g:  # The request failed before our first step, as with an unknown host.
        begin_line()
    milliseconds = (time.perf_counter() - g.started) * 1000
    measures = {"status": response.status_code, "milliseconds": round(milliseconds, 1)}
    log.info("%s %d %.1f ms", place(), response.status_code, milliseconds, extra=measures)
    response.headers["X-Request-Id"] = g.request_id
    return response
