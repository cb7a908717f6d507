"""Deepening step by step: one ply, two plies, ... until the end is seen or the budget is spent."""

from collections.abc import Callable
from math import inf

from ..bitboard import Bitboard
from ..position import Position
from .forced import Forced
from .search import Report, Search
from .tally import Tally, Value, Wrap


class OutOfBudget(Exception):
    pass


class Deepening(Search):
    """For boards too large to search to the end. The budget is in nodes, or seconds of a clock handed in."""

    def __init__(
        self,
        name: str = "deepening",
        title: str = "Deepening",
        description: str = "",
        nodes: float = inf,
        seconds: float = inf,
        clock: Callable[[], float] = lambda: 0,
    ) -> None:
        self.name, self.title, self.description = name, title, description
        self.nodes, self.seconds, self.clock = nodes, seconds, clock

    def value_function(self, bits: Bitboard, tally: Tally, wrap: Wrap) -> Value:
        return self.step(0).value_function(bits, tally, wrap)

    def step(self, horizon: int) -> Forced:
        return Forced(self.name, self.title, self.description, remember=True, horizon=horizon)

    def examine(self, position: Position, every_cell: bool, tally: Tally, wrap: Wrap) -> Report:
        """The report of the last finished step, with the nodes of all. One ply is always looked at."""
        free = position.free.bit_count()
        report = self.step(free - 1).examine(position, every_cell, tally, wrap)
        limited = self.limited(tally, wrap)
        for horizon in range(free - 2, -1, -1):
            if abs(report.score) >= 1:
                break
            try:
                report = self.step(horizon).examine(position, every_cell, tally, limited)
            except OutOfBudget:
                break
        return report._replace(
            nodes=tally.nodes, leaves=tally.leaves, cutoffs=tally.cutoffs, table_hits=tally.table_hits
        )

    def limited(self, tally: Tally, wrap: Wrap) -> Wrap:
        """Stop the search, wherever it is, once the budget is spent."""
        deadline = self.clock() + self.seconds

        def wrapped(value: Value) -> Value:
            def checked(own: int, other: int, alpha: float, beta: float) -> float:
                if tally.nodes >= self.nodes or self.clock() >= deadline:
                    raise OutOfBudget
                return value(own, other, alpha, beta)

            return wrap(checked)

        return wrapped
