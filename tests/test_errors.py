"""Error pages and logs: a sentence, a number to tell, a way home, and nothing that helps an attacker."""

import logging
import re
from collections.abc import Iterator

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient

from tests.conftest import Browser, MakeApp
from tests.factories import PASSWORD
from webapp.error_pages import SENTENCES
from webapp.headers import CONTENT_POLICY

SECRET = "what only the code knows"


class Broken(Exception):
    pass


@pytest.fixture
def failing(make_app: MakeApp) -> Flask:
    """An app as it serves (no error is shown to tests), with pages that fail."""
    app = make_app(TESTING=False, PROPAGATE_EXCEPTIONS=False)

    @app.get("/fail/<int:status>", endpoint="fail")
    def fail(status: int) -> str:
        abort(status, SECRET)

    @app.get("/break/<word>", endpoint="break")
    def break_(word: str) -> str:
        raise Broken(SECRET)

    return app


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What our log says while the test runs."""
    said: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(self.format(record))

    listener = Listener()
    logging.getLogger("noughts").addHandler(listener)
    yield said
    logging.getLogger("noughts").removeHandler(listener)


def test_each_error_has_its_sentence_its_number_and_a_way_home(failing: Flask) -> None:
    for status, (title, sentence) in SENTENCES.items():
        answer = failing.test_client().get(f"/fail/{status}")
        assert answer.status_code == status
        for text in (title, sentence, answer.headers["X-Request-Id"], 'href="/"'):
            assert text in answer.text, status
        assert answer.headers["Content-Security-Policy"] == CONTENT_POLICY
        assert answer.headers["Cache-Control"] == "no-store"
        assert SECRET not in answer.text


def test_every_error_that_the_site_promises_has_a_page() -> None:
    assert {400, 403, 404, 405, 409, 411, 413, 429, 500, 503} <= set(SENTENCES)


def test_an_error_that_nobody_foresaw_has_a_page_too(failing: Flask) -> None:
    for status in (401, 410, 415, 418, 422, 501, 502):
        answer = failing.test_client().get(f"/fail/{status}")
        assert answer.status_code == status
        assert SENTENCES[400 if status < 500 else 500][1] in answer.text


def test_what_breaks_shows_no_trace_and_no_version(failing: Flask) -> None:
    answer = failing.test_client().get("/break/it")
    assert answer.status_code == 500
    assert SENTENCES[500][0] in answer.text
    for word in ("Traceback", "Broken", SECRET, ".py", "Werkzeug", "Flask", "SQLAlchemy", "Python/"):
        assert word not in answer.text + str(answer.headers), word


def test_what_breaks_while_somebody_is_logged_in_keeps_them_logged_in(failing: Flask) -> None:
    browser = failing.test_client()
    browser.sign_up()
    assert "player7" in browser.get("/break/it").text
    assert browser.get("/account").status_code == 200


def test_debugging_is_off(failing: Flask) -> None:
    assert not failing.debug
    assert failing.test_client().get("/console").status_code == 404
    assert failing.test_client().get("/?__debugger__=yes&cmd=resource&f=debugger.js").mimetype == "text/html"


def test_a_link_to_a_form_says_how_it_answers(client: Browser) -> None:
    answer = client.get("/log-out")
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "OPTIONS, POST" or set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}


def test_who_opens_the_address_of_a_form_is_shown_the_way_to_its_page(client: Browser, make_app: MakeApp) -> None:
    pages = {"/account/password": "/account", "/competitions/abc/enter": "/competitions/abc", "/log-out": None}
    for address, above in pages.items():
        answer = client.get(address)
        found = re.search('href="([^"]+)">To the page with the form', answer.text)
        assert answer.status_code == 405 and (found and found[1]) == above, address
    mounted = make_app(NOUGHTS_PREFIX="/noughts").test_client()
    assert 'href="/noughts/account">To the page' in mounted.get("/noughts/account/password").text


def test_a_form_without_its_token_says_what_to_do(client: Browser) -> None:
    answer = client.post("/log-in", data={"name": "player7", "password": PASSWORD})
    assert answer.status_code == 400
    assert "out of date" in answer.text
    assert "Reload the page" in answer.text


def test_a_visitor_with_two_tabs_is_told_what_the_other_tab_did(client: Browser) -> None:
    old = {"csrf_token": client.csrf_token("/"), "opponent": "computer"}
    client.start(cell=0)
    assert "or began to play there" in client.post("/games", data=old).text


def test_a_refusal_of_ours_has_the_same_page(client: Browser) -> None:
    answer = client.send("/games", opponent="computer", level="impossible")
    assert answer.status_code == 400
    assert "There is no such level" in answer.text
    assert answer.headers["X-Request-Id"] in answer.text


# The log

def test_each_request_is_one_line_with_its_number(client: Browser, lines: list[str]) -> None:
    answer = client.get("/nowhere?token=secret")
    assert len(lines) == 1
    assert re.fullmatch(r"[0-9a-f]{12} GET /nowhere 404 \d+\.\d ms", lines[0])
    assert lines[0].startswith(answer.headers["X-Request-Id"])


def test_no_secret_reaches_the_log(failing: Flask, lines: list[str]) -> None:
    browser: FlaskClient = failing.test_client()
    assert isinstance(browser, Browser)
    browser.sign_up()
    browser.log_in("player7", "a wrong password")
    browser.send("/account/password", current_password=PASSWORD, new_password="battery staple")
    browser.get("/?password=battery+staple&csrf_token=abc")
    headers = {"Authorization": "Bearer letmein", "Referer": "/?q=letmein"}
    browser.get("/break/it?password=battery+staple", headers=headers)
    cookie = browser.get_cookie("noughts")
    assert cookie is not None
    said = "\n".join(lines)
    for secret in (PASSWORD, "a wrong password", "battery", "csrf_token", "letmein", cookie.value, "player7"):
        assert secret not in said, secret


FORGED = "%0d%0a2026-01-01 000000000000 GET forged 200 0.1 ms"


def test_a_path_cannot_forge_or_break_a_line(failing: Flask, lines: list[str]) -> None:
    for path in (f"/x{FORGED}", f"/games/a{FORGED}", "/%1b[2J", "/%00", "/%2F[x", "/%ff", "/\u2028"):
        lines.clear()
        assert failing.test_client().get(path).status_code in (404, 308), path
        assert len(lines) == 1
        assert lines[0].isascii()
        assert lines[0].isprintable()


def test_neither_can_the_path_of_a_page_that_broke(failing: Flask, lines: list[str]) -> None:
    answer = failing.test_client().get(f"/break/it{FORGED}")
    assert answer.status_code == 500
    trace, line = lines
    assert trace.splitlines()[0].startswith(f"{answer.headers['X-Request-Id']} GET /break/it%0D%0A")
    assert SECRET in trace, "the host can see what broke"
    assert line.startswith(answer.headers["X-Request-Id"])
    assert not any(line.startswith("2026") for line in trace.splitlines())


def test_a_number_sent_along_is_not_taken_over(client: Browser) -> None:
    assert client.get("/", headers={"X-Request-Id": "mine"}).headers["X-Request-Id"] != "mine"


def test_a_program_is_answered_in_json_and_without_a_session(app: Flask) -> None:
    answer = app.test_client().get("/api/v1/nothing")
    assert (answer.status_code, answer.mimetype) == (404, "application/json")
    assert answer.json == {"error": "There is nothing at this address, or who asks is not allowed to see it."}
    assert "Set-Cookie" not in answer.headers and answer.headers["X-Content-Type-Options"] == "nosniff"
