"""PostgreSQL by setting alone: DATABASE_URL is all that differs, from the first start to a game."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import func, select

from tests.conftest import Browser, MakeApp
from tests.live_server import LiveBrowser, live_server
from tests.postgres import PATIENCE, PostgresServer
from webapp.accounts import logging_in
from webapp.accounts.models import KnownBrowser
from webapp.config import ROOT, database_url, read_settings
from webapp.database import writing
from webapp.extensions import db


@pytest.fixture
def bare_database(postgres: tuple[PostgresServer, str]) -> Iterator[str]:
    """The address of a database without tables."""
    server, _ = postgres
    name = server.create()
    yield server.url(name)
    server.drop(server.url(name))


def run_module(name: str, folder: Path, url: str) -> str:
    environment = os.environ | {"DATABASE_URL": url, "NOUGHTS_INSTANCE": str(folder)}
    done = subprocess.run([sys.executable, "-m", name], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_empty_database_is_filled_and_played_on(bare_database: str, tmp_path: Path) -> None:
    assert run_module("webapp.schema", tmp_path, bare_database) == "behind"
    with ThreadPoolExecutor(2) as app_servers:  # which start at the same time
        list(app_servers.map(lambda _: run_module("webapp.upgrade", tmp_path, bare_database), range(2)))
    assert run_module("webapp.schema", tmp_path, bare_database) == "current"
    with live_server(tmp_path, DATABASE_URL=bare_database) as server:
        browser = LiveBrowser(server)
        assert browser.sign_up().status == 303
        address = browser.start_game(cell=0)
        assert browser.send(f"{address}/resign", page="/").status == 303
        assert "1 finished game" in browser.get("/history").text
    assert not (tmp_path / "noughts.db").exists()


WAITING = """
from tests.postgres import running_postgres
with running_postgres() as server:
    print(server.folder, flush=True)
    input()
"""


def test_a_killed_test_run_leaves_no_server_behind(postgres: tuple[PostgresServer, str]) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", WAITING], cwd=ROOT, text=True, **pipes) as run:
        assert run.stdout
        folder = Path(run.stdout.readline().strip())
        assert (folder / "data" / "postmaster.pid").exists()
        run.kill()
    deadline = time.monotonic() + PATIENCE
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not folder.exists()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_both_spellings_of_the_address_are_understood(scheme: str) -> None:
    url = database_url(read_settings({"DATABASE_URL": f"{scheme}://noughts@localhost/noughts"}))
    assert url == "postgresql+psycopg://noughts@localhost/noughts"


def test_a_database_that_is_away_is_said_to_be_busy(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(DATABASE_URL=f"postgresql://postgres@/nothing?host={tmp_path}")
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503 and answer.headers["Retry-After"]


# SQLite takes a zero byte as it is, PostgreSQL's text has none; neither has numbers beyond 64 bits.
@pytest.mark.parametrize("path", ["/games/%00", "/games/%00/replay", "/players/a%00b", "/no%00page"])
def test_a_zero_byte_in_an_address_is_not_there(client: Browser, path: str) -> None:
    client.sign_up()
    assert client.get(path).status_code in (400, 404)


@pytest.mark.parametrize("name", ["play\0er7", "\0", "player7\0"])
def test_a_zero_byte_in_a_form_is_refused(client: Browser, name: str) -> None:
    assert client.sign_up(name).status_code == 400
    assert client.log_in(name).status_code in (400, 403)


@pytest.mark.parametrize("number", [2**31, 2**63, 2**70])
def test_a_huge_number_in_an_address_does_nothing(client: Browser, number: int) -> None:
    client.sign_up()
    assert client.send(f"/account/sessions/{number}/end").status_code in (303, 400, 404)


def test_a_new_browser_that_logs_in_several_times_at_once_is_remembered_once(app: Flask, client: Browser) -> None:
    client.sign_up()

    def remember(number: int) -> None:
        with app.app_context(), writing() as connection:
            logging_in.remember_browser(connection, 1, f"{number // 4:064}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(remember, range(24)))
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(KnownBrowser)) == 1 + 6
