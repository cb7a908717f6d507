"""The workers of one version of the app: loaded once and forked, replaced when they crash, ended together.

A process between the supervisor and them, so that the supervisor itself holds no version: one that serves on because
the next does not start replaces its crashed workers by forks of what it has loaded, and workers share memory after a
reload too.
"""

import logging
import multiprocessing
import signal
import socket
import sys
import time
from multiprocessing.connection import Connection

from webapp.serving.child import DRAIN, READY, STOP, Child, wait_for_any
from webapp.serving.metrics_folder import forget_gauges
from webapp.serving.worker import load, load_slowly, work

log = logging.getLogger("noughts.server")
STOP_SECONDS, PAUSE_SECONDS = 1.4, 1.0
CAN_FORK = sys.platform == "linux"
FOR_THE_SUPERVISOR = ("SIGINT", "SIGHUP", "SIGBREAK")  # a terminal sends them to all of its processes


def run_pool(
    pipe: Connection, supervisors_end: Connection, numbers: list[int], listener: socket.socket, app_name: str,
    is_beside: bool,
) -> None:  # fmt: skip
    """What the process does. One that begins `is_beside` another, which serves, leaves it the processor."""
    supervisors_end.close()  # so that the pipe breaks if the supervisor is killed
    pool = WorkerPool(pipe, listener, app_name)
    pool.listen_to_signals()
    if CAN_FORK:
        (load_slowly if is_beside else load)(app_name)
    sys.exit(0 if pool.run(numbers) else 1)


class WorkerPool:
    def __init__(self, pipe: Connection, listener: socket.socket, app_name: str) -> None:
        self._pipe, self._listener, self._app_name = pipe, listener, app_name
        self._context = multiprocessing.get_context("fork" if CAN_FORK else "spawn")
        self._workers: dict[int, Child] = {}
        self._wish = ""
        self._next_start = 0.0

    def listen_to_signals(self) -> None:
        for name in FOR_THE_SUPERVISOR:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: self._ask_for(STOP))  # a service manager sends it to all of them

    def run(self, numbers: list[int]) -> bool:
        """Until it is told to end; False if not all workers could begin."""
        try:
            if can_serve := self._begin(numbers):
                self._pipe.send(READY)
            while can_serve and not self._wish:
                wait_for_any(self._children, self._pipe)
                self._obey()
                if not self._wish:
                    self._replace_crashed()
        finally:
            self._end()
        return can_serve

    @property
    def _children(self) -> list[Child]:
        return list(self._workers.values())

    def _ask_for(self, wish: str) -> None:
        if self._wish != STOP:
            self._wish = wish

    def _obey(self) -> None:
        try:
            if self._wish != STOP and self._pipe.poll():
                self._ask_for(self._pipe.recv())
        except (EOFError, OSError):  # the supervisor was killed
            self._ask_for(STOP)

    def _start(self, number: int) -> bool:
        """False where the machine has no memory or no file left for it."""
        given = (self._app_name, self._listener, number)
        try:
            self._workers[number] = Child(self._context, work, STOP_SECONDS, *given)
        except OSError as trouble:
            log.error("A worker could not be started: %s", trouble)
            return False
        return True

    def _begin(self, numbers: list[int]) -> bool:
        """All start at once; then each has to say that it is ready."""
        return all(self._start(number) for number in numbers) and all(map(self._is_ready, self._children))

    def _is_ready(self, worker: Child) -> bool:
        while worker.is_alive and not self._wish:
            if worker.is_ready_within(0.05):
                return True
            self._obey()
        return False

    def _replace_crashed(self) -> None:
        for number, worker in self._workers.items():
            if not worker.is_alive and time.monotonic() >= self._next_start:
                self._next_start = time.monotonic() + PAUSE_SECONDS
                forget_gauges(number)
                if self._start(number):  # else it is tried again after the pause
                    log.error("A worker has ended by itself; another takes its place.")

    def _end(self) -> None:
        """As it was told; told to stop meanwhile, sooner. Whoever could not even begin has nobody to answer."""
        told = ""
        self._wish = self._wish or STOP
        while any(worker.is_alive for worker in self._children):
            if told != self._wish:
                told = self._wish
                for worker in self._children:
                    worker.end(told)
            wait_for_any(self._children, *([self._pipe] if told == DRAIN else []))
            self._obey()
            for worker in self._children:
                worker.kill_if_overdue()
