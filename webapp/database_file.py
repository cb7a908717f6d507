"""The file of an SQLite database: kept private, and watched while the site runs. Standard library only.

A connection goes on writing into a file that was deleted or replaced under it, and all that it acknowledges is lost.
So it is asked before each unit whether the name still leads to the file that is open.
"""

import os
import sqlite3
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from webapp.private_files import make_private_file, tighten

Identity = tuple[int, int] | None
BESIDE = ("", "-journal", "-wal", "-shm")  # what may lie beside a database, and belongs to it


class DatabaseFileLost(sqlite3.OperationalError):
    """The name of the database no longer leads to the file that is open."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} was {LOST}")


LOST = (
    "deleted or replaced while the site ran. Nothing is read or written any more. "
    "Stop the site, put the file back or restore a backup, then start it again"
)


class DatabaseFile:
    def __init__(self, path: str) -> None:
        self._path, self._wal = path, f"{path}-wal"
        self._identity = _identity(path)
        for ending in (*BESIDE, "-queue"):
            tighten(Path(path + ending), 0o600)

    def before_connecting(self) -> None:
        """A new database begins as a private file; for one that is lost SQLite would make another, an empty one."""
        if self._identity is None:
            with suppress(OSError):  # a folder that is missing, or that may not be written to: SQLite will say so
                make_private_file(Path(self._path))
            self._identity = _identity(self._path)
        elif self._identity != _identity(self._path):
            raise DatabaseFileLost(self._path)

    def after_connecting(self, connection: sqlite3.Connection, known: MutableMapping[str, Any]) -> None:
        """The file with the newest changes stays the same as long as a connection has it open: since its first look."""
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        known["wal"] = _identity(self._wal)

    def check(self, known: MutableMapping[str, Any]) -> None:
        if self._identity != _identity(self._path):
            raise DatabaseFileLost(self._path)
        if known["wal"] != _identity(self._wal):
            raise DatabaseFileLost(self._wal)


def _identity(path: str) -> Identity:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked before each unit, and this is the quickest way
    except OSError:
        return None
    return status.st_dev, status.st_ino
