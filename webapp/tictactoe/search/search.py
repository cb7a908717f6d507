"""What all searches share: the interface, the choice at the root and the report.

A value is that of the side to move: 1 it wins, 0 a draw, -1 it loses. What is good for one side is as bad
for the other, so one function with a minus sign serves both MAX and MIN (the books call this negamax).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from operator import attrgetter

from ..bitboard import Bitboard, Cells, Lookup, Moves, cell_of
from ..errors import GameAlreadyOver
from ..position import Position

Value = Callable[[int, int, float, float], float]  # own cells, other cells, alpha, beta -> value
Wrap = Callable[[Value], Value]
Order = Callable[[Bitboard], Lookup[Moves]]
READING_ORDER: Order = attrgetter("in_reading_order")
CENTRE_FIRST: Order = attrgetter("central_first")
ORDERS = {READING_ORDER: "reading order", CENTRE_FIRST: "the order centre, corners, edges"}


def unwrapped(value: Value) -> Value:
    return value


class Report:
    """What a search found, and what it did to find it.

    A position is a node each time the search arrives at it, the root included, and a leaf if it was valued
    without looking further. The score is the value; searches that prefer quick wins give them more.
    """

    __slots__ = ("cell", "cutoffs", "leaves", "nodes", "position", "score", "scores", "search", "table_hits")
    cell: int
    score: float

    def __init__(self, position: Position, search: "Search") -> None:
        self.position = position
        self.search = search
        self.scores: dict[int, float] = {}  # of every legal cell, where the search finds them all
        self.nodes = self.leaves = self.cutoffs = self.table_hits = 0

    @property
    def value(self) -> float:
        """1, 0 or -1 where it is proven; a fraction is a guess at what lay beyond the horizon."""
        return value_of(self.score)

    @property
    def is_proven(self) -> bool:
        return self.search.horizon == 0 or abs(self.score) >= 1

    @property
    def line(self) -> Cells:
        """The moves expected from here on, found by asking the same search again after each."""
        line = [self.cell]
        position = self.position.play(self.cell)
        while not position.is_over and (self.is_proven or position.free.bit_count() > self.search.horizon):
            line.append(self.search.run(position).cell)
            position = position.play(line[-1])
        return tuple(line)

    @property
    def distance(self) -> int | None:
        """How many plies the expected line takes to the end; None if the search did not see that far."""
        return len(self.line) if self.is_proven else None


def value_of(score: float) -> float:
    return max(-1, min(score, 1))


@dataclass(frozen=True)
class Search(ABC):
    """One way of finding the value of a position. A search keeps nothing from one run to the next."""

    name: str
    title: str
    description: str
    order: Order = READING_ORDER  # of the moves; among equally good ones the first is chosen
    horizon = 0  # with so few cells free it stops and guesses
    answers_threats = False  # whether it looks at nothing but the answer where the opponent threatens to win
    has_memory = False  # whether what it does at a position depends on those it has met before

    @property
    @abstractmethod
    def cuts_when(self) -> str:
        """The comparison that makes it leave a position before all moves are looked at; empty if it never does."""

    @property
    @abstractmethod
    def convention(self) -> str:
        """What its counts count, for whoever compares them with their own: the books differ."""

    @abstractmethod
    def value_function(self, bits: Bitboard, report: Report, wrap: Wrap) -> Value:
        """The recursive function. It calls itself through `wrap`, so that a recorder can listen in."""

    def run(self, position: Position) -> Report:
        return self.fill_in(Report(position, self), unwrapped)

    def fill_in(self, report: Report, wrap: Wrap) -> Report:
        if report.position.is_over:
            raise GameAlreadyOver(f"There is nothing to search: {report.position.outcome}.")
        self.examine(report, wrap)
        return report

    def examine(self, report: Report, wrap: Wrap) -> None:
        """Look for the best move, over all that are legal."""
        position = report.position
        self.choose(report, wrap, self.order(position.board.bits)[position.free])

    def choose(self, report: Report, wrap: Wrap, moves: Moves, beta: float = inf) -> None:
        """The root of the search: as the recursive function, but it wants the best move too."""
        own, other = report.position.own, report.position.other
        value = self.value_function(report.position.board.bits, report, wrap)
        report.nodes += 1
        best, best_move = -inf, 0
        for move in moves:
            score = -value(other, own | move, -beta, -best)
            if score > best:
                best, best_move = score, move
                if best >= beta:
                    report.cutoffs += 1
                    break
        report.score, report.cell = best, cell_of(best_move)
