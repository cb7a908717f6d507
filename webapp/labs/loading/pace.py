"""How slow this machine is just now: a limit in seconds must ask the same of a file on every machine, busy or not.

Standard library only."""

import time
from collections.abc import Callable

USUAL = 0.04  # seconds for the piece of work, on the slow laptop for which the limits were chosen
STEPS = 100_000
EVERY = 5.0  # seconds from one measurement to the next


def piece_of_work() -> None:
    """What a search does, in small: numbers, lists and calls."""
    cells = [0] * 9
    for step in range(STEPS):
        cells[step % 9] = max(cells[step % 9], step)


class Pace:
    """Measures a known piece of work now and then."""

    def __init__(
        self, work: Callable[[], None] = piece_of_work, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.work, self.clock = work, clock
        self.measured_at, self.factor = float("-inf"), 1.0

    def slowness(self) -> float:
        """By how much a limit must grow here and now: 1 on an idle machine, 3 where everything takes three times as
        long as on that laptop. Never below 1: nobody gains by a short limit."""
        if self.clock() - self.measured_at > EVERY:
            self.measure()
        return self.factor

    def measure(self) -> float:
        began = self.clock()
        self.work()
        self.measured_at = self.clock()
        self.factor = max(1.0, (self.measured_at - began) / USUAL)
        return self.factor


PACE = Pace()
