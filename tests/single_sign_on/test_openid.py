"""Log-in through a real OpenID provider that runs beside the tests."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from flask import Flask
from itsdangerous import URLSafeTimedSerializer

from tests.conftest import Browser, MakeApp, SetClock, sqlite_only
from tests.factories import make_user
from tests.meanwhile import all_at_once
from tests.single_sign_on.school import PATIENCE, School, running_school
from webapp.accounts.session_interface import this_session
from webapp.extensions import db
from webapp.single_sign_on.confirmation import NotConfirmed, check_asked_again

BACK = "http://localhost/log-in/school/back"


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    with running_school(tmp_path_factory.mktemp("school"), BACK) as school:
        yield school


def path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


def come(browser: Browser, school: School, person: str = "zoe", query: str = "") -> Any:
    """From the site to the school and back."""
    away = browser.get(f"/log-in/school{query}")
    assert away.status_code == 302
    return browser.get(path_of(school.send_back(away.location, person)))


@pytest.fixture
def site(make_app: MakeApp, school: School) -> Flask:
    return make_app(**school.settings)


@sqlite_only
@pytest.mark.slow
def test_somebody_from_the_school_chooses_a_name_once_and_comes_back_to_it(site: Flask, school: School) -> None:
    zoe: Any = site.test_client()
    assert 'href="/log-in/school?next=lobby.lobby"' in zoe.get("/log-in?next=lobby.lobby").text
    first = come(zoe, school, query="?next=lobby.lobby")
    assert first.location == "/log-in/school/first"
    page = zoe.get(first.location)
    assert 'value="zoe"' in page.text
    assert "<button" in page.text
    assert "3 to 20 characters" in zoe.send("/log-in/school/first", name="z").text
    assert zoe.send("/log-in/school/first", name="zed").location == "/lobby"
    account = zoe.get("/account").text
    assert "This site has no password of yours" in account
    assert zoe.send("/log-out").status_code == 303
    assert zoe.get("/history").status_code == 303  # logged out here
    again: Any = site.test_client()
    assert come(again, school).location == "/"
    assert "zed" in again.get("/account").text
    # An account without a password is deleted by who logs in at the school again, and its next visit is a first one.
    assert again.send("/account/delete", page="/account", name="zed").status_code == 403
    assert come(again, school, query="?confirm=1&next=privacy.delete_account").location == "/account/delete"
    assert again.send("/account/delete", name="zed").location == "/"
    assert come(site.test_client(), school).location == "/log-in/school/first"  # type: ignore[arg-type]


@sqlite_only
@pytest.mark.slow
def test_a_class_that_comes_back_at_once_waits_for_its_turns(
    make_app: MakeApp, school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.single_sign_on.openid.AT_ONCE", 1)
    monkeypatch.setattr("webapp.single_sign_on.openid.SECONDS_FOR_A_TURN", 60)
    app = make_app(**school.settings)
    ways = []
    for _ in range(6):
        browser: Any = app.test_client()
        way = path_of(school.send_back(browser.get("/log-in/school").location, "zoe"))
        ways.append(partial(browser.get, way))
    assert [answer.location for answer in all_at_once(ways)] == ["/log-in/school/first"] * 6


@sqlite_only
@pytest.mark.slow
def test_an_account_from_before_is_joined_after_its_password(site: Flask, school: School) -> None:
    make_user(site, "player7")
    browser: Any = site.test_client()
    come(browser, school, "max")
    wrong = browser.send("/log-in/school/join", name="player7", password="not the password")
    assert wrong.status_code == 403
    assert "The name or the password is wrong" in wrong.text
    assert browser.send("/log-in/school/join", name="player7", password="correct horse").location == "/"
    assert come(site.test_client(), school, "max").location == "/"  # type: ignore[arg-type]
    assert browser.get("/account/export").json["school_accounts"][0]["issuer"] == f"{school.address}/o"
    assert browser.send("/log-out").status_code == 303
    assert browser.log_in("player7").location == "/"  # the password goes on to open it


@sqlite_only
@pytest.mark.slow
def test_what_comes_back_opens_nothing_in_another_browser_or_when_changed(site: Flask, school: School) -> None:
    zoe: Any = site.test_client()
    way_back = path_of(school.send_back(zoe.get("/log-in/school").location, "zoe"))
    state = parse_qs(urlsplit(way_back).query)["state"][0]
    other: Any = site.test_client()
    other.get("/log-in")
    forged = way_back.replace(state, state[:-2] + "AA")
    for browser, address in ((other, way_back), (zoe, forged), (zoe, "/log-in/school/back?error=access_denied"),
                             (zoe, "/log-in/school/back"), (zoe, way_back.replace("code=", "code=x"))):  # fmt: skip
        answer = browser.get(address)
        assert answer.status_code == 403, address
        assert "did not let you in" in answer.text, address
    assert other.get("/log-in/school/first").location == "/log-in"
    assert zoe.get(way_back).location == "/log-in/school/first"
    assert zoe.get(way_back).status_code == 403  # the provider takes each code once


@sqlite_only
def test_who_went_to_the_school_before_the_site_was_renewed_is_told_to_try_again(site: Flask, school: School) -> None:
    browser: Any = site.test_client()
    browser.get("/log-in/school")
    with site.test_request_context(headers={"Cookie": f"noughts={browser.get_cookie('noughts').value}"}):
        old = URLSafeTimedSerializer(site.secret_key or "", salt=f"school log-in {this_session().token}")
        state = old.dumps(["as it was chosen", ""])
    answer = browser.get(f"/log-in/school/back?code=any&state={state}")
    assert answer.status_code == 403 and "Try again." in answer.text


@sqlite_only
@pytest.mark.slow
def test_who_takes_the_question_for_the_password_out_of_the_address_confirms_nothing(
    site: Flask, school: School, set_clock: SetClock
) -> None:
    """Somebody at a computer that was left open, in a browser that is logged in at the school too."""
    set_clock.moment = datetime.now(UTC)  # the provider has another clock
    left_open: Any = site.test_client()
    with requests.Session() as at_school:
        away = left_open.get("/log-in/school").location
        left_open.get(path_of(school.send_back(away, "zoe", at_school)))
        left_open.send("/log-in/school/first", name="zoe-left")
        set_clock.pass_time(minutes=5)  # since zoe has typed the password there
        away = left_open.get("/log-in/school?confirm=1&next=privacy.delete_account").location
        assert "prompt=login" in away and "max_age=0" in away
        changed = away.replace("&prompt=login", "").replace("&max_age=0", "")
        back = at_school.get(changed, allow_redirects=False, timeout=PATIENCE).headers["Location"]
        answer = left_open.get(path_of(back))
        assert answer.status_code == 403 and "did not ask for your password again" in answer.text
        logged_in = at_school.get(path_from_log_in(left_open), allow_redirects=False, timeout=PATIENCE)
        left_open.get(path_of(logged_in.headers["Location"]))  # nor does what came back for a log-in
    assert left_open.send("/account/delete", page="/account", name="zoe-left").status_code == 403


def path_from_log_in(browser: Browser) -> str:
    away = browser.get("/log-in/school?again=1").location
    assert away
    return away.replace("&prompt=login", "")


def test_a_provider_that_promises_the_time_of_the_log_in_must_tell_it() -> None:
    sent = datetime(2026, 9, 1, 8, tzinfo=UTC)
    at = sent.timestamp()
    good: list[tuple[dict[str, float], Any]] = [({"auth_time": at - 59}, ["auth_time"]), ({"auth_time": at}, None)]
    for claims, promised in (*good, ({}, ["sub"]), ({}, None)):
        check_asked_again(claims, sent, promised)
    bad: list[tuple[dict[str, Any], Any]] = [({"auth_time": at - 61}, None), ({"auth_time": "now"}, ["auth_time"])]
    for claims, promised in (*bad, ({}, ["sub", "auth_time"])):
        with pytest.raises(NotConfirmed):
            check_asked_again(claims, sent, promised)


@sqlite_only
def test_a_provider_that_does_not_answer_is_said_so(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(NOUGHTS_OIDC_ISSUER="http://127.0.0.1:9/nobody", NOUGHTS_OIDC_CLIENT_ID="noughts")
    answer = app.test_client().get("/log-in/school")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert "does not answer" in answer.text


@sqlite_only
def test_a_provider_that_hangs_keeps_few_waiting_and_no_connection(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.single_sign_on.openid.AT_ONCE", 1)
    monkeypatch.setattr("webapp.single_sign_on.openid.SECONDS_FOR_A_TURN", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as provider, ThreadPoolExecutor(1) as pool:
        issuer = f"http://127.0.0.1:{provider.getsockname()[1]}/o"
        app = make_app(NOUGHTS_OIDC_ISSUER=issuer, NOUGHTS_OIDC_CLIENT_ID="noughts")
        browser: Any = app.test_client()
        make_user(app, "player7")
        browser.log_in("player7")
        for _ in range(2):  # the second has the slot that the first gave back
            waits = pool.submit(browser.get, "/log-in/school?again=1")
            asked, _ = provider.accept()
            with asked, app.app_context():
                assert db.engine.pool.checkedout() == 0  # type: ignore[attr-defined]
                answer = app.test_client().get("/log-in/school")
                assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
                assert not waits.done()
            assert waits.result().status_code == 503


class WithoutKeys(BaseHTTPRequestHandler):
    """A provider that does not say where the keys to its tokens are."""

    def do_GET(self) -> None:
        issuer = f"http://{self.headers['Host']}"
        self.tell({"issuer": issuer, "authorization_endpoint": f"{issuer}/a", "token_endpoint": f"{issuer}/t"})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.tell({"access_token": "any", "token_type": "Bearer", "id_token": "any"})

    def tell(self, told: dict[str, str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())


@contextmanager
def serving(kind: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), kind) as server:
        threading.Thread(target=server.serve_forever, args=[0.02]).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@sqlite_only
def test_a_provider_that_says_too_little_of_itself_is_said_so(make_app: MakeApp) -> None:
    with serving(WithoutKeys) as issuer:
        app = make_app(NOUGHTS_OIDC_ISSUER=issuer, NOUGHTS_OIDC_CLIENT_ID="noughts")
        browser = app.test_client()
        state = parse_qs(urlsplit(browser.get("/log-in/school").location).query)["state"][0]
        answer = browser.get("/log-in/school/back", query_string={"code": "any", "state": state})
    assert answer.status_code == 503 and "does not answer" in answer.text


class WithoutEnd(WithoutKeys):
    """A provider that gives no token until the test lets it."""

    is_asked, may_answer = threading.Event(), threading.Event()

    def do_POST(self) -> None:
        self.is_asked.set()
        assert self.may_answer.wait(30)
        super().do_POST()


@sqlite_only
def test_who_goes_to_a_known_provider_waits_for_nobody_who_comes_back(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.single_sign_on.openid.AT_ONCE", 1)
    monkeypatch.setattr("webapp.single_sign_on.openid.SECONDS_FOR_A_TURN", 0.01)
    with serving(WithoutEnd) as issuer, ThreadPoolExecutor(1) as pool:
        app = make_app(NOUGHTS_OIDC_ISSUER=issuer, NOUGHTS_OIDC_CLIENT_ID="noughts")
        browsers: list[Any] = [app.test_client() for _ in range(2)]
        states = [parse_qs(urlsplit(one.get("/log-in/school").location).query)["state"][0] for one in browsers]
        ways = [f"/log-in/school/back?code=any&state={state}" for state in states]
        waits = pool.submit(browsers[0].get, ways[0])
        assert WithoutEnd.is_asked.wait(30)
        assert app.test_client().get("/log-in/school").status_code == 302
        assert browsers[1].get(ways[1]).status_code == 503 and not waits.done()
        WithoutEnd.may_answer.set()
        waits.result()


class OnceWithoutPages(WithoutKeys):
    """A provider that says nothing of itself at first, as while it starts, and then enough to begin with."""

    asked = 0

    def do_GET(self) -> None:
        OnceWithoutPages.asked += 1
        if self.asked == 1:
            self.tell({"status": "starting"})
        else:
            super().do_GET()


@sqlite_only
def test_what_a_provider_said_of_itself_in_a_bad_moment_is_not_kept(make_app: MakeApp) -> None:
    with serving(OnceWithoutPages) as issuer:
        app = make_app(NOUGHTS_OIDC_ISSUER=issuer, NOUGHTS_OIDC_CLIENT_ID="noughts")
        answers = [app.test_client().get("/log-in/school") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [503, 302, 302]
    assert OnceWithoutPages.asked == 2, "a good answer is kept"
