"""Plain minimax: look at everything."""

from math import inf

from ..bitboard import Bitboard
from .search import Search
from .tally import Tally, Value, Wrap

WON, DRAWN, LOST = 1, 0, -1


class Minimax(Search):
    name = "minimax"
    title = "Minimax"
    description = "Plays every game to its end and takes the best for each side in turn."

    def value_function(self, bits: Bitboard, tally: Tally, wrap: Wrap) -> Value:
        full, has_line, moves = bits.full, bits.has_line, bits.in_reading_order

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
                best = max(best, -search(other, own | move, -inf, inf))
            return best

        search = wrap(value)
        return search
