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
from contextlib import contextmanager, suppress

try:
    import fcntl
except ImportError:  # Windows, where one process serves
    fcntl = None  # type: ignore[assignment]


IDLE_SECONDS = 5.0  # until the thread that waits for other processes ends


class WriteQueue:
    """Threads wait for one another at a mutex, processes at a locked file, which the system unlocks if one dies."""

    def __init__(self, database: str, patience: float) -> None:
        self._path, self._patience = f"{database}-queue", patience
        self._mutex = threading.Lock()
        self._file: int | None = None  # opened by the first who writes: a process must not share it with its parent
        self._waiter: _Waiter | None = None  # for a process that has not let go yet

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
        try:
            if self._file is not None:
                fcntl.flock(self._file, fcntl.LOCK_UN)
        finally:
            self._mutex.release()

    def _lock_file(self, deadline: float) -> bool:
        if not fcntl:
            return True
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if self._waiter is None or not self._waiter.is_at_it():
            with suppress(BlockingIOError):
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            if self._waiter is None or not self._waiter.begins():
                self._waiter = self._new_waiter(self._file)
        return self._waiter.gets_it_by(deadline)

    def _new_waiter(self, file: int) -> "_Waiter":
        waiter = _Waiter(file, self)
        waiter.start()
        return waiter

    def __del__(self) -> None:
        if self._file is not None:
            os.close(self._file)


class _Waiter(threading.Thread):
    """flock() knows no time limit, so a thread waits in it. Who gives up leaves it to whoever comes next; a lock that
    comes when nobody waits for it is given back. Where two processes write all the time nearly each turn is waited for,
    and to start a thread takes as long as a turn: so it stays until nobody has needed it for a while.
    """

    def __init__(self, file: int, owner: WriteQueue) -> None:
        super().__init__(name="write queue", daemon=True)
        self._file, self._owner = file, owner  # who closes the file when nobody knows it any more
        self._changed = threading.Condition(threading.Lock())
        self._is_at_it, self._is_wanted, self._has_ended = True, True, False

    def run(self) -> None:
        while self._is_needed():
            with suppress(OSError):  # then without the courtesy
                fcntl.flock(self._file, fcntl.LOCK_EX)
            with self._changed:
                self._is_at_it = False
                if not self._is_wanted:
                    fcntl.flock(self._file, fcntl.LOCK_UN)
                self._changed.notify_all()

    def _is_needed(self) -> bool:
        with self._changed:
            self._has_ended = not self._changed.wait_for(lambda: self._is_at_it, IDLE_SECONDS)
            return not self._has_ended

    def begins(self) -> bool:
        """False if it waits no more."""
        with self._changed:
            self._is_at_it = self._is_wanted = not self._has_ended
            self._changed.notify_all()
            return self._is_at_it

    def is_at_it(self) -> bool:
        """Somebody gave up before, and what they waited for comes to who asks now. False if it has come and gone."""
        with self._changed:
            self._is_wanted = self._is_at_it
            return self._is_at_it

    def gets_it_by(self, deadline: float) -> bool:
        with self._changed:
            self._is_wanted = self._changed.wait_for(lambda: not self._is_at_it, max(0.0, deadline - time.monotonic()))
            return self._is_wanted


def _busy() -> sqlite3.OperationalError:
    return sqlite3.OperationalError("database is locked")
