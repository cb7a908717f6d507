"""Starts the workers, replaces one that crashed and all of them for a new version, stops them within two seconds."""

import logging
import math
import multiprocessing
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Any

from webapp.serving.daily import DailyBackups
from webapp.serving.metrics_folder import forget_gauges
from webapp.serving.worker import DRAIN, STOP, load, work

log = logging.getLogger("noughts.server")
LOOK_EVERY = 0.2  # seconds
START_SECONDS = 180.0  # on a busy machine a new version may take a minute
STOP_SECONDS, PAUSE_SECONDS = 1.5, 1.0
RELOAD = "reload"
CAN_FORK = sys.platform == "linux"


class Process:
    """A worker as the supervisor sees it."""

    def __init__(self, context: Any, app_name: str, listener: socket.socket, number: int, is_beside: bool) -> None:
        self.number, self._kill_at = number, math.inf
        self._pipe, theirs = context.Pipe()
        given = (app_name, listener, theirs, self._pipe, number, is_beside)
        self._process = context.Process(target=work, args=given, daemon=True)
        self._process.start()
        theirs.close()
        self.sentinel = self._process.sentinel

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
            self._kill_at = min(self._kill_at, time.monotonic() + STOP_SECONDS)
        with suppress(OSError):  # it has ended by itself
            self._pipe.send(wish)

    def kill_if_overdue(self) -> None:
        """It was told to stop, but may be loading the app still, or hang."""
        if time.monotonic() > self._kill_at:
            self._process.kill()

    def await_end(self) -> None:
        self._process.join(max(self._kill_at - time.monotonic(), 0))
        self._process.kill()
        self._process.join()


class Supervisor:
    def __init__(
        self, listener: socket.socket, count: int, app_name: str = "wsgi:app", backups: DailyBackups | None = None
    ) -> None:
        self._listener, self._count, self._app_name, self._backups = listener, count, app_name, backups
        self._context: Any = multiprocessing.get_context("fork" if CAN_FORK else "spawn")
        self._workers: list[Process] = []
        self._leaving: list[Process] = []
        self._wish = ""
        self._next_start = 0.0

    def run(self) -> bool:
        """Until it is told to stop; False if it could not begin to serve."""
        self._listen_to_signals()
        if CAN_FORK:
            load(self._app_name)  # once for all workers, who share what it takes
        self._workers = self._new_workers()
        can_serve = bool(self._workers) or self._wish == STOP
        while self._workers and self._wish != STOP:
            self._forget_ended()
            self._wait()
            if self._wish == RELOAD:
                self._reload()
            if self._wish != STOP:  # a service manager that stops us sends the signal to the workers too
                self._replace_crashed()
            if self._backups:
                self._backups.run_if_due()
        if self._backups:
            self._backups.end()
        self._stop()
        return can_serve

    def _wait(self) -> None:
        """Until a worker ends, or for a moment; signals are looked at then."""
        alive = [worker.sentinel for worker in self._workers + self._leaving if worker.is_alive]
        if alive:
            wait(alive, LOOK_EVERY)
        else:
            time.sleep(LOOK_EVERY)

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
        for worker in self._leaving:
            worker.kill_if_overdue()
        for worker in [worker for worker in self._leaving if not worker.is_alive]:
            self._leaving.remove(worker)
            forget_gauges(worker.number)

    def _new_worker(self, number: int, is_beside: bool = False) -> Process | None:
        """None where the machine has no memory or no file left for it, or its program is being replaced."""
        try:
            return Process(self._context, self._app_name, self._listener, number, is_beside)
        except OSError as trouble:
            log.error("A worker could not be started: %s", trouble)
            return None

    def _new_workers(self) -> list[Process]:
        """All of them ready, or none."""
        used = {worker.number for worker in self._workers + self._leaving}
        free = [number for number in range(1, self._count + len(used) + 1) if number not in used]
        wanted = [self._new_worker(number, is_beside=bool(self._workers)) for number in free[: self._count]]
        workers = [worker for worker in wanted if worker]
        ends_at = time.monotonic() + START_SECONDS
        for worker in wanted:
            while not (worker and worker.is_ready_within(LOOK_EVERY)):
                if not (worker and worker.is_alive) or self._wish == STOP or time.monotonic() > ends_at:
                    for failed in workers:
                        failed.end(STOP)
                    self._leaving += workers  # not waited for here: whoever stops the site would wait twice
                    return []
        return workers

    def _reload(self) -> None:
        """The new version begins to serve before the old one ends. One that does not start changes nothing."""
        self._wish = ""
        self._context = multiprocessing.get_context("spawn")  # what we have loaded is the old version
        if new := self._new_workers():
            for worker in self._workers:
                worker.end(DRAIN)
            self._leaving, self._workers = self._leaving + self._workers, new
        elif self._wish != STOP:
            log.error("The new version does not start; the old one goes on.")

    def _replace_crashed(self) -> None:
        for number, worker in enumerate(self._workers):
            if not worker.is_alive and time.monotonic() >= self._next_start:
                self._next_start = time.monotonic() + PAUSE_SECONDS
                forget_gauges(worker.number)
                if new := self._new_worker(worker.number):  # else it is tried again after the pause
                    log.error("A worker has ended by itself; another takes its place.")
                    self._workers[number] = new

    def _stop(self) -> None:
        workers = self._workers + self._leaving
        for worker in workers:
            worker.end(STOP)
        for worker in workers:
            worker.await_end()


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True
