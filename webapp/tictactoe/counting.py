"""Counting the game tree without walking it: nodes on each ply, and games by how they end."""

from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from .board import Board
from .errors import BoardTooLarge
from .position import Position
from .table import LARGEST_TABULATED

MOST_FREE = LARGEST_TABULATED  # cells; to count the tree below more would take too long


class Tree(NamedTuple):
    """The tree of all play from a position. What is reached in two ways counts twice, as it does in minimax."""

    nodes_by_ply: tuple[int, ...]  # the position itself first
    won: int  # games that the side to move wins
    lost: int
    drawn: int

    @property
    def nodes(self) -> int:
        return sum(self.nodes_by_ply)

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn


def minimax_nodes(position: Position) -> int:
    """How many nodes plain minimax visits from here, this position counted."""
    return tree_below(position).nodes


def can_count_tree(position: Position) -> bool:
    return position.free.bit_count() <= MOST_FREE


def tree_below(position: Position) -> Tree:
    if not can_count_tree(position):
        raise BoardTooLarge(f"The tree is counted from positions with at most {MOST_FREE} free cells.")
    return counted(position.board, position.own, position.other)


@lru_cache(2**16)
def counted(board: Board, own: int, other: int) -> Tree:
    bits = board.bits
    if bits.has_line[other]:
        return Tree((1,), won=0, lost=1, drawn=0)
    free = bits.full ^ (own | other)
    if not free:
        return Tree((1,), won=0, lost=0, drawn=1)
    below = [counted(board, other, own | move) for move in bits.in_reading_order[free]]
    plies = zip_longest(*(tree.nodes_by_ply for tree in below), fillvalue=0)
    won, lost, drawn = (sum(ends) for ends in zip(*((t.lost, t.won, t.drawn) for t in below), strict=True))
    return Tree((1, *map(sum, plies)), won, lost, drawn)
