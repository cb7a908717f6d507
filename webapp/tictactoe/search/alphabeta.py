"""Alpha-beta: minimax that leaves a position once the opponent is sure not to let it come about."""

from dataclasses import dataclass
from math import inf
from operator import ge, gt

from ..bitboard import Bitboard
from .minimax import DRAWN, LOST
from .search import ORDERS, Report, Search, Value, Wrap


@dataclass(frozen=True)
class AlphaBeta(Search):
    cut_on_equality: bool = True  # the books differ: is alpha = beta reason enough to stop?

    @property
    def cuts_when(self) -> str:
        return f"alpha {'>=' if self.cut_on_equality else '>'} beta"

    @property
    def convention(self) -> str:
        return f"The root counts. Moves in {ORDERS[self.order]}; cuts when {self.cuts_when}."

    def value_function(self, bits: Bitboard, report: Report, wrap: Wrap) -> Value:
        full, has_line, moves = bits.full, bits.has_line, self.order(bits)
        reaches = ge if self.cut_on_equality else gt

        def value(own: int, other: int, alpha: float, beta: float) -> float:
            report.nodes += 1
            if has_line[other]:
                report.leaves += 1
                return LOST
            free = full ^ (own | other)
            if not free:
                report.leaves += 1
                return DRAWN
            best = -inf
            for move in moves[free]:
                best = max(best, -search(other, own | move, -beta, -alpha))
                alpha = max(alpha, best)
                if reaches(alpha, beta):
                    report.cutoffs += 1
                    break
            return best

        search = wrap(value)
        return search
