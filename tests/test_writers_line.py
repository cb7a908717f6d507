"""Who writes to SQLite waits in line: for the threads of the same process, and at a file for other processes."""

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from tests.conftest import Browser, sqlite_only
from webapp.database import begin_writing, single_statements
from webapp.extensions import db
from webapp.prepared import writing
from webapp.writers_line import WritersLine

PATIENCE = 30
HOLD_FOR_EVER = (
    "import sys, time; from webapp.writers_line import WritersLine; "
    "line = WritersLine(sys.argv[1], 1); line.wait(); print('mine', flush=True); time.sleep(60)"
)


@pytest.fixture
def line_of_another_process(app: Flask) -> WritersLine:
    """A file that is opened once more is another's, whichever process that is."""
    return WritersLine(str(db_file(app)), PATIENCE)


def db_file(app: Flask) -> Path:
    return Path(app.config["NOUGHTS_INSTANCE"]) / "noughts.db"


@sqlite_only
def test_a_move_waits_for_its_turn_and_goes_on_when_it_comes(
    app: Flask, client: Browser, line_of_another_process: WritersLine
) -> None:
    address = client.start(cell=0, level="perfect")
    fields = {"csrf_token": client.csrf_token(address), "ply": 2, "cell": 8}
    answers: list[int] = []
    line_of_another_process.wait()
    post = threading.Thread(target=lambda: answers.append(client.post(f"{address}/moves", data=fields).status_code))
    post.start()
    post.join(0.5)
    assert post.is_alive() and answers == []
    line_of_another_process.leave()
    post.join(PATIENCE)
    assert answers == [303]


@sqlite_only
def test_every_way_to_write_takes_a_turn_and_gives_it_back(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []
    monkeypatch.setattr(WritersLine, "wait", lambda line: turns.append("wait"))
    monkeypatch.setattr(WritersLine, "leave", lambda line: turns.append("leave"))
    with app.app_context():
        with writing():
            assert turns == ["wait"]
        assert turns == ["wait", "leave"]
        with single_statements() as connection:
            connection.execute(text("DELETE FROM throttle"))
        assert turns == ["wait", "leave"] * 2
        begin_writing()
        assert turns == [*["wait", "leave"] * 2, "wait"]
        db.session.commit()
        assert turns == ["wait", "leave"] * 3
        begin_writing()
        db.session.rollback()
        assert turns == ["wait", "leave"] * 4
        db.session.execute(text("SELECT 1"))  # who only reads does not wait
        db.session.rollback()
        assert turns == ["wait", "leave"] * 4


def test_who_waits_too_long_is_told_that_the_database_is_busy(tmp_path: Path) -> None:
    line = WritersLine(str(tmp_path / "noughts.db"), 0.05)
    line.wait()
    with pytest.raises(sqlite3.OperationalError, match="database is locked"):
        line.wait()
    line.leave()
    line.wait()


def test_a_process_that_is_killed_in_its_turn_holds_nobody_up(tmp_path: Path) -> None:
    path = str(tmp_path / "noughts.db")
    with subprocess.Popen([sys.executable, "-c", HOLD_FOR_EVER, path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"mine\n"
        turn = threading.Thread(target=WritersLine(path, PATIENCE).wait)
        turn.start()
        turn.join(0.2)
        assert turn.is_alive()
        holder.kill()
        turn.join(PATIENCE)
        assert not turn.is_alive()


def test_where_there_can_be_no_file_threads_still_wait_for_one_another(tmp_path: Path) -> None:
    line = WritersLine(str(tmp_path / "no-such-folder" / "noughts.db"), 0.05)
    line.wait()
    with pytest.raises(sqlite3.OperationalError):
        line.wait()
    line.leave()
