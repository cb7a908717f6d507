"""Alpha-beta that sees forced moves: it takes a win, answers a threat, and prefers the quicker win.

This is what the computer plays with. It may remember positions, and guess beyond a horizon.
"""

from dataclasses import dataclass

from ..bitboard import Bitboard, cell_of
from .evaluation import drawn, evaluation
from .remembering import remembering
from .search import Report, Search, Value, Wrap


@dataclass(frozen=True)
class Forced(Search):
    """A win counts 1, and 1 more for each cell still free at the end; a loss is the negative.

    Every ply fills one cell, so quicker wins and slower losses score higher, whatever the way there.
    """

    remember: bool = False
    fold: bool = False
    horizon: int = 0

    @property
    def has_memory(self) -> bool:  # type: ignore[override]
        return self.remember

    cuts_when = "alpha >= beta"
    answers_threats = True

    @property
    def convention(self) -> str:
        again = "in the table" if self.remember else ""
        again += ", turned or reflected too," if self.fold else ""
        found = f" A position found {again} is a node and a table hit." if again else ""
        return (
            f"The root counts. Below it centre first; cuts when {self.cuts_when}, or when no better can come. "
            f"A win in one move or two threats make a leaf.{found}"
        )

    def examine(self, report: Report, wrap: Wrap) -> None:
        """The root sees forced moves too. Against two threats no move is better than another."""
        position = report.position
        if wins := position.wins:
            report.nodes += 1
            report.leaves += 1
            report.score, report.cell = position.free.bit_count(), cell_of(wins & -wins)
            return
        threats, free = position.threats, position.free
        moves = threats if threats.bit_count() == 1 else free
        self.choose(report, wrap, self.order(position.board.bits)[moves], max(0, free.bit_count() - 2))

    def value_function(self, bits: Bitboard, report: Report, wrap: Wrap) -> Value:  # noqa: C901
        full, completing, moves = bits.full, bits.completing, bits.central_first
        cannot_win_against = bits.bars_every_line
        horizon, guess = self.horizon, evaluation(bits) if self.horizon else drawn

        # The game is not over here: who can win does, before anybody looks at the position behind.
        # One branch for each reason to stop; a function for each would cost a call at every node.
        def value(own: int, other: int, alpha: float, beta: float) -> float:  # noqa: C901
            report.nodes += 1
            free = full ^ (own | other)
            cells_left = free.bit_count()
            if completing[own] & free:  # we win with this move
                report.leaves += 1
                return cells_left
            threats = completing[other] & free
            if threats & (threats - 1):  # there are two: they win with their next move
                report.leaves += 1
                return 1 - cells_left
            if cells_left <= horizon:
                report.leaves += 1
                return guess(own, other)
            # If we can win at all, then with our next move but this at the earliest.
            at_most = 0 if cells_left < 3 or cannot_win_against[other] else cells_left - 2
            if beta > at_most:
                beta = at_most
                if alpha >= beta:
                    report.cutoffs += 1
                    return beta
            for move in moves[threats or free]:
                score = -search(other, own | move, -beta, -alpha)
                if score > alpha:
                    alpha = score
                    if alpha >= beta:
                        report.cutoffs += 1
                        break
            return alpha

        search = wrap(remembering(value, bits, report, self.fold) if self.remember else value)
        return search
