"""Watching a search: each visit to a position, the window it came with, and why it was left.

The watcher wraps the recursive function of a search, which therefore neither knows of it nor pays for it.
"""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from itertools import count
from math import inf
from typing import NamedTuple

from ..bitboard import cell_of
from ..position import Position
from .tally import Tally, Value


class Why(StrEnum):
    """Why a search had seen enough of a position."""

    ALL_MOVES = "all its moves were looked at"
    CUT = "cut: the opponent already has something at least as good elsewhere"
    TOO_LATE = "cut: even the quickest win from here would come too late"
    TABLE = "the table knew it"
    LINE = "the game is over: a line is complete"
    FULL_BOARD = "the game is over: the board is full"
    WIN_AT_HAND = "the side to move completes a line"
    TWO_THREATS = "the side to move cannot answer two threats"
    HORIZON = "the horizon: the value is a guess"


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
        return self.why in (Why.CUT, Why.TOO_LATE)


Tell = Callable[[Visit], None]


class Watcher:
    """Follows one search and tells of each visit."""

    def __init__(self, position: Position, tally: Tally, tell: Tell) -> None:
        self.tally, self.tell = tally, tell
        self.seen = replace(tally)
        self.numbers = count(1)
        self.path = [(0, position)]

    def wrap(self, value: Value) -> Value:
        def visited(own: int, other: int, alpha: float, beta: float) -> float:
            (parent, before), number = self.path[-1], next(self.numbers)
            position = Position(before.board, own, other, before.to_move.other)
            self.path.append((number, position))
            try:
                result = value(own, other, alpha, beta)
            finally:
                self.path.pop()
            cell = cell_of(other ^ before.own)
            self.tell(Visit(number, parent, cell, position, alpha, beta, result, self.why(position)))
            return result

        return visited

    def leave_root(self, value: float) -> None:
        _, position = self.path[0]
        self.tell(Visit(0, None, None, position, -inf, inf, value, Why.ALL_MOVES))

    def why(self, position: Position) -> Why:
        """A search counts what it does just before it leaves, so what is new in the tally is its own."""
        before, self.seen = self.seen, replace(self.tally)
        if self.seen.table_hits > before.table_hits:
            return Why.TABLE
        if self.seen.cutoffs > before.cutoffs:
            return Why.CUT if self.seen.nodes == before.nodes else Why.TOO_LATE
        return why_leaf(position) if self.seen.leaves > before.leaves else Why.ALL_MOVES


def why_leaf(position: Position) -> Why:
    bits, free = position.board.bits, position.free
    if bits.has_line(position.other):
        return Why.LINE
    if not free:
        return Why.FULL_BOARD
    if bits.completing(position.own) & free:
        return Why.WIN_AT_HAND
    return Why.TWO_THREATS if (bits.completing(position.other) & free).bit_count() > 1 else Why.HORIZON
