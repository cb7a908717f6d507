"""Alpha-beta that sees forced moves: it takes a win, answers a threat, and prefers the quicker win.

This is what the computer plays with. It may remember positions, and guess beyond a horizon.
"""

from math import inf

from ..bitboard import Bitboard
from ..board import Cells
from .evaluation import drawn, evaluation
from .remembering import remembering
from .search import Search
from .tally import Tally, Value, Wrap


class Forced(Search):
    """A win counts 1 and 1 more for each cell still free at the end; a loss is the negative.

    Every ply fills one cell, so quicker wins and slower losses score higher, whatever the way there.
    """

    def __init__(
        self, name: str, title: str, description: str,
        remember: bool = False, fold: bool = False, horizon: int = 0,
    ) -> None:
        self.name, self.title, self.description = name, title, description
        self.remember, self.fold, self.horizon = remember, fold, horizon

    def root_moves(self, bits: Bitboard, own: int, other: int) -> Cells:
        free = bits.full ^ (own | other)
        wins, blocks = bits.completing(own) & free, bits.completing(other) & free
        only_block = blocks if blocks.bit_count() == 1 else 0  # against two threats all moves are equally bad
        return bits.in_reading_order(wins or only_block or free)

    def value_function(self, bits: Bitboard, tally: Tally, wrap: Wrap) -> Value:  # noqa: C901
        full, has_line, completing, moves = bits.full, bits.has_line, bits.completing, bits.central_first
        horizon, guess = self.horizon, evaluation(bits) if self.horizon else drawn

        def value(own: int, other: int, alpha: float, beta: float) -> float:
            tally.nodes += 1
            free = full ^ (own | other)
            cells_left = free.bit_count()
            if has_line(other):
                tally.leaves += 1
                return -1 - cells_left
            if completing(own) & free:  # a win on the spot
                tally.leaves += 1
                return cells_left
            threats = completing(other) & free
            if threats & (threats - 1):  # two of them, and one move cannot answer both
                tally.leaves += 1
                return 1 - cells_left
            if cells_left <= horizon:
                tally.leaves += 1
                return guess(own, other)
            at_most = max(0, cells_left - 2)  # no win comes sooner than with our next move but one
            if at_most <= alpha:
                tally.cutoffs += 1
                return at_most
            best = -inf
            for move in moves(threats or free):
                best = max(best, -search(other, own | move, -beta, -alpha))
                alpha = max(alpha, best)
                if alpha >= beta:
                    tally.cutoffs += 1
                    break
            return best

        if self.remember:
            wrap = remembering(wrap, bits, tally, self.fold)
        search = wrap(value)
        return search
