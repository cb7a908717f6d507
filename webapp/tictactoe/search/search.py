"""What all searches share: the interface, the choice at the root, and the report.

A value is that of the side to move: 1 it wins, 0 a draw, -1 it loses. What is good for one side is as bad
for the other, so one function with a minus sign serves both MAX and MIN (the books call this negamax).
"""

from abc import ABC, abstractmethod
from math import inf
from typing import NamedTuple

from ..bitboard import Bitboard, cell_of
from ..board import Cells
from ..errors import GameAlreadyOver
from ..position import Position
from .tally import Tally, Value, Wrap
from .watching import Tell, Watcher


class Report(NamedTuple):
    """What a search found, and what it did to find it. The root counts as a node."""

    position: Position
    search: "Search"
    cell: int
    score: float  # the value; where the search prefers quick wins, larger for quicker ones
    nodes: int
    leaves: int
    cutoffs: int
    table_hits: int
    scores: dict[int, float]  # of every legal cell, if that was asked for

    @property
    def value(self) -> float:
        """1, 0 or -1 where it is proven; a fraction is a guess at what lay beyond the horizon."""
        return value_of(self.score)

    @property
    def cell_values(self) -> dict[int, float]:
        return {cell: value_of(score) for cell, score in self.scores.items()}

    @property
    def line(self) -> Cells:
        """The moves the search expects from here on, found by asking it again after each."""
        return self.search.line_from(self.position, self.cell)

    @property
    def distance(self) -> int | None:
        """How many plies the expected line takes to the end; None if the search did not see that far."""
        return len(self.line) if self.search.horizon == 0 or abs(self.score) >= 1 else None


def value_of(score: float) -> float:
    return max(-1, min(score, 1))


class Search(ABC):
    """One way of finding the value of a position. A search keeps nothing from one run to the next."""

    name: str
    title: str
    description: str
    horizon = 0  # with so few cells free it stops and guesses

    @abstractmethod
    def value_function(self, bits: Bitboard, tally: Tally, wrap: Wrap) -> Value:
        """The recursive function. It calls itself through `wrap`, so others can listen in or remember."""

    def root_moves(self, bits: Bitboard, own: int, other: int) -> Cells:
        """The moves worth trying at the root; of equally good ones the first is chosen."""
        return bits.in_reading_order(bits.full ^ (own | other))

    def run(self, position: Position, every_cell: bool = False, watch: Tell | None = None) -> Report:
        """Search the position. With `every_cell` each legal cell gets its exact value, at more nodes.

        `watch` is called with each visit as it is left; when nobody watches, nothing is spent on it.
        """
        if position.is_over:
            raise GameAlreadyOver(f"There is nothing to search: {position.outcome}.")
        tally = Tally()
        if watch is None:
            return self.examine(position, every_cell, tally, unwatched)
        watcher = Watcher(position, tally, watch)
        report = self.examine(position, every_cell, tally, watcher.wrap)
        watcher.leave_root(report.score)
        return report

    def examine(self, position: Position, every_cell: bool, tally: Tally, wrap: Wrap) -> Report:
        """The root of the search: as the recursive function, but it wants the best move too."""
        bits, own, other = position.board.bits, position.own, position.other
        value = self.value_function(bits, tally, wrap)
        tally.nodes += 1
        scores: dict[int, float] = {}
        best, best_move = -inf, 0
        for move in bits.in_reading_order(position.free) if every_cell else self.root_moves(bits, own, other):
            score = -value(other, own | move, -inf, inf if every_cell else -best)
            if every_cell:
                scores[cell_of(move)] = score
            if score > best:
                best, best_move = score, move
        counts = tally.nodes, tally.leaves, tally.cutoffs, tally.table_hits
        return Report(position, self, cell_of(best_move), best, *counts, scores)

    def line_from(self, position: Position, cell: int) -> Cells:
        line = [cell]
        position = position.play(cell)
        while not position.is_over and position.free.bit_count() > self.horizon:
            line.append(self.run(position).cell)
            position = position.play(line[-1])
        return tuple(line)


def unwatched(value: Value) -> Value:
    return value
