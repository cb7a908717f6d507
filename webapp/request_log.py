"""One line for each request, with the id that an error page shows. No query, no form, no cookie: no secrets."""

import logging
import secrets
import sys
import time

from flask import Flask, Response, g, request
from werkzeug.urls import iri_to_uri

log = logging.getLogger("noughts.requests")


def init_app(app: Flask) -> None:
    app.before_request(begin_line)
    app.after_request(write_line)
    if not log.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False


def begin_line() -> None:
    g.request_id = secrets.token_hex(6)
    g.started = time.perf_counter()


def write_line(response: Response) -> Response:
    if "request_id" not in g:  # The request failed before our first step, as with an unknown host.
        begin_line()
    milliseconds = (time.perf_counter() - g.started) * 1000
    path = iri_to_uri(request.path)  # A line break in a path stays percent-encoded.
    log.info("%s %s %s %d %.1f ms", g.request_id, request.method, path, response.status_code, milliseconds)
    response.headers["X-Request-Id"] = g.request_id
    return response
