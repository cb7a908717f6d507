"""Things that happen at the same time, in threads of their own."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

Result = TypeVar("Result")


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
