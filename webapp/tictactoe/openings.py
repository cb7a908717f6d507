"""Openings for competitions, found by the rules: positions in which one move is right and all others are wrong.

From the empty board any two that play well draw, and nothing is learned about them.
"""

from functools import cache
from itertools import chain, permutations, zip_longest
from typing import NamedTuple

from .bitboard import Cells
from .board import STANDARD
from .position import Position, replay
from .table import table_of

PLIES = (2, 3)  # what follows is short enough for a plain search, and long enough to go wrong in


class Opening(NamedTuple):
    """The moves that are made for both sides, X first, and what the side to move has then."""

    cells: Cells
    value: int  # 1 it can win, 0 it can draw
    only: int  # the one cell that keeps this

    @property
    def is_balanced(self) -> bool:
        return self.value == 0


@cache
def openings() -> tuple[Opening, ...]:
    """Unequal and balanced ones in turn, so that the first few are a fair choice too.

    Of all positions after these plies, each once up to symmetry: those where neither side can complete a line with
    its next move, and exactly one of the legal moves keeps the win or the draw.
    """
    found = [one for position, cells in _positions().items() if (one := _opening(position, cells))]
    kinds = [one for one in found if not one.is_balanced], [one for one in found if one.is_balanced]
    return tuple(one for one in chain(*zip_longest(*kinds)) if one)


def _positions() -> dict[Position, Cells]:
    """One of each kind that symmetry makes, with the first moves in reading order that lead to it."""
    found: dict[Position, Cells] = {}
    for cells in chain(*(permutations(range(STANDARD.size), plies) for plies in PLIES)):
        position = replay(cells)
        if not found.keys() & set(position.twins):
            found[position] = cells
    return found


def _opening(position: Position, cells: Cells) -> Opening | None:
    table = table_of(position.board)
    value = table[position].value
    right = [cell for cell in position.legal_cells if -table[position.play(cell)].value == value]
    is_quiet = not position.wins and not position.threats
    return Opening(cells, value, right[0]) if is_quiet and len(right) == 1 and value >= 0 else None
