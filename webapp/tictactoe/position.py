"""A position: whose marks lie where, and who is to move. An immutable value; playing gives a new one."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

from .bitboard import Cells, bits_of
from .board import STANDARD, Board
from .errors import CellOffBoard, CellTaken, GameAlreadyOver
from .marks import Mark, X
from .notation import read, side_to_move, written


class Reason(StrEnum):
    LINE = "line"
    FULL_BOARD = "full"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game has ended. A draw has no winner and no line."""

    winner: Mark | None
    reason: Reason
    line: Cells = ()

    @property
    def is_draw(self) -> bool:
        return self.winner is None

    def __str__(self) -> str:
        return "the game is drawn" if self.is_draw else f"{self.winner} has won"


@dataclass(frozen=True, slots=True)
class Position:
    """Made by `start`, `parse` and `play`, which let only possible positions through.

    `own` holds the cells of the side to move, `other` those of its opponent, one bit a cell. What a position
    is worth depends on these two alone: the marks' names do not matter, nor does who began.
    """

    board: Board
    own: int
    other: int
    to_move: Mark

    @classmethod
    def start(cls, board: Board = STANDARD, to_move: Mark = X) -> "Position":
        return cls(board, 0, 0, Mark(to_move))

    @classmethod
    def parse(cls, text: str, to_move: Mark | None = None, board: Board = STANDARD) -> "Position":
        """Read a text such as XO....... or XO./.../...; X is to move where it could be either's turn."""
        x, o = read(text, board)
        to_move = side_to_move(board, x, o, to_move)
        return cls(board, x, o, to_move) if to_move is X else cls(board, o, x, to_move)

    @property
    def text(self) -> str:
        return written(self.board, self.cells_of(X), self.cells_of(X.other))

    def __str__(self) -> str:
        return self.text

    @property
    def free(self) -> int:
        """The free cells as bits."""
        return self.board.bits.full ^ (self.own | self.other)

    @property
    def wins(self) -> int:
        """The cells that complete a line for the side to move, as bits."""
        bits, own = self.board.bits, self.own
        return bits.completing[own] & (bits.full ^ (own | self.other))

    @property
    def threats(self) -> int:
        """The cells that would complete a line for the other side, as bits."""
        bits, other = self.board.bits, self.other
        return bits.completing[other] & (bits.full ^ (self.own | other))

    @property
    def ply(self) -> int:
        """How many marks have been set."""
        return (self.own | self.other).bit_count()

    @property
    def first(self) -> Mark:
        """Who began: the marks take turns."""
        return self.to_move if self.ply % 2 == 0 else self.to_move.other

    @property
    def is_over(self) -> bool:
        # Only the side that has just moved can have completed a line.
        bits = self.board.bits
        return bits.has_line[self.other] or self.own | self.other == bits.full

    @property
    def outcome(self) -> Outcome | None:
        """Who has won and why, or that it is a draw; None while the game goes on."""
        if not self.is_over:
            return None
        for line in self.board.lines:
            if not bits_of(line) & ~self.other:
                return Outcome(self.to_move.other, Reason.LINE, line)
        return Outcome(None, Reason.FULL_BOARD)

    @property
    def legal_cells(self) -> Cells:
        """The cells that may be played, in reading order; none once the game is over."""
        return () if self.is_over else self.board.bits.cells_in[self.free]

    def cells_of(self, mark: Mark) -> int:
        """The cells of one mark as bits."""
        return self.own if mark == self.to_move else self.other

    def mark_at(self, cell: int) -> Mark | None:
        self._check_on_board(cell)
        if self.own >> cell & 1:
            return self.to_move
        return self.to_move.other if self.other >> cell & 1 else None

    def play(self, cell: int) -> "Position":
        self._check_on_board(cell)
        if self.is_over:
            raise GameAlreadyOver(f"No more moves: {self.outcome}.")
        if mark := self.mark_at(cell):
            raise CellTaken(f"The cell {self.board.cell_name(cell)} has an {mark} in it already.")
        return Position(self.board, self.other, self.own | 1 << cell, self.to_move.other)

    def _check_on_board(self, cell: int) -> None:
        if not self.board.has_cell(cell):
            raise CellOffBoard(f"There is no cell {cell}; the cells are 0 to {self.board.size - 1}.")

    def seen_through(self, symmetry: Cells) -> "Position":
        """The position turned or reflected: what lay in a cell now lies where the symmetry sends it."""
        cells_in = self.board.bits.cells_in
        own, other = (bits_of(symmetry[cell] for cell in cells_in[cells]) for cells in (self.own, self.other))
        return Position(self.board, own, other, self.to_move)

    @property
    def twins(self) -> tuple["Position", ...]:
        """The position seen through every symmetry of its board, itself first."""
        return tuple(self.seen_through(symmetry) for symmetry in self.board.symmetries)


def replay(cells: Iterable[int], board: Board = STANDARD, first: Mark = X) -> Position:
    """The position after these moves; an illegal one raises as `play` does."""
    return reduce(Position.play, cells, Position.start(board, first))
