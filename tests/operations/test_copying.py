"""A database moves from SQLite to PostgreSQL and back, and everything in it with it."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import NullPool, create_engine, inspect, text

from tests.competitions.agent_contests import Contest
from tests.conftest import SETTINGS, Browser
from tests.factories import enrolled, finished_game, make_classroom
from tests.postgres import PostgresServer
from tests.two_players import begin_game
from webapp import create_app
from webapp.accounts.queries import account_named
from webapp.competitions.agent_entries import replace_agent
from webapp.config import ROOT
from webapp.extensions import db
from webapp.operations import copying
from webapp.operations.copying import CannotCopy, checksum, copy_database
from webapp.operations.invariants import check, snapshot
from webapp.privacy.services import delete_account
from webapp.schema import COPYING, revision_of


@pytest.fixture
def bare_database(postgres: tuple[PostgresServer, str]) -> Iterator[str]:
    server, _ = postgres
    url = server.url(server.create())
    yield url
    server.drop(url)


@pytest.fixture
def file(new_database: Callable[[str], str], tmp_path: Path) -> str:
    """A database of SQLite in which people have played."""
    new_database("SQLite")
    app = create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(tmp_path), "TESTING": True})
    app.test_client_class = Browser
    room = make_classroom(app)
    ann, bob = enrolled(app, room, "ann", real_name="Änne 'O\\'Neil\\n\t"), enrolled(app, room, "bob")
    first = begin_game(ann, bob, 0, 3, 1, 4, 2)
    ann.send(f"{first}/rematch")
    bob.send(f"{first}/rematch")
    finished_game(ann)
    replace_an_agent(app)
    gone = enrolled(app, room, "gone")
    gone.start(cell=0)
    with app.app_context():
        delete_account(account_named("gone"))  # its game was the last one: no other game gets its id
        db.engine.dispose()
    return f"sqlite:///{tmp_path / 'noughts.db'}"


def replace_an_agent(app: Flask) -> None:
    """Its old entry names the new one, which comes after those of the reference players."""
    contest = Contest(app)
    [robot] = contest.enter("robot7")
    contest.start()
    with app.app_context():
        replace_agent(contest.about, robot.agent_id, version=1)


def sums(url: str) -> dict[str, tuple[int, str]]:
    with snapshot(url) as connection:
        return {table.name: checksum(connection, table) for table in db.metadata.sorted_tables}


def own_references(url: str) -> set[str]:
    """The tables that the database itself holds to naming rows of their own that are there."""
    with create_engine(url, poolclass=NullPool).connect() as connection:
        keys = inspect(connection).get_multi_foreign_keys().items()
    return {table for (_, table), found in keys if any(key["referred_table"] == table for key in found)}


def next_game_id(url: str) -> int:
    values = "VALUES ('next', 3, 3, 3, 'withdrawn', 'private', '2026-01-01', '2026-01-01', 0) RETURNING id"
    names = "public_id, rows, columns, in_a_row, status, visibility, created_at, ended_at, version"
    with create_engine(url, poolclass=NullPool).begin() as connection:
        number = connection.scalar(text(f"INSERT INTO game ({names}) {values}"))
        connection.execute(text("DELETE FROM game WHERE public_id = 'next'"))
    assert number is not None
    return int(number)


@pytest.mark.slow
def test_everything_moves_to_postgresql_and_back(
    file: str, bare_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "BATCH", 3)
    told: list[str] = []
    copy_database(file, bare_database, told.append)
    assert any("move, 3 of" in line for line in told)
    before = sums(file)
    assert sums(bare_database) == before and before["game"][0] == 3 and before["classroom_tally"][0] == 3
    assert check(bare_database) == [] and own_references(bare_database) == {"competition_entry", "game"}
    back = f"sqlite:///{tmp_path / 'back.db'}"
    copy_database(bare_database, back, told.append)
    assert sums(back) == before and check(back) == []
    assert next_game_id(file) == next_game_id(bare_database) == next_game_id(back)
    for place, sentence in ((bare_database, "not empty"), (back, "not empty")):
        with pytest.raises(CannotCopy, match=sentence):
            copy_database(file, place, told.append)


# Tells what it does until it comes to the table named, and is killed there.
KILLED = """
import os, sys
from webapp import create_app
from webapp.operations.copying import copy_database
source, target, table = sys.argv[1:]
tell = lambda words: os.kill(os.getpid(), 9) if f": {table}," in words else print(words)
with create_app({"NOUGHTS_INSTANCE": os.environ["NOUGHTS_INSTANCE"]}).app_context():
    copy_database(source, target, tell)
"""


def kill_copy(source: str, target: str, table: str, folder: Path) -> None:
    environment = os.environ | {"NOUGHTS_INSTANCE": str(folder), "DATABASE_URL": ""}
    words = [sys.executable, "-c", KILLED, source, target, table]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.slow
def test_a_copy_that_was_cut_short_says_so(file: str, bare_database: str, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'copy.db'}"
    for place in (target, bare_database):
        kill_copy(file, place, "move", tmp_path)
        assert revision_of(place) == COPYING
        with pytest.raises(CannotCopy, match="not empty"):
            copy_database(file, place, print)
    environment = {"DATABASE_URL": target, "NOUGHTS_INSTANCE": str(tmp_path)}
    words = [sys.executable, "-c", "from webapp.launcher.site import bring_database_up_to_date as go; go()"]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and "never finished" in done.stderr


def test_a_copy_that_differs_is_not_called_good(file: str, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"

    def spoil(words: str) -> None:
        if words.startswith("Comparing"):
            with create_engine(f"sqlite:///{target}", poolclass=NullPool).begin() as connection:
                connection.execute(text("UPDATE move SET cell = 8 - cell"))

    with pytest.raises(CannotCopy, match="differs from the original in the table move"):
        copy_database(file, str(target), spoil)
    assert revision_of(f"sqlite:///{target}") == COPYING


def test_only_a_database_of_this_version_is_copied(tmp_path: Path) -> None:
    with pytest.raises(CannotCopy, match="no database of Noughts"):
        copy_database(str(tmp_path / "nothing.db"), str(tmp_path / "copy.db"), print)
    assert not (tmp_path / "copy.db").exists()


def test_a_copy_that_was_never_finished_or_is_newer_is_not_copied_on(file: str, tmp_path: Path) -> None:
    shutil.copy(file.removeprefix("sqlite:///"), tmp_path / "old.db")
    for revision, told in ((COPYING, "itself a copy that was never finished"), ("9999", "by a newer version")):
        with closing(sqlite3.connect(tmp_path / "old.db")) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
        with pytest.raises(CannotCopy, match=told):
            copy_database(str(tmp_path / "old.db"), str(tmp_path / "copy.db"), print)


def copy_command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """As run.py runs it, in the folder where it is typed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NOUGHTS_INSTANCE": str(folder / "elsewhere")}
    program = [sys.executable, "-m", "flask", "--app", "wsgi", "copy-database", *words]
    return subprocess.run(program, cwd=folder, env=environment | {"DATABASE_URL": ""}, capture_output=True, text=True)


@pytest.mark.slow
def test_a_file_is_one_in_the_folder_where_the_command_is_typed(file: str, tmp_path: Path) -> None:
    """And a URL without a folder is one in the instance folder, as in the settings."""
    (tmp_path / "elsewhere").mkdir()
    for target in ("copy.db", "sqlite:///copy.db"):
        done = copy_command(tmp_path, "noughts.db", target)
        assert done.returncode == 0, done.stderr
    assert sums(str(tmp_path / "copy.db")) == sums(str(tmp_path / "elsewhere" / "copy.db")) == sums(file)


def test_a_copy_is_nobody_elses_to_read(file: str, tmp_path: Path) -> None:
    copy_database(file, str(tmp_path / "copy.db"), lambda _: None)
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_reached_or_read_is_told_in_words(file: str, tmp_path: Path) -> None:
    (tmp_path / "no.db").write_text("no database at all")
    nobody = "postgresql://noughts@127.0.0.1:9/noughts"
    for source, target, told in (
        (nobody, "copy.db", "to copy from cannot be read: .*refused"),
        (file, nobody, "to copy to cannot be used: .*refused"),
        ("mysql://localhost/noughts", "copy.db", "to copy from cannot be read: .*begins with postgresql://"),
        (file, "postgresql://localhost:port/noughts", "to copy to cannot be used: "),
        (str(tmp_path / "no.db"), "copy.db", "to copy from cannot be read: file is not a database"),
        (file, str(tmp_path / "no.db"), "to copy to cannot be used: file is not a database"),
        (file, str(tmp_path / "no-folder" / "copy.db"), "to copy to cannot be used: .*No such file or directory"),
    ):
        with pytest.raises(CannotCopy, match=told):
            copy_database(source, target, print)
