"""The line in which those who write to SQLite wait for their turn.

SQLite lets one write at a time. The others ask again after a nap, in no order, and among a hundred some have
no luck for so long that they are turned away, while the lock lies idle during everybody's nap. In line each
turn begins when the last one ends. These are manners, not safety: SQLite itself still judges who may write.
"""

import os
import sqlite3
import threading
from contextlib import suppress

from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

try:
    import fcntl
except ImportError:  # Windows, where one process serves
    fcntl = None  # type: ignore[assignment]


class WritersLine:
    """Threads wait for one another at a lock, processes at a file; the system frees that when its holder is killed."""

    def __init__(self, database: str, patience: float) -> None:
        self._path, self._patience = f"{database}-line", patience
        self._turn = threading.Lock()
        self._file: int | None = None  # opened by the first who writes: a process must not share it with its parent

    def wait(self) -> None:
        if not self._turn.acquire(timeout=self._patience):
            raise sqlite3.OperationalError("database is locked")
        if fcntl:
            with suppress(OSError):  # a full disk, a folder that may not be written to: then without manners
                if self._file is None:
                    self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                fcntl.flock(self._file, fcntl.LOCK_EX)

    def leave(self) -> None:
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        self._turn.release()

    def __del__(self) -> None:
        if self._file is not None:
            os.close(self._file)


def wait_for_turn(connection: PoolProxiedConnection) -> None:
    """Called before a unit that writes; the turn is over when the connection goes back to its pool."""
    line = connection.info.get("line")
    if line is not None and not connection.info.get("has_turn"):
        line.wait()
        connection.info["has_turn"] = True


def end_turn(_connection: object, record: ConnectionPoolEntry) -> None:
    if record.info.pop("has_turn", False):
        record.info["line"].leave()
