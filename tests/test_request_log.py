"""The line for each request: which one it was, and nothing that opens something. As JSON: tests/test_json_log.py."""

import logging

import pytest
from flask import Flask, Response

from webapp import request_log
from webapp.config import read_settings
from webapp.extensions import SETTINGS
from webapp.request_log import begin_line, place, write_line


@pytest.fixture
def alone() -> Flask:
    """Flask with the default settings, and nothing else of the site."""
    app = Flask("log")
    app.extensions[SETTINGS] = read_settings({})
    return app


def test_it_names_the_path_without_what_opens_something(alone: Flask) -> None:
    for asked, told in {
        "/games/abcdefghijkl?key=secret7": "/games/abcdefghijkl",
        "/set-up/secret7": "/set-up/<token>",
        "/join/secret7?next=lobby": "/join/<code>",
        "/games/" + "a" * 30000: "/games/" + "a" * 193,
        "/lobby%0D%0A1234 GET /made-up": "/lobby%0D%0A1234%20GET%20/made-up",
    }.items():
        with alone.test_request_context(asked, method="POST"):
            begin_line()
            assert place().split(" ", 1)[1] == f"POST {told}"


def test_its_id_is_the_one_that_the_answer_carries(
    alone: Flask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_log, "log", logging.getLogger("log of this test"))  # the site's own hands nothing on
    with alone.test_request_context("/lobby"), caplog.at_level(logging.INFO, "log of this test"):
        answer = write_line(Response(status=404))  # refused before the first step, as for an unknown host
        again = write_line(Response())
    assert answer.headers["X-Request-Id"] == again.headers["X-Request-Id"] != ""
    first, second = (record.getMessage() for record in caplog.records)
    assert first.startswith(f"{answer.headers['X-Request-Id']} GET /lobby 404 ") and " 200 " in second
