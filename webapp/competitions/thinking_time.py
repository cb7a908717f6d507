"""The time that an agent has in a game: a bank for all its moves, and an allowance on top for its first one. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

BANK_SECONDS = 60
START_SECONDS = 15
LEAST = 1  # microsecond: nobody thinks for no time at all


@dataclass(frozen=True)
class TimeRule:
    """Seconds. The allowance is for what happens once: a program that is loaded, a table that is built."""

    bank: float = BANK_SECONDS
    start: float = START_SECONDS

    @classmethod
    def of(cls, bank: int | None, start: int | None) -> "TimeRule":
        """As a competition has it; where it says nothing, the usual one. 0 says something."""
        return cls(BANK_SECONDS if bank is None else bank, START_SECONDS if start is None else start)

    def used(self, spent: Iterable[float]) -> float:
        """What is gone of the bank after moves that took so long each, in their order."""
        first, *others = [*spent] or [0.0]
        return max(0.0, first - self.start) + sum(others)

    def left(self, spent: Iterable[float]) -> float:
        """For the next move: what the bank still holds, and the allowance if it is the first one."""
        spent = [*spent]
        return self.bank - self.used(spent) + (0.0 if spent else self.start)

    @property
    def longest(self) -> timedelta:
        """That a first move can take."""
        return timedelta(seconds=self.bank + self.start)

    def is_over(self, spent: Iterable[float]) -> bool:
        return self.used(spent) > self.bank
