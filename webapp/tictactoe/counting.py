"""Counting what there is: nodes of the whole game tree, games by their end, positions. Searches nothing."""

from functools import lru_cache

from .board import Board
from .errors import BoardTooLarge
from .position import Position

MOST_FREE = 9  # cells; the count for more takes too long to wait for


def minimax_nodes(position: Position) -> int:
    """How many positions plain minimax visits from here, this one included; one met twice counts twice."""
    if position.free.bit_count() > MOST_FREE:
        raise BoardTooLarge(f"The nodes of plain minimax are counted for at most {MOST_FREE} free cells.")
    return subtree(position.board, position.own, position.other)


@lru_cache(2**16)
def subtree(board: Board, own: int, other: int) -> int:
    bits = board.bits
    if bits.has_line[other]:
        return 1
    free = bits.full ^ (own | other)
    return 1 + sum(subtree(board, other, own | move) for move in bits.in_reading_order[free])
