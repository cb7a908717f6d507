"""The table of all positions of a small board: value, distance to the end and best cells of each."""

from functools import cache
from typing import NamedTuple

from .board import Board, Cells
from .errors import BoardTooLarge
from .position import Position

LARGEST = 9  # cells; beyond that there are too many positions to keep


class Entry(NamedTuple):
    """What there is to know of a position, for the side to move, when both play their best."""

    value: int  # 1 it wins, 0 a draw, -1 it loses
    distance: int  # plies to the end: the quickest win, the slowest loss
    cells: Cells  # the best cells in reading order; none at the end


class Table:
    """Every position that play can reach from the empty board, whoever begins."""

    __slots__ = ("entries",)

    def __init__(self, board: Board) -> None:
        if board.size > LARGEST:
            raise BoardTooLarge(f"The table of all positions is for boards of at most {LARGEST} cells.")
        self.entries: dict[tuple[int, int], Entry] = {}
        fill(self.entries, board)

    def __getitem__(self, position: Position) -> Entry:
        return self.entries[position.own, position.other]

    def __len__(self) -> int:
        return len(self.entries)

    def line(self, position: Position) -> Cells:
        """The moves to the end when both play their best, the first of the best cells each time."""
        line: list[int] = []
        while cells := self[position].cells:
            line.append(cells[0])
            position = position.play(cells[0])
        return tuple(line)


def fill(entries: dict[tuple[int, int], Entry], board: Board) -> None:
    """Plain minimax from the empty board, except that no position is worked out twice.

    Scores as in the search with forced moves: a win counts 1, and 1 more for each cell free at the end.
    """
    bits = board.bits
    full, has_line, moves, cells_in = bits.full, bits.has_line, bits.in_reading_order, bits.cells_in
    scores: dict[tuple[int, int], int] = {}

    def score(own: int, other: int) -> int:
        free = full ^ (own | other)
        cells_left = free.bit_count()
        best, best_moves = -cells_left - 1, 0
        if not has_line(other):
            best = best if free else 0
            for move in moves(free):
                child = other, own | move
                value = -(scores[child] if child in scores else score(*child))
                if value > best:
                    best, best_moves = value, move
                elif value == best:
                    best_moves |= move
        scores[own, other] = best
        value, ends_with = (1, best - 1) if best > 0 else (-1, -best - 1) if best else (0, 0)
        entries[own, other] = Entry(value, cells_left - ends_with, cells_in(best_moves))
        return best

    score(0, 0)


@cache
def table_of(board: Board) -> Table:
    return Table(board)
