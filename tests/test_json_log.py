"""The log as JSON: a line for a program, with nobody's name in it. In a real run: tests/operations/test_metrics.py."""

import json
import logging
import sys

from flask import Flask

from tests.conftest import MakeApp, sqlite_only
from webapp.json_log import JsonLines
from webapp.request_log import place


def record(sentence: str, *words: object, exc_info: bool = False) -> dict[str, object]:
    trouble = sys.exc_info() if exc_info else None
    made = logging.LogRecord("noughts.errors", logging.ERROR, "", 0, sentence, words, trouble)
    line = JsonLines().format(made)
    assert "\n" not in line
    return dict(json.loads(line))


@sqlite_only
def test_an_accident_tells_its_kind_and_place_but_quotes_nothing(make_app: MakeApp) -> None:
    app: Flask = make_app(NOUGHTS_LOG="json")
    with app.test_request_context("/players/player7?code=abc", method="GET"):
        app.preprocess_request()
        try:
            raise ValueError("player7 sent this")
        except ValueError:
            found = record("%s broke", place(), exc_info=True)
    assert "player7" not in str(found) and "abc" not in str(found)
    assert found["exception"] == "ValueError"
    assert "test_json_log.py" in str(found["at"])
    assert (found["method"], found["route"], found["level"]) == ("GET", "history.player", "error")
    assert str(found["message"]).endswith(" GET history.player broke")
    assert str(found["time"]).endswith("+00:00")


def test_outside_a_request_a_line_has_its_message() -> None:
    found = record("A worker has ended\nby itself.")
    assert (found["message"], found["worker"]) == ("A worker has ended\nby itself.", 0)
    assert "route" not in found
