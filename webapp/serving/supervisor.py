"""Starts the workers, exchanges all of them for a new version, and stops them within two seconds."""

import logging
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Sequence
from typing import Any

from webapp.serving.child import DRAIN, LOOK_EVERY, STOP, Child, wait_for_any
from webapp.serving.daily import DailyCommand
from webapp.serving.metrics_folder import forget_gauges
from webapp.serving.worker_pool import CAN_FORK, PAUSE_SECONDS, run_pool

log = logging.getLogger("noughts.server")
START_SECONDS = 180.0  # on a busy machine a new version may take a minute
STOP_SECONDS = 1.7  # a little more than a pool gives its workers
RELOAD = "reload"


class Pool(Child):
    """The workers of one version, and the numbers that they have."""

    def __init__(self, method: str, numbers: list[int], *given: Any) -> None:
        self.numbers = numbers
        super().__init__(multiprocessing.get_context(method), run_pool, STOP_SECONDS, numbers, *given)


class Supervisor:
    def __init__(
        self, listener: socket.socket, count: int, app_name: str = "wsgi:app", daily: Sequence[DailyCommand] = ()
    ) -> None:
        self._listener, self._count, self._app_name, self._daily = listener, count, app_name, daily
        self._serving: Pool | None = None
        self._leaving: list[Pool] = []
        self._wish = ""
        self._next_start = 0.0

    def run(self) -> bool:
        """Until it is told to stop; False if it could not begin to serve."""
        self._listen_to_signals()
        try:
            # A fork of this process, which has loaded nothing of the app yet. Later ones find all as it is on disk.
            self._serving = self._new_pool("fork" if CAN_FORK else "spawn")
            can_serve = self._serving is not None or self._wish == STOP
            while can_serve and self._wish != STOP:
                self._look_after()
        finally:
            for command in self._daily:
                command.end()
            self._stop()
        return can_serve

    def _look_after(self) -> None:
        wait_for_any(self._pools)
        self._forget_ended()
        if self._wish == RELOAD:
            self._reload()
        if self._wish != STOP:  # a service manager that stops us sends the signal to the others too
            self._replace_crashed()
        for command in self._daily:
            command.run_if_due()

    @property
    def _pools(self) -> list[Pool]:
        return [*self._leaving, *([self._serving] if self._serving else [])]

    def _listen_to_signals(self) -> None:
        """SIGHUP asks for a new version, but a terminal that is closed sends it as well, and means the end."""
        if hasattr(signal, "SIGHUP"):  # not on Windows
            has_terminal = _has_terminal() and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN  # as nohup sets it
            signal.signal(
                signal.SIGHUP, lambda *_: self._ask_for(STOP if has_terminal and not _has_terminal() else RELOAD)
            )
        for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: self._ask_for(STOP))

    def _ask_for(self, wish: str) -> None:
        if self._wish != STOP:
            self._wish = wish

    def _forget_ended(self) -> None:
        for pool in self._leaving:
            pool.kill_if_overdue()
        for pool in [pool for pool in self._leaving if not pool.is_alive]:
            self._leaving.remove(pool)
            _forget_numbers(pool)

    def _new_pool(self, method: str = "spawn") -> Pool | None:
        """With all of its workers ready, or none."""
        used = {number for pool in self._pools for number in pool.numbers}
        free = [number for number in range(1, self._count + len(used) + 1) if number not in used]
        try:
            is_beside = any(pool.is_alive for pool in self._pools)
            pool = Pool(method, free[: self._count], self._listener, self._app_name, is_beside)
        except OSError as trouble:  # no memory or no file left, or its program is being replaced
            log.error("The workers could not be started: %s", trouble)
            return None
        ends_at = time.monotonic() + START_SECONDS
        while not pool.is_ready_within(LOOK_EVERY):
            if not pool.is_alive or self._wish == STOP or time.monotonic() > ends_at:
                pool.end(STOP)
                self._leaving.append(pool)  # not waited for here: whoever stops the site would wait twice
                return None
        return pool

    def _reload(self) -> None:
        """The new version begins to serve before the old one ends. One that does not start changes nothing."""
        self._wish = ""
        if new := self._new_pool():
            if self._serving:
                self._serving.end(DRAIN)
                self._leaving.append(self._serving)
            self._serving = new
        elif self._wish != STOP:
            log.error("The new version does not start; the old one goes on.")

    def _replace_crashed(self) -> None:
        if (crashed := self._serving) and not crashed.is_alive:
            self._serving = None
            _forget_numbers(crashed)
            log.error("The workers have ended by themselves; others take their place.")
        if self._serving is None and time.monotonic() >= self._next_start:
            self._next_start = time.monotonic() + PAUSE_SECONDS
            self._serving = self._new_pool()

    def _stop(self) -> None:
        for pool in self._pools:
            pool.end(STOP)
        while any(pool.is_alive for pool in self._pools):
            wait_for_any(self._pools)
            for pool in self._pools:
                pool.kill_if_overdue()


def _forget_numbers(pool: Pool) -> None:
    for number in pool.numbers:
        forget_gauges(number)


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True
