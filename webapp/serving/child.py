"""A process as the one that started it sees it: a pipe to say what is wished, and whether it is alive."""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

STOP, DRAIN, READY = "stop", "drain", "ready"
LOOK_EVERY = 0.1  # seconds


class Child:
    def __init__(self, context: Any, target: Callable[..., None], stop_seconds: float, *given: Any) -> None:
        """`target` is called with its end of the pipe, ours to be closed there, and what is given."""
        self._stop_seconds, self._kill_at = stop_seconds, math.inf
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=target, args=(theirs, self._pipe, *given))
        self._process.start()
        theirs.close()
        self.sentinel: int = self._process.sentinel

    @property
    def is_alive(self) -> bool:
        return bool(self._process.is_alive())

    def is_ready_within(self, seconds: float) -> bool:
        try:
            return bool(self._pipe.poll(seconds) and self._pipe.recv())
        except (EOFError, OSError):  # it has ended
            return False

    def end(self, wish: str) -> None:
        if wish == STOP:
            self._kill_at = min(self._kill_at, time.monotonic() + self._stop_seconds)
        with suppress(OSError):  # it has ended by itself
            self._pipe.send(wish)

    def kill_if_overdue(self) -> None:
        """It was told to stop, but may be loading the app still, or hang."""
        if time.monotonic() > self._kill_at:
            self._process.kill()


def wait_for_any(children: Sequence[Child], *others: Connection) -> None:
    """Until one of them ends or something comes, or for a moment: signals are looked at then."""
    alive = [child.sentinel for child in children if child.is_alive]
    if alive or others:
        wait([*alive, *others], LOOK_EVERY)
    else:
        time.sleep(LOOK_EVERY)
