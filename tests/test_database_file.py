"""The watch over the file of a database; with a site on it: tests/operations/test_lost_file.py."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from webapp.database_file import DatabaseFile, DatabaseFileLost


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "noughts.db"


@pytest.fixture
def opened(file: Path) -> Iterator[tuple[DatabaseFile, dict[str, Any]]]:
    """A database of its own with a connection to it, and what is known of that."""
    watched, known = DatabaseFile(str(file)), dict[str, Any]()
    watched.before_connecting()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE something (id)")
        watched.after_connecting(connection, known)
        yield watched, known


def test_nothing_is_said_while_the_file_is_there(opened: tuple[DatabaseFile, dict[str, Any]], file: Path) -> None:
    watched, known = opened
    watched.check(known)
    file.rename(file.with_name("elsewhere"))
    with pytest.raises(DatabaseFileLost):
        watched.check(known)
    file.with_name("elsewhere").rename(file)
    watched.check(known)


@pytest.mark.parametrize("name", ["noughts.db", "noughts.db-wal"])
def test_one_that_was_deleted_or_replaced_is_named(
    name: str, opened: tuple[DatabaseFile, dict[str, Any]], file: Path
) -> None:
    watched, known = opened
    (file.with_name("other")).touch()
    file.with_name("other").replace(file.with_name(name))
    for _ in ("replaced", "deleted"):
        with pytest.raises(DatabaseFileLost, match=rf"{name} was deleted or replaced while the site ran"):
            watched.check(known)
        file.with_name(name).unlink(missing_ok=True)


def test_for_a_lost_one_no_empty_one_is_made(opened: tuple[DatabaseFile, dict[str, Any]], file: Path) -> None:
    file.unlink()
    with pytest.raises(DatabaseFileLost):
        opened[0].before_connecting()
    assert not file.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files by other means")
def test_a_new_one_begins_private_and_an_old_one_becomes_so(file: Path) -> None:
    DatabaseFile(str(file)).before_connecting()
    assert file.stat().st_mode & 0o777 == 0o600
    old = [file.with_name(file.name + ending) for ending in ("", "-journal", "-wal", "-shm", "-queue")]
    for path in old:
        path.touch()
        path.chmod(0o644)
    DatabaseFile(str(file))
    assert {path.stat().st_mode & 0o777 for path in old} == {0o600}


def test_in_a_folder_that_is_missing_sqlite_says_so_itself(tmp_path: Path) -> None:
    DatabaseFile(str(tmp_path / "missing" / "noughts.db")).before_connecting()
    assert list(tmp_path.iterdir()) == []
