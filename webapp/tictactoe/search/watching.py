"""Watching a search: each visit to a position, the window it came with, and why it was left.

The watcher wraps the recursive function of a search, which therefore neither knows of it nor pays for it.
"""

from collections.abc import Callable
from enum import StrEnum
from itertools import count
from math import inf
from typing import NamedTuple

from ..bitboard import cell_of
from ..position import Position
from .search import Report, Search, Value


class Why(StrEnum):
    """Why a search had seen enough of a position."""

    ALL_MOVES = "all its moves were looked at"
    CUT = "the opponent already has something at least as good elsewhere"
    NO_GAIN = "the best that can still come is no better than what there is elsewhere"
    BEST_FOUND = "the best that can come has been found"
    TABLE = "it was met before"
    LINE = "the game is over: a line is complete"
    FULL_BOARD = "the game is over: the board is full"
    WIN_AT_HAND = "the side to move completes a line"
    TWO_THREATS = "the side to move cannot answer two threats"
    HORIZON = "the horizon is reached: the value is a guess"


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
    def alpha_after(self) -> float:
        """Alpha on leaving; beta stays as it came."""
        return max(self.alpha, self.value)

    @property
    def is_cut(self) -> bool:
        return self.why in (Why.CUT, Why.NO_GAIN, Why.BEST_FOUND)


Tell = Callable[[Visit], None]


def watch(search: Search, position: Position, tell: Tell, every_cell: bool = False) -> Report:
    """Run a search and tell of each visit as it is left, the root last."""
    report = Report(position, search)
    watcher = Watcher(report, tell)
    search.fill_in(report, every_cell, watcher.wrap)
    watcher.leave_root()
    return report


class Watcher:
    """Follows one search and tells of each visit."""

    def __init__(self, report: Report, tell: Tell) -> None:
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


def why_cut(alpha: float, beta: float, value: float) -> Why:
    return Why.CUT if value >= beta else Why.NO_GAIN if value <= alpha else Why.BEST_FOUND


def why_leaf(position: Position) -> Why:
    if outcome := position.outcome:
        return Why.FULL_BOARD if outcome.is_draw else Why.LINE
    if position.wins:
        return Why.WIN_AT_HAND
    return Why.TWO_THREATS if position.threats.bit_count() > 1 else Why.HORIZON
