"""Counting the nodes of the game tree without walking it. What is reached in two ways counts twice, as in minimax."""

from functools import lru_cache

from .board import Board
from .errors import BoardTooLarge
from .position import Position
from .table import LARGEST_TABULATED

MOST_FREE = LARGEST_TABULATED  # cells; to count the tree below more would take too long


def can_count_tree(position: Position) -> bool:
    return position.free.bit_count() <= MOST_FREE


def minimax_nodes(position: Position) -> int:
    """How many nodes plain minimax visits from here, this position counted."""
    if not can_count_tree(position):
        raise BoardTooLarge(f"The tree is counted from positions with at most {MOST_FREE} free cells.")
    return _nodes(position.board, position.own, position.other)


@lru_cache(2**16)
def _nodes(board: Board, own: int, other: int) -> int:
    bits = board.bits
    if bits.has_line[other]:
        return 1
    return 1 + sum(_nodes(board, other, own | move) for move in bits.in_reading_order[bits.full ^ (own | other)])
