"""The queue in which those who write to SQLite wait for their turn.

SQLite lets one connection write at a time. The others sleep and ask again, in no order, and among a hundred some
are unlucky for so long that they are refused, while the lock lies idle during everybody's sleep. In the queue each
turn begins when the last one ends. It is a courtesy, not a guarantee: SQLite itself still decides who may write.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import fcntl
except ImportError:  # Windows, where one process serves
    fcntl = None  # type: ignore[assignment]


class WriteQueue:
    """Threads wait for one another at a mutex, processes at a locked file, which the system unlocks if one dies."""

    def __init__(self, database: str, patience: float) -> None:
        self._path, self._patience = f"{database}-queue", patience
        self._mutex = threading.Lock()
        self._file: int | None = None  # opened by the first who writes: a process must not share it with its parent

    def enter(self) -> None:
        """Wait for the turn, but not longer than the patience in all."""
        deadline = time.monotonic() + self._patience
        if not self._mutex.acquire(timeout=self._patience):
            raise _busy()
        try:
            is_ours = self._lock_file(deadline)
        except OSError:  # a full disk, a folder that may not be written to: then without the courtesy
            return
        except BaseException:  # a thread that cannot be started, or any other accident: the mutex is for the next one
            self._mutex.release()
            raise
        if not is_ours:
            self._mutex.release()
            raise _busy()

    @contextmanager
    def turn(self) -> Iterator[None]:
        self.enter()
        try:
            yield
        finally:
            self.leave()

    def leave(self) -> None:
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        self._mutex.release()

    def _lock_file(self, deadline: float) -> bool:
        if not fcntl:
            return True
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return self._wait_for_file(self._file, deadline)
        return True

    def _wait_for_file(self, file: int, deadline: float) -> bool:
        """flock() knows no time limit, so a thread waits in it; who gives up leaves thread and file to each other."""
        waiter = _Waiter(file)
        waiter.start()
        if waiter.locked.wait(max(0.0, deadline - time.monotonic())) or not waiter.give_up():
            return True
        self._file = None
        return False

    def __del__(self) -> None:
        if self._file is not None:
            os.close(self._file)


class _Waiter(threading.Thread):
    def __init__(self, file: int) -> None:
        super().__init__(name="write queue", daemon=True)
        self.file, self.locked = file, threading.Event()
        self._mutex, self._is_wanted = threading.Lock(), True

    def run(self) -> None:
        fcntl.flock(self.file, fcntl.LOCK_EX)
        with self._mutex:
            self.locked.set()
            if not self._is_wanted:
                os.close(self.file)  # and with it the lock

    def give_up(self) -> bool:
        """False if the lock came at the last moment."""
        with self._mutex:
            self._is_wanted = self.locked.is_set()
            return not self._is_wanted


def _busy() -> sqlite3.OperationalError:
    return sqlite3.OperationalError("database is locked")
