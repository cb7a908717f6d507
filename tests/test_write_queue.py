"""Who writes to SQLite waits in the queue: for the threads of the same process, and at a file for other processes."""

import sqlite3
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from tests.conftest import Browser, sqlite_only
from webapp import write_queue
from webapp.database import reading, writing
from webapp.extensions import settings_of
from webapp.write_queue import WriteQueue

PATIENCE = 30
HOLD_FOR_EVER = (
    "import sys, time; from webapp.write_queue import WriteQueue; "
    "queue = WriteQueue(sys.argv[1], 1); queue.enter(); print('mine', flush=True); time.sleep(60)"
)


@pytest.fixture
def queue_of_another_process(app: Flask) -> WriteQueue:
    """A file that is opened once more is another's, whichever process that is."""
    return WriteQueue(str(db_file(app)), PATIENCE)


def db_file(app: Flask) -> Path:
    return settings_of(app).instance / "noughts.db"


@sqlite_only
def test_a_move_waits_for_its_turn_and_goes_on_when_it_comes(
    app: Flask, client: Browser, queue_of_another_process: WriteQueue
) -> None:
    address = client.start(cell=0, level="perfect")
    fields = {"csrf_token": client.csrf_token(address), "ply": 2, "cell": 8}
    answers: list[int] = []
    queue_of_another_process.enter()
    post = threading.Thread(target=lambda: answers.append(client.post(f"{address}/moves", data=fields).status_code))
    post.start()
    post.join(0.5)
    assert post.is_alive() and answers == []
    queue_of_another_process.leave()
    post.join(PATIENCE)
    assert answers == [303]


@sqlite_only
def test_who_writes_takes_a_turn_and_gives_it_back(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []
    monkeypatch.setattr(WriteQueue, "enter", lambda queue: turns.append("enter"))
    monkeypatch.setattr(WriteQueue, "leave", lambda queue: turns.append("leave"))
    with app.app_context():
        with writing() as connection:
            assert turns == ["enter"]
            connection.execute(text("DELETE FROM throttle"))
        assert turns == ["enter", "leave"]
        with suppress(ZeroDivisionError), writing():
            raise ZeroDivisionError
        assert turns == ["enter", "leave"] * 2
        with reading() as connection:  # who only reads does not wait
            connection.execute(text("SELECT 1"))
        assert turns == ["enter", "leave"] * 2


def test_who_waits_too_long_is_told_that_the_database_is_busy(tmp_path: Path) -> None:
    queue = WriteQueue(str(tmp_path / "noughts.db"), 0.05)
    queue.enter()
    with pytest.raises(sqlite3.OperationalError, match="database is locked"):
        queue.enter()
    queue.leave()
    queue.enter()


def test_a_process_that_never_lets_go_is_waited_for_no_longer_than_promised(tmp_path: Path) -> None:
    path = str(tmp_path / "noughts.db")
    holder, queue = WriteQueue(path, PATIENCE), WriteQueue(path, 0.05)
    before = set(threading.enumerate())
    for _ in range(2):  # the second time the queue has waited before, and got it
        holder.enter()
        for _ in range(3):
            with pytest.raises(sqlite3.OperationalError, match="database is locked"):
                queue.enter()
        assert len(set(threading.enumerate()) - before) == 1, "one thread waits, however many gave up"
        holder.leave()
        queue.enter()
        queue.leave()


def test_a_turn_that_comes_when_nobody_waits_for_it_any_more_is_given_back(tmp_path: Path) -> None:
    path = str(tmp_path / "noughts.db")
    holder, queue = WriteQueue(path, PATIENCE), WriteQueue(path, 0.05)
    holder.enter()
    with pytest.raises(sqlite3.OperationalError):
        queue.enter()
    holder.leave()
    holder.enter()
    holder.leave()
    queue.enter()


def test_the_thread_that_waits_is_kept_for_the_next_turns_and_ends_when_nobody_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "noughts.db")
    holder, queue = WriteQueue(path, PATIENCE), WriteQueue(path, PATIENCE)
    started: list[threading.Thread] = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda thread: (started.append(thread), start(thread)))

    def take_a_turn_after_another_process() -> None:
        holder.enter()
        turn = threading.Thread(target=lambda: (queue.enter(), queue.leave()), name="turn")
        turn.start()
        turn.join(0.02)
        holder.leave()
        turn.join(PATIENCE)
        assert not turn.is_alive()

    for _ in range(5):
        take_a_turn_after_another_process()
    waiters = [thread for thread in started if thread.name == "write queue"]
    assert len(waiters) == 1
    monkeypatch.setattr(write_queue, "IDLE_SECONDS", 0.01)
    take_a_turn_after_another_process()  # from now on it waits for so long only
    waiters[0].join(PATIENCE)
    assert not waiters[0].is_alive()
    take_a_turn_after_another_process()


def test_who_cannot_wait_for_want_of_a_thread_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "noughts.db")
    holder, queue = WriteQueue(path, PATIENCE), WriteQueue(path, 0.05)
    holder.enter()

    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError):
        patch.setattr(threading.Thread, "start", start)
        queue.enter()
    holder.leave()
    queue.enter()
    queue.leave()


def test_a_process_that_is_killed_in_its_turn_holds_nobody_up(tmp_path: Path) -> None:
    path = str(tmp_path / "noughts.db")
    with subprocess.Popen([sys.executable, "-c", HOLD_FOR_EVER, path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"mine\n"
        turn = threading.Thread(target=WriteQueue(path, PATIENCE).enter)
        turn.start()
        turn.join(0.2)
        assert turn.is_alive()
        holder.kill()
        turn.join(PATIENCE)
        assert not turn.is_alive()


def test_where_there_can_be_no_file_threads_still_wait_for_one_another(tmp_path: Path) -> None:
    queue = WriteQueue(str(tmp_path / "no-such-folder" / "noughts.db"), 0.05)
    queue.enter()
    with pytest.raises(sqlite3.OperationalError):
        queue.enter()
    queue.leave()
