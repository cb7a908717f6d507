"""Backup and restore of an SQLite file. A plain copy of a file in use is no backup, so SQLite's own way is taken."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from webapp.database_file import BESIDE
from webapp.errors import Refusal
from webapp.operations.drafts import NOT_KEPT, draft_beside, keep_as_backup
from webapp.operations.invariants import Look, snapshot
from webapp.private_files import make_private_file

NAME, ENDING, MAGIC = "SQLite", "db", b"SQLite format 3\0"


def path_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def back_up(url: str, file: Path, look: Look | None = None) -> None:
    """Copy one moment of the database into a new file, whole or not at all, while others go on writing.

    `look` gets to see what the backup holds.
    """
    with closing(_open(path_of(url))) as live:
        _copy_into_file(live, file, look)


@contextmanager
def opened(_url: str, file: Path) -> Iterator[str]:
    """The backup as a database that can be looked at."""
    file.open("rb").close()  # SQLite would make a missing file
    yield f"sqlite:///{file.resolve()}"


def _copy_into_file(live: sqlite3.Connection, target: Path, look: Look | None = None) -> None:
    with draft_beside(target) as draft:
        with closing(_open(draft)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # so that the copy is one file
            _end_sessions(copy)
        if look is not None:
            with snapshot(draft) as connection:
                look(connection)
        keep_as_backup(draft, target)


def _end_sessions(copy: sqlite3.Connection) -> None:
    """And codes and links. Nothing is left of them in the file, not even in pages given free."""
    copy.execute("PRAGMA secure_delete = ON")
    there = {name for (name,) in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for table in there.intersection(NOT_KEPT):  # an older backup has fewer
        copy.execute(f"DELETE FROM {table}")  # noqa: S608 - own names # nosec B608


def put_back(url: str, file: Path, aside: Path | None) -> None:
    """Make the database what the backup is, in one transaction, with all sessions ended.

    What was there is kept at `aside`.
    """
    database = path_of(url)
    with draft_beside(database) as draft, closing(_open(file)) as backup, closing(_open(draft)) as copy:
        backup.backup(copy)
        _end_sessions(copy)
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
    make_private_file(database)
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
