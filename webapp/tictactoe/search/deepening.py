"""Deepening step by step: one ply, two plies, ... until the end is seen or the budget is spent."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from ..bitboard import Bitboard
from .forced import Forced
from .search import Report, Search, Value, Wrap


class BudgetSpent(Exception):
    pass


def no_clock() -> float:
    return 0


@dataclass(frozen=True)
class Deepening(Search):
    """For boards too large to search to the end. Its clock, if seconds are to count, is handed in."""

    most_nodes: float = inf
    most_seconds: float = inf
    clock: Callable[[], float] = no_clock
    answers_threats = True
    has_memory = True
    cuts_when = Forced.cuts_when

    @property
    def convention(self) -> str:
        return f"{self.step(horizon=0).convention} All steps are added up, the root of each counts."

    def value_function(self, bits: Bitboard, report: Report, wrap: Wrap) -> Value:
        return self.step(horizon=0).value_function(bits, report, wrap)

    def step(self, horizon: int) -> Forced:
        return Forced(self.name, self.title, self.description, remember=True, horizon=horizon)

    def examine(self, report: Report, wrap: Wrap) -> None:
        """Leave in the report what the last finished step found; the first, of one ply, always is."""
        first = report.position.free.bit_count() - 1
        limited = self.limited(report, wrap)
        for horizon in range(first, -1, -1):
            step = self.step(horizon)
            try:
                step.examine(report, wrap if horizon == first else limited)
            except BudgetSpent:
                return
            report.search = step
            if report.is_proven:
                return

    def limited(self, report: Report, wrap: Wrap) -> Wrap:
        """Stop the search, wherever it is, once the budget is spent."""
        deadline = self.clock() + self.most_seconds

        def limit(value: Value) -> Value:
            def limited_value(own: int, other: int, alpha: float, beta: float) -> float:
                if report.nodes >= self.most_nodes or self.clock() >= deadline:
                    raise BudgetSpent
                return value(own, other, alpha, beta)

            return wrap(limited_value)

        return limit
