"""Watching a search: each visit to a position, the window it came with, and why it was left.

The watcher wraps the recursive function of a search, as the recorder of walks does, but keeps and skips nothing: the
walk of the site is compared with it.
"""

from collections.abc import Callable
from itertools import count
from math import inf
from typing import NamedTuple

from webapp.tictactoe import Branch, Position, Report, Search, Why
from webapp.tictactoe.bitboard import cell_of
from webapp.tictactoe.search.search import Value
from webapp.tictactoe.search.why import why_cut, why_leaf


class Visit(NamedTuple):
    """One visit, told when it is left. Values and window are those of the side to move there."""

    number: int  # in order of arrival; the root is 0
    parent: int | None
    cell: int | None  # the move that led here
    position: Position
    alpha: float
    beta: float
    value: float
    why: Why

    @property
    def is_cut(self) -> bool:
        return self.why in (Why.CUT, Why.NO_GAIN, Why.BEST_FOUND)


def visit_of(branch: Branch) -> Visit:
    """A visit of a walk, as a watcher tells it."""
    node = branch.node
    return Visit(
        branch.number, branch.parent, branch.cell, branch.position, node.alpha, node.beta, node.value, branch.why
    )


def watch(search: Search, position: Position, tell: Callable[[Visit], object]) -> Report:
    """Run a search and tell of each visit as it is left, the root last."""
    report = Report(position, search)
    watcher = Watcher(report, tell)
    search.fill_in(report, watcher.wrap)
    watcher.leave_root()
    return report


def watched(search: Search, position: Position) -> list[Visit]:
    """Every visit of a real walk, in the order of arrival."""
    told: list[Visit] = []
    watch(search, position, told.append)
    return sorted(told)


class Watcher:
    """Follows one search and tells of each visit."""

    def __init__(self, report: Report, tell: Callable[[Visit], object]) -> None:
        self.report, self.tell = report, tell
        self.numbers = count(1)
        self.path = [(0, report.position)]
        self.counts = self.count()

    def count(self) -> tuple[int, int, int]:
        return self.report.table_hits, self.report.cutoffs, self.report.leaves

    def wrap(self, value: Value) -> Value:
        def visited(own: int, other: int, alpha: float, beta: float) -> float:
            (parent, before), number = self.path[-1], next(self.numbers)
            position = Position(before.board, own, other, before.to_move.other)
            self.path.append((number, position))
            try:
                result = value(own, other, alpha, beta)
            finally:
                self.path.pop()
            why = self.why(position, alpha, beta, result)
            self.tell(Visit(number, parent, cell_of(other ^ before.own), position, alpha, beta, result, why))
            return result

        return visited

    def leave_root(self) -> None:
        position, score = self.report.position, self.report.score
        self.tell(Visit(0, None, None, position, -inf, inf, score, self.why(position, -inf, inf, score)))

    def why(self, position: Position, alpha: float, beta: float, value: float) -> Why:
        """What a search does to a position it counts just before it leaves: what is new belongs here."""
        before, self.counts = self.counts, self.count()
        if self.counts[0] > before[0]:
            return Why.TABLE
        if self.counts[1] > before[1]:
            return why_cut(alpha, beta, value)
        return why_leaf(position) if self.counts[2] > before[2] else Why.ALL_MOVES
