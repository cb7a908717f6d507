"""Promises about every route at once: tokens, reads that only read, and what happens when the database is away."""

import re
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event
from werkzeug.routing import IntegerConverter, Rule

import webapp.engine
from tests.conftest import SETTINGS, Browser, SetClock
from tests.factories import PASSWORD
from tests.live_server import LiveBrowser, LiveServer, live_server
from tests.tables import all_rows
from webapp import create_app
from webapp.config import ROOT
from webapp.extensions import db
from webapp.write_queue import WriteQueue

BrowserOf = Callable[[], Browser]
UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}


def path_of(app: Flask, rule: Rule, **known: str) -> str:
    """An address that this rule answers to, with the known arguments where it has them."""
    numbers = {name for name, converter in rule._converters.items() if isinstance(converter, IntegerConverter)}
    values = {name: known.get(name, 1 if name in numbers else "abcdefghijkl") for name in rule.arguments}
    return app.url_map.bind("localhost").build(rule.endpoint, values)


def routes(app: Flask, methods: set[str]) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if methods & (rule.methods or set())]


def routes_of_forms(app: Flask) -> list[Rule]:
    """Those that change something for whoever has the cookie; under /api it opens nothing (see tests/agents)."""
    return [rule for rule in routes(app, UNSAFE) if not rule.rule.startswith("/api/")]


def token_of(page: str) -> str:
    found = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', page)
    assert found
    return found[1]


@pytest.fixture
def owner(client: Browser, set_clock: SetClock) -> Browser:
    """Somebody with an account and a game, who has read what they were told. Their clock stands still."""
    client.sign_up()
    client.start(cell=0)
    client.get("/")
    return client


def game_of(browser: Browser) -> str:
    found = re.search(r'href="/games/([^"]+)"', browser.get("/").text)
    assert found
    return found[1]


# Tokens

def test_every_unsafe_route_wants_a_token(app: Flask, owner: Browser) -> None:
    game, before = game_of(owner), all_rows(app)
    paths = [(method, path_of(app, rule, public_id=game))
             for rule in routes_of_forms(app) for method in UNSAFE & (rule.methods or set())]  # fmt: skip
    assert len(paths) > 8
    for method, path in paths:
        for fields in ({}, {"csrf_token": ""}, {"csrf_token": "x" * 64}):
            fields |= {"name": "player7", "password": PASSWORD, "cell": "1", "ply": "2"}
            answer = owner.open(path, method=method, data=fields)
            assert (answer.status_code, "out of date" in answer.text) == (400, True), f"{method} {path}"
    assert all_rows(app) == before


def test_no_unsafe_route_takes_somebody_elses_token(app: Flask, owner: Browser, browser_of: BrowserOf) -> None:
    stranger, visitor = browser_of(), browser_of()
    stranger.sign_up("stranger")
    game, before = game_of(owner), all_rows(app)
    foreign = [stranger.csrf_token("/account"), visitor.csrf_token("/log-in")]
    for rule in routes_of_forms(app):
        for token in foreign:
            answer = owner.post(path_of(app, rule, public_id=game), data={"csrf_token": token, "cell": "1", "ply": "2"})
            assert answer.status_code == 400, rule.rule
    assert all_rows(app)["move"] == before["move"]
    assert all_rows(app)["game"] == before["game"]


@pytest.mark.parametrize("path", ["/log-in", "/sign-up", "/log-out", "/games"])
def test_a_visitors_forms_want_the_visitors_own_token(app: Flask, browser_of: BrowserOf, path: str) -> None:
    attacker, victim = browser_of(), browser_of()
    fields = {"name": "player7", "password": PASSWORD, "opponent": "computer", "cell": "0"}
    victim.get("/")
    assert victim.post(path, data={"csrf_token": attacker.csrf_token(), **fields}).status_code == 400
    assert browser_of().post(path, data={"csrf_token": attacker.csrf_token(), **fields}).status_code == 400
    assert not all_rows(app)["user"]


def test_a_token_dies_with_its_session(client: Browser) -> None:
    before = client.csrf_token()
    client.sign_up()
    assert client.post("/log-out", data={"csrf_token": before}).status_code == 400
    during = client.csrf_token("/account")
    client.send("/log-out")
    assert client.post("/log-in", data={"csrf_token": during, "name": "a"}).status_code == 400


def test_a_token_in_the_address_does_not_count(owner: Browser) -> None:
    token = owner.csrf_token("/account")
    assert owner.post(f"/log-out?csrf_token={token}").status_code == 400


def test_a_form_on_https_from_another_site_is_refused_even_with_the_token(app: Flask) -> None:
    client, url = app.test_client(), "https://localhost"
    token = token_of(client.get("/log-in", base_url=url).text)
    fields = {"csrf_token": token, "name": "player7", "password": PASSWORD}
    for referrer in ({}, {"Referer": "https://evil.example/"}, {"Referer": "http://localhost/log-in"}):
        assert client.post("/log-in", data=fields, base_url=url, headers=referrer).status_code == 400
    own = {"Referer": "https://localhost/log-in"}
    assert client.post("/log-in", data=fields, base_url=url, headers=own).status_code == 403


# Reads only read

@pytest.mark.slow
def test_no_get_changes_anything(app: Flask, owner: Browser, browser_of: BrowserOf) -> None:
    game, visitor = game_of(owner), browser_of()
    # Who is here is written down, as is when a session was last seen; and wrong codes in an address are counted.
    counts = ("presence", "throttle")
    before = all_rows(app, *counts)
    for rule in routes(app, {"GET"}):
        path = path_of(app, rule, public_id=game, filename="favicon.svg")
        for browser in (owner, visitor):
            for query in ("", "?cell=1&ply=2&name=x&password=y&next=accounts.log_out"):
                with browser.get(path + query) as answer:
                    assert answer.status_code < 500, path
                with browser.head(path) as answer:
                    assert answer.status_code < 500, path
        assert all_rows(app, *counts) == before, path


READ = re.compile(r'(?:form|args|values|arguments)(?:\.get|\.getlist)?[(\[,] ?"(\w+)"')
SOURCE = "".join(path.read_text() for path in (ROOT / "webapp").rglob("*.py"))
READ_OTHERWISE = {"name", "password", "current_password", "new_password", "result", "before", "after", "lobby", "game"}
# Every name of a form or a query that is read anywhere, but the token's: without a good one nothing else is read.
FIELDS = sorted({*READ.findall(SOURCE), *READ_OTHERWISE} - {"csrf_token"})


@pytest.mark.slow
def test_no_form_breaks_on_fields_that_no_page_sends(app: Flask, owner: Browser) -> None:
    strange = ["", "\0", "'; --", "{{7*7}}", "\u0440\ud7ff\U0001f600", "-1", str(2**70), "x" * 3000]
    game = game_of(owner)
    for rule in routes(app, {"POST"}):
        if rule.endpoint in ("accounts.log_out", "accounts.end_session"):
            continue
        for text in strange:
            fields = {"csrf_token": owner.csrf_token(), **dict.fromkeys(FIELDS, text)}
            answer = owner.post(path_of(app, rule, public_id=game), data=fields)
            assert answer.status_code < 500, f"{rule.endpoint} {text[:10]!r}"
            assert "out of date" not in answer.text, f"{rule.endpoint}: its token is good"


@pytest.mark.slow
def test_no_form_breaks_on_a_file_or_json_where_text_belongs_or_on_a_field_sent_twice(
    app: Flask, owner: Browser, browser_of: BrowserOf
) -> None:
    game = game_of(owner)
    for rule in routes(app, {"POST"}):
        browser = browser_of() if rule.endpoint in ("accounts.sign_up", "accounts.log_in") else owner
        if rule.endpoint in ("accounts.log_out", "accounts.end_session"):
            continue
        path, token = path_of(app, rule, public_id=game), browser.csrf_token("/sign-up" if browser != owner else "/")
        files = {name: (BytesIO(b"player8"), "file.txt") for name in FIELDS}
        twice = {name: ["player8", "player9"] for name in FIELDS}
        answers = [
            browser.post(path, data={"csrf_token": token, **fields}, content_type=kind)
            for fields, kind in ((files, "multipart/form-data"), (twice, None))
        ]
        for body in (dict.fromkeys(FIELDS, 7), [1]):
            answers.append(browser.post(path, json=body, headers={"X-CSRFToken": token}))
        assert not any("out of date" in answer.text for answer in answers), f"{rule.endpoint}: its token is good"
        shown_once = {2} if rule.endpoint == "agents.make" else set()  # the token, on a page of its own
        assert {answer.status_code // 100 for answer in answers} <= {3, 4} | shown_once, rule.endpoint


@pytest.mark.slow
def test_no_page_breaks_on_a_query_that_no_link_of_ours_has(app: Flask, owner: Browser) -> None:
    game = game_of(owner)
    for rule in routes(app, {"GET"}):
        for values in (["1" * 1000], ["", "%F0%9F%98%80"], ["%ED%A0%80"]):
            query = "&".join(f"{name}={value}" for name in FIELDS for value in values)
            with owner.get(f"{path_of(app, rule, public_id=game, filename='favicon.svg')}?{query}") as answer:
                assert answer.status_code < 500, f"{rule.endpoint} {values}"


@pytest.mark.slow
def test_no_route_breaks_on_arguments_that_no_page_sends(app: Flask, owner: Browser) -> None:
    strange = ["0", "-1", str(2**70), "'; --", "{{7*7}}", "\u0440", "%00", "x" * 3000, "..", "None", "\r\nX: y"]
    for rule in routes(app, {"GET", "POST"}):
        if not rule.arguments or rule.endpoint == "static":
            continue
        for text in strange:
            path = re.sub("<[^>]+>", lambda _, text=text: text, rule.rule)
            method = "GET" if "GET" in (rule.methods or ()) else "POST"
            data = {"csrf_token": owner.csrf_token(), "cell": "1", "ply": "2"} if method == "POST" else None
            answer = owner.open(path, method=method, data=data)
            assert answer.status_code in (400, 401, 404, 405, 303, 308), f"{method} {path[:60]}"
            assert answer.status_code != 303 or "/log-in" not in answer.location


# The database file

@pytest.fixture
def folder(empty_database: Path, tmp_path: Path) -> Path:
    """An instance folder with an SQLite file, whatever the other tests run on."""
    folder = tmp_path / "instance"
    folder.mkdir()
    shutil.copy(empty_database, folder / "noughts.db")
    return folder


@contextmanager
def app_in(folder: Path, **settings: Any) -> Iterator[Flask]:
    app = create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(folder), **settings})
    app.test_client_class = Browser
    try:
        yield app
    finally:
        with app.app_context():
            db.engine.dispose()


def test_the_files_hold_no_id_no_token_and_no_password(folder: Path) -> None:
    with app_in(folder) as app:
        client, other = app.test_client(), app.test_client()
        secrets = {PASSWORD, "battery staple", "a wrong password", "typed as a name"}
        secrets.add(client.csrf_token())
        client.start(cell=0)
        secrets |= {cookie.value for cookie in client._cookies.values()}
        client.sign_up()
        secrets |= {cookie.value for cookie in client._cookies.values()}
        secrets.add(client.csrf_token("/account"))
        with client.session_transaction() as session:
            secrets.add(session["csrf_token"])
        client.send("/account/password", current_password=PASSWORD, new_password="battery staple")
        other.log_in("player7", "a wrong password")
        other.log_in("typed as a name", "a wrong password")
        other.log_in("player7", "battery staple")
        secrets |= {cookie.value for browser in (client, other) for cookie in browser._cookies.values()}
        files = [path for path in folder.iterdir() if path.name != "compiled-templates"]  # the same for everybody
        assert {path.name for path in files} == {f"noughts.db{end}" for end in ("", "-wal", "-shm", "-queue")}
        stored = b"".join(path.read_bytes() for path in files)
    assert b"player7" in stored, "we look into the right files"
    assert len(secrets) > 10
    assert [secret for secret in secrets if secret.encode() in stored] == []


@contextmanager
def write_lock(folder: Path) -> Iterator[None]:
    """Somebody else is writing, and does not come to an end."""
    with closing(sqlite3.connect(folder / "noughts.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@pytest.fixture
def quickly_busy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """An app that does not wait long for the write lock."""
    monkeypatch.setattr(webapp.engine, "BUSY_SECONDS", 0.05)
    with app_in(folder) as app:
        yield app


def test_a_busy_database_is_said_to_be_busy_and_nothing_changes(folder: Path, quickly_busy: Flask) -> None:
    app = quickly_busy
    client, visitor = app.test_client(), app.test_client()
    client.sign_up()
    address = client.start(cell=0)
    client.get("/")
    token, fresh = client.csrf_token("/account"), visitor.csrf_token()
    before = all_rows(app)
    posts = [
        (client, f"{address}/moves", {"cell": "8", "ply": "2"}),
        (client, f"{address}/resign", {}),
        (client, "/games", {"opponent": "computer", "cell": "4"}),
        (client, "/log-out", {}),
        (client, "/account/password", {"current_password": PASSWORD, "new_password": "battery staple"}),
        (client, "/account/delete", {"password": PASSWORD}),
        (client, "/account/sessions/end-others", {}),
        (visitor, "/sign-up", {"name": "player8", "password": PASSWORD}),
        (visitor, "/log-in", {"name": "player7", "password": PASSWORD}),
        (visitor, "/games", {"opponent": "computer", "cell": "4"}),
    ]
    with write_lock(folder):
        for browser, path, fields in posts:
            answer = browser.post(path, data={"csrf_token": token if browser is client else fresh, **fields})
            assert answer.status_code == 503, path
            assert answer.headers["Retry-After"] == "2"
            assert "nothing was changed" in answer.text
            assert "sqlite" not in answer.text.lower()
            assert all_rows(app) == before, path
    assert client.post(posts[0][1], data={"csrf_token": token, **posts[0][2]}).status_code == 303
    assert visitor.post("/log-in", data={"csrf_token": fresh, **posts[8][2]}).status_code == 303


def test_pages_are_read_while_the_database_is_busy(folder: Path, quickly_busy: Flask, set_clock: SetClock) -> None:
    client = quickly_busy.test_client()
    client.sign_up()
    address = client.start(cell=0)
    client.get("/")
    set_clock.pass_time(minutes=5)
    with write_lock(folder):
        for path in ("/", "/account", address, "/readyz"):
            assert client.get(path).status_code == 200, "that one was seen cannot be written down, and need not be"
    assert client.get("/account").status_code == 200


def test_nobody_waits_twice_for_a_busy_database(
    folder: Path, quickly_busy: Flask, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = quickly_busy.test_client()
    client.sign_up()
    client.get("/")
    token = client.csrf_token("/account")
    set_clock.pass_time(minutes=5)
    asked: list[WriteQueue] = []
    enter = WriteQueue.enter
    monkeypatch.setattr(WriteQueue, "enter", lambda queue: asked.append(queue) or enter(queue))
    with write_lock(folder):
        answer = client.post("/account/sessions/end-others", data={"csrf_token": token})
    assert answer.status_code == 503
    assert len(asked) == 1


@pytest.mark.slow
def test_a_full_disk_is_said_and_nothing_is_lost(folder: Path) -> None:
    with app_in(folder, NOUGHTS_UNFINISHED_GAMES=1000) as app:
        client = app.test_client()
        client.sign_up()
        address = client.start(cell=0)
        client.get("/")
        token, before = client.csrf_token("/account"), all_rows(app)
        with app.app_context():
            event.listen(db.engine, "checkout", fill_the_disk)
            db.engine.dispose()
        started = [client.post("/games", data={"csrf_token": token, "cell": "4"}).status_code for _ in range(200)]
        assert started[-1] == 503
        assert set(started) == {303, 503}
        assert client.get(address).status_code == 200
        with app.app_context():
            event.remove(db.engine, "checkout", fill_the_disk)
            db.engine.dispose()
        after = all_rows(app)
        assert len(after["game"]) == len(before["game"]) + started.count(303), "what was answered is there, no more"
        assert client.post(f"{address}/moves", data={"csrf_token": token, "cell": 8, "ply": 2}).status_code == 303


def fill_the_disk(connection: sqlite3.Connection, *_more: object) -> None:
    """From now on the file may grow by no more than two pages."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (largest,) = connection.execute("PRAGMA max_page_count").fetchone()
    if largest > 2**20:
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")


def test_a_database_out_of_reach_is_said_to_everybody(folder: Path) -> None:
    with app_in(folder) as app:
        client = app.test_client()
        client.sign_up()
        token = client.csrf_token("/account")
    with app_in(folder, DATABASE_URL="sqlite:///not/there/noughts.db") as broken:
        again = broken.test_client()
        for cookie in client._cookies.values():
            again.set_cookie(cookie.key, cookie.value)
        for path in ("/", "/account", "/nowhere", "/log-in", "/readyz"):
            answer = again.get(path)
            assert answer.status_code == 503, path
            assert answer.headers["Retry-After"] == "2"
            assert answer.headers["X-Request-Id"] in answer.text
        assert again.post("/log-out", data={"csrf_token": token}).status_code == 503
        assert again.get("/healthz").status_code == 200
    with app_in(folder) as app:
        back = app.test_client()
        for cookie in again._cookies.values():
            back.set_cookie(cookie.key, cookie.value)
        assert back.get("/account").status_code == 200, "nobody was logged out by it"


# The real server

@pytest.fixture
def server(folder: Path) -> Iterator[LiveServer]:
    with live_server(folder) as server:
        yield server


def raw(server: LiveServer, request: str) -> str:
    """The whole answer, head and body, which may come in several pieces."""
    host = "Host: localhost\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request.replace(host, f"{host}Connection: close\r\n", 1).encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def test_the_real_server_keeps_the_promises_about_bodies_and_headers(server: LiveServer) -> None:
    start = "POST /log-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    chunked = raw(server, start + "Transfer-Encoding: chunked\r\n\r\n5\r\nname=\r\n0\r\n\r\n")
    assert chunked.startswith("HTTP/1.1 411 ")
    large = raw(server, start + "Content-Length: 3000000\r\n\r\nname=")
    assert large.startswith("HTTP/1.1 413 ")
    for answer in (chunked, large, raw(server, "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n")):
        assert "content-security-policy: default-src 'none'" in answer
        assert "x-request-id: " in answer
        assert not re.search(r"^server:|(uvicorn|werkzeug|flask|python)/\d", answer, re.IGNORECASE | re.MULTILINE)
    both = raw(server, start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    assert re.match(r"HTTP/1.1 4\d\d ", both)


def test_the_real_server_believes_nobody_about_where_it_is(server: LiveServer) -> None:
    """From this very machine either: without a proxy of the host's, who says so made it up."""
    lies = "X-Forwarded-Host: evil.example\r\nX-Forwarded-Prefix: /evil\r\nSCRIPT_NAME: /evil\r\nSCRIPT-NAME: /evil\r\n"
    lies += "X_Forwarded_Host: evil.example\r\nForwarded: host=evil.example\r\nX-Forwarded-Proto: evil\r\n"
    page = raw(server, f"GET /sign-up HTTP/1.1\r\nHost: localhost\r\n{lies}\r\n")
    assert 'href="/lobby"' in page and "evil" not in page
    answer = raw(server, f"GET /account HTTP/1.1\r\nHost: localhost\r\n{lies}\r\n")
    assert "location: /log-in" in answer


def test_the_servers_log_holds_lines_and_no_secrets(server: LiveServer) -> None:
    browser = LiveBrowser(server)
    browser.sign_up()
    browser.get("/nowhere?password=hunter2")
    said = server.log.read_text()
    assert re.search(r"^\S+ \S+ [0-9a-f]{12} GET /nowhere 404 \d+\.\d ms$", said, re.MULTILINE)
    for secret in ("hunter2", "correct horse", *browser.cookies.values()):
        assert secret not in said
