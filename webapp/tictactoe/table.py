"""The table of all positions of a small board: value, distance to the end and best cells of each."""

from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from .bitboard import Cells
from .board import Board
from .errors import BoardTooLarge
from .position import Position

LARGEST_TABULATED = 9  # cells; beyond that there are too many positions to keep


class Entry(NamedTuple):
    """What there is to know of a position, for the side to move, when both play their best."""

    value: int  # 1 it wins, 0 a draw, -1 it loses
    distance: int  # plies to the end: the quickest win, the slowest loss
    cells: Cells  # the best cells in reading order; none at the end
    score: int  # value and distance in one: a win counts 1, and 1 more for each cell free at the end


def can_tabulate(board: Board) -> bool:
    return board.size <= LARGEST_TABULATED


class Table:
    """Every position that play can reach from the empty board, whoever begins."""

    __slots__ = ("entries",)

    def __init__(self, board: Board) -> None:
        if not can_tabulate(board):
            raise BoardTooLarge(f"The table of all positions is for boards of at most {LARGEST_TABULATED} cells.")
        self.entries = all_entries(board)  # by own cells, then by the other's

    def __getitem__(self, position: Position) -> Entry:
        return self.entries[position.own][position.other]

    def __len__(self) -> int:
        return sum(map(len, self.entries.values()))

    def line(self, position: Position) -> Cells:
        """The moves to the end when both play their best, the first of the best cells each time."""
        line: list[int] = []
        while cells := self[position].cells:
            line.append(cells[0])
            position = position.play(cells[0])
        return tuple(line)


def all_entries(board: Board) -> dict[int, dict[int, Entry]]:
    """Plain minimax from the empty board, except that no position is worked out twice."""
    bits = board.bits
    full, has_line, moves = bits.full, bits.has_line, bits.in_reading_order
    entries: dict[int, dict[int, Entry]] = defaultdict(dict)

    def score(own: int, other: int) -> int:
        free = full ^ (own | other)
        cells_left = free.bit_count()
        best, best_moves = -1 - cells_left, 0  # lost on the spot: nothing is worse
        if not has_line[other]:
            best = best if free else 0
            known = entries[other]
            for move in moves[free]:
                after = own | move
                value = -(known[after].score if after in known else score(other, after))
                if value > best:
                    best, best_moves = value, move
                elif value == best:
                    best_moves |= move
        entries[own][other] = entry(best, cells_left, best_moves)
        return best

    @cache  # many positions share theirs
    def entry(score: int, cells_left: int, best_moves: int) -> Entry:
        value = (score > 0) - (score < 0)
        left_at_the_end = abs(score) - 1 if score else 0
        return Entry(value, cells_left - left_at_the_end, bits.cells_in[best_moves], score)

    score(0, 0)
    return dict(entries)


@lru_cache(8)
def table_of(board: Board) -> Table:
    return Table(board)
