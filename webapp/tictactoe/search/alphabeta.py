"""Alpha-beta: minimax that stops looking at a position once its opponent would not allow it."""

from collections.abc import Callable
from math import inf
from operator import ge, gt

from ..bitboard import Bitboard
from ..board import Cells
from .minimax import DRAWN, LOST
from .search import Search
from .tally import Tally, Value, Wrap


class AlphaBeta(Search):
    """`central_first` chooses the move order, `cut_on_equality` if alpha = beta is reason enough to stop."""

    def __init__(
        self, name: str, title: str, description: str,
        central_first: bool = False, cut_on_equality: bool = True,
    ) -> None:
        self.name, self.title, self.description = name, title, description
        self.central_first = central_first
        self.cuts = ge if cut_on_equality else gt

    def root_moves(self, bits: Bitboard, own: int, other: int) -> Cells:
        return self.ordered(bits)(bits.full ^ (own | other))

    def ordered(self, bits: Bitboard) -> Callable[[int], Cells]:
        return bits.central_first if self.central_first else bits.in_reading_order

    def value_function(self, bits: Bitboard, tally: Tally, wrap: Wrap) -> Value:
        full, has_line, moves, cuts = bits.full, bits.has_line, self.ordered(bits), self.cuts

        def value(own: int, other: int, alpha: float, beta: float) -> float:
            tally.nodes += 1
            if has_line(other):
                tally.leaves += 1
                return LOST
            free = full ^ (own | other)
            if not free:
                tally.leaves += 1
                return DRAWN
            best = -inf
            for move in moves(free):
                best = max(best, -search(other, own | move, -beta, -alpha))
                alpha = max(alpha, best)
                if cuts(alpha, beta):
                    tally.cutoffs += 1
                    break
            return best

        search = wrap(value)
        return search
