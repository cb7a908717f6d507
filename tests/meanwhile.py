"""Things that happen at the same time, in threads of their own."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Generic, ParamSpec, TypeVar

from flask import Flask
from sqlalchemy import text

from webapp.extensions import db

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


def meanwhile(action: Callable[[], Result]) -> Result:
    """Do something else from beginning to end while the caller's own request is still under way."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(action).result()


def all_at_once(actions: Iterable[Callable[[], Result]]) -> list[Result]:
    """Do all of them, each in its thread, none before all are ready."""
    waiting = list(actions)
    barrier = Barrier(len(waiting))

    def do(action: Callable[[], Result]) -> Result:
        barrier.wait()
        return action()

    with ThreadPoolExecutor(len(waiting)) as pool:
        return list(pool.map(do, waiting))


class Halfway(Generic[Arguments, Result]):
    """In place of a function within a unit that writes, on PostgreSQL: called for the first time, it comes back when
    what `after` gives is done, or waits for a lock. So that begins in the middle of the unit.
    """

    def __init__(self, app: Flask, function: Callable[Arguments, Result]) -> None:
        self._app, self._function, self._is_there, self._is_done = app, function, Event(), Event()

    def __call__(self, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        result = self._function(*arguments, **named)
        if not self._is_there.is_set():
            self._is_there.set()
            self._wait_for_the_other()
        return result

    def _wait_for_the_other(self) -> None:
        with self._app.app_context(), db.engine.connect() as connection:
            ends_at = time.monotonic() + 30
            waits = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            while not (self._is_done.is_set() or connection.scalar(waits)):
                assert time.monotonic() < ends_at, "it neither ends nor waits"
                time.sleep(0.005)

    def after(self, action: Callable[[], Result]) -> Callable[[], Result]:
        def do() -> Result:
            assert self._is_there.wait(30)
            try:
                return action()
            finally:
                self._is_done.set()

        return do
