"""Plain minimax: play every game to its end."""

from math import inf

from ..bitboard import Bitboard, cell_of
from .search import ORDERS, Report, Search, Value, Wrap

DRAWN, LOST = 0, -1  # nobody is to move in a position they have won


class Minimax(Search):
    cuts_when = ""

    @property
    def convention(self) -> str:
        return f"The root counts. Moves in {ORDERS[self.order]}; nothing is cut."

    def examine(self, report: Report, wrap: Wrap) -> None:
        """Of every cell: it looks at everything anyway."""
        own, other, bits = report.position.own, report.position.other, report.position.board.bits
        value = self.value_function(bits, report, wrap)
        report.nodes += 1
        for move in self.order(bits)[report.position.free]:
            report.scores[cell_of(move)] = -value(other, own | move, -inf, inf)
        report.cell = max(report.scores, key=report.scores.__getitem__)
        report.score = report.scores[report.cell]

    def value_function(self, bits: Bitboard, report: Report, wrap: Wrap) -> Value:
        full, has_line, moves = bits.full, bits.has_line, self.order(bits)

        def value(own: int, other: int, alpha: float, beta: float) -> float:
            report.nodes += 1
            if has_line[other]:
                report.leaves += 1
                return LOST
            free = full ^ (own | other)
            if not free:
                report.leaves += 1
                return DRAWN
            # The window stays open: minimax has no use for alpha and beta.
            return max(-search(other, own | move, -inf, inf) for move in moves[free])

        search = wrap(value)
        return search
