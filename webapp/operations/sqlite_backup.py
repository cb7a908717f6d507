"""Backup and restore of an SQLite file. A plain copy of a file in use is no backup, so SQLite's own way is taken."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from webapp.errors import Refusal

ENDING = "db"
BESIDE = ("", "-journal", "-wal", "-shm")  # what may lie beside a database, and belongs to it


def path_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def back_up(url: str, file: Path) -> None:
    """Copy one moment of the database into a new file, whole or not at all, while others go on writing."""
    with closing(_open(path_of(url))) as live:
        _copy_into_file(live, file)


@contextmanager
def opened(_url: str, file: Path) -> Iterator[str]:
    """The backup as a database that can be looked at."""
    file.open("rb").close()  # SQLite would make a missing file
    yield f"sqlite:///{file.resolve()}"


def _copy_into_file(live: sqlite3.Connection, target: Path) -> None:
    with _draft_beside(target) as draft:
        with closing(_open(draft)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # so that the copy is one file
        draft.replace(target)
        _sync_folder(target.parent)


@contextmanager
def _draft_beside(target: Path) -> Iterator[Path]:
    """A file that only its owner may read (it will hold password hashes); gone afterwards unless it was moved."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(target.name + ".part")
    _remove(draft)
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield draft
    finally:
        _remove(draft)


def _remove(database: Path) -> None:
    for ending in BESIDE:
        database.with_name(database.name + ending).unlink(missing_ok=True)


def put_back(url: str, file: Path, aside: Path | None) -> None:
    """Make the database what the backup is, in one transaction, with all sessions ended.

    What was there is kept at `aside`.
    """
    database = path_of(url)
    with _draft_beside(database) as draft, closing(_open(file)) as backup, closing(_open(draft)) as copy:
        backup.backup(copy)
        copy.execute("DELETE FROM session")
        with closing(_alone_with(database, aside)) as target:
            copy.backup(target)


def _alone_with(database: Path, aside: Path | None) -> sqlite3.Connection:
    try:
        connection = _lock(database)
        if aside is not None:
            _copy_into_file(connection, aside)
        return connection
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:  # what is there is damaged: then its files are kept as they are
        _move(database, aside or database.with_name(database.name + ".damaged"))
        return _lock(database)


def _lock(database: Path) -> sqlite3.Connection:
    """A connection that shuts all others out: a request under way would write what it decided on old rows."""
    connection = _open(database, seconds=0.5)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = DELETE")  # refused while anybody else has the file open
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")  # the lock stays until the connection is closed
    except sqlite3.Error as error:
        connection.close()
        if "locked" in str(error):
            raise Refusal("Noughts is running on this database. Stop it, then restore.") from None
        raise
    return connection


def _move(database: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    for ending in BESIDE:
        if (file := database.with_name(database.name + ending)).exists():
            file.replace(target.with_name(target.name + ending))


def _open(path: Path, seconds: float = 5) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=seconds)


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk; SQLite itself has seen to the content. Windows cannot, and need not."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
