"""Somebody holds PostgreSQL's locks, or the disk is full: people are told, and nothing is lost."""

import errno
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, text

import webapp.engine
from tests.conftest import POOLED, Browser, MakeApp
from tests.live_server import live_server
from tests.operations.answer_checks import check_beside
from tests.operations.players import Crowd
from webapp.operations.invariants import check


@pytest.mark.parametrize("database_kind", ["PostgreSQL", POOLED], indirect=True)
def test_a_lock_that_is_not_let_go_is_not_waited_for_without_end(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a tool that somebody left open in the middle of a change. (SQLite's one lock: tests/test_safety.py.)"""
    monkeypatch.setattr(webapp.engine, "BUSY_SECONDS", 0.2)
    app = make_app()
    browser: Browser = app.test_client()  # type: ignore[assignment]
    address = browser.start(cell=0, level="perfect")
    fields = {"csrf_token": browser.csrf_token(address), "ply": 2, "cell": 8}
    with create_engine(app.config["SQLALCHEMY_DATABASE_URI"], poolclass=NullPool).connect() as tool:
        tool.execute(text("LOCK TABLE game IN EXCLUSIVE MODE"))
        answer = browser.post(f"{address}/moves", data=fields)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
        assert "nothing was changed" in answer.text
        assert "Your turn" in browser.get(address).text  # who only reads does not wait
    assert browser.post(f"{address}/moves", data=fields).status_code == 303
    assert check(app.config["SQLALCHEMY_DATABASE_URI"]) == []


@pytest.mark.slow
def test_nothing_that_was_answered_is_lost_when_the_disk_is_full(small_disk: Path, tmp_path: Path) -> None:
    with live_server(tmp_path, NOUGHTS_INSTANCE=str(small_disk)) as server:
        with Crowd(server, 4) as crowd:
            crowd.wait_for_moves(20)
            fill_up(small_disk / "filler")
            crowd.wait_for_moves(20, status=503)
            (small_disk / "filler").unlink()
            crowd.wait_for_moves(20)
        server.kill()
        assert {entry["status"] for entry in crowd.log if "status" in entry} <= {303, 409, 503}
        assert check_beside(server.database, crowd.log, [server.log]) == []


def fill_up(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            assert error.errno == errno.ENOSPC
