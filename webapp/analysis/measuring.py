"""How long each search takes on a position, really run: within a budget, and one measurement at a time."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from operator import itemgetter
from pathlib import Path
from typing import IO, NamedTuple

from webapp.errors import Refusal
from webapp.tictactoe import SEARCHES, Position, Search, walk_of

try:
    import fcntl
except ImportError:  # Windows, where one process serves
    fcntl = None  # type: ignore[assignment]

BUDGET = 0.1  # seconds of the server for one measurement, whatever the position
MOST_NODES = 100_000  # more are never run here, however quick the machine: plain minimax has 549,946 at the start
MOST_RUNS, FEWEST_RUNS = 3, 2
SLOW_NODE = 4e-6  # seconds: what a node is taken to cost before one was measured


class Times(NamedTuple):
    """The smallest and the largest time of some runs, in microseconds."""

    name: str
    runs: int
    smallest: int
    largest: int


class Measuring(Refusal):
    status = 409
    title = "Somebody else is measuring"

    def __init__(self) -> None:
        super().__init__("Another measurement was running, and that would make the times wrong. Press Measure again.")


def measure(position: Position, clock: Callable[[], float] = time.perf_counter) -> list[Times]:
    """The short searches first. A run that would not come to its end within the budget is not begun."""
    if position.is_over:
        return []
    deadline, node_costs, found = clock() + BUDGET, SLOW_NODE, []
    for nodes, search in sorted(((walk_of(s, position).counts.nodes, s) for s in SEARCHES.values()), key=itemgetter(0)):
        if nodes > MOST_NODES:
            break
        times = runs_until(deadline, search, position, nodes * node_costs, clock)
        if len(times) >= FEWEST_RUNS:
            found.append(Times(search.name, len(times), round(1e6 * min(times)), round(1e6 * max(times))))
        if times and nodes > 100:  # of a few nodes the root is the most, and costs more than the others
            node_costs = max(times) / nodes
    return found


def runs_until(
    deadline: float, search: Search, position: Position, expected: float, clock: Callable[[], float]
) -> list[float]:
    times: list[float] = []
    while len(times) < MOST_RUNS and clock() + max([expected, *times]) <= deadline:
        started = clock()
        search.run(position)
        times.append(clock() - started)
        expected = 0
    return times


class OneAtATime:
    """For all threads by a mutex, for all processes by a locked file, which the system unlocks if one dies."""

    def __init__(self, folder: str | Path) -> None:
        self._path, self._mutex = Path(folder) / "measuring", threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        if not self._mutex.acquire(blocking=False):
            raise Measuring
        try:
            with self._file() as file:
                lock(file)
                yield
        finally:
            self._mutex.release()

    def _file(self) -> AbstractContextManager[IO[str] | None]:
        try:
            return self._path.open("a")
        except OSError:  # no such folder, or nothing can be written there: then each process minds its own threads
            return nullcontext()


def lock(file: IO[str] | None) -> None:
    """Until it is closed."""
    if file is None or not fcntl:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Measuring from None
