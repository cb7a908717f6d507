"""What each move of a game was worth, and what a finished game teaches each side. Knows the rules only."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from webapp.tictactoe import Board, Cells, Mark, Position, can_tabulate, table_of


class Verdict(StrEnum):
    """On a move, as the end of a sentence about it."""

    WON = "won the game"
    KEPT_WIN = "kept the win"
    SLOWER_WIN = "kept the win, but there was a quicker one"
    ONLY_DRAW = "was the only move that keeps the draw"
    KEPT_DRAW = "kept the draw"
    EVERY_MOVE_DRAWS = "changed nothing: every move draws"
    ONLY_MOVE = "was the only move left"
    GAVE_AWAY_WIN = "gave away the win"
    WIN_TO_LOSS = "turned a win into a loss"
    DRAW_TO_LOSS = "turned a draw into a loss"
    LOST_ALREADY = "changed nothing: every move loses"
    LOST_SOONER = "lost sooner than others: every move loses here"


MISTAKES = {(1, 0): Verdict.GAVE_AWAY_WIN, (1, -1): Verdict.WIN_TO_LOSS, (0, -1): Verdict.DRAW_TO_LOSS}


class Folded(NamedTuple):
    """A position and a cell in it, turned or mirrored: the same for all moves that are alike by symmetry."""

    position: Position
    cell: int


class JudgedMove(NamedTuple):
    """Values are those of the side that moved: 1 a win, 0 a draw, -1 a loss."""

    ply: int
    position: Position  # before the move
    cell: int
    before: int  # with the best move
    after: int  # with this one
    is_decision: bool  # the legal moves differed in value

    @property
    def mark(self) -> Mark:
        return self.position.to_move

    @property
    def is_mistake(self) -> bool:
        return self.after < self.before

    @property
    def verdict(self) -> Verdict:
        if self.is_mistake:
            return MISTAKES[self.before, self.after]
        return (self._lost, self._drawn, self._won)[self.before + 1]

    @property
    def _won(self) -> Verdict:
        if self._distance == 1:
            return Verdict.WON
        return Verdict.KEPT_WIN if self._is_longest_or_shortest else Verdict.SLOWER_WIN

    @property
    def _drawn(self) -> Verdict:
        if not self.is_decision:
            return Verdict.ONLY_MOVE if len(self.position.legal_cells) == 1 else Verdict.EVERY_MOVE_DRAWS
        return Verdict.ONLY_DRAW if len(table_of(self.position.board)[self.position].cells) == 1 else Verdict.KEPT_DRAW

    @property
    def _lost(self) -> Verdict:
        if len(self.position.legal_cells) == 1:
            return Verdict.ONLY_MOVE
        return Verdict.LOST_ALREADY if self._is_longest_or_shortest else Verdict.LOST_SOONER

    @property
    def _distance(self) -> int:
        """Plies to the end when both go on with their best, this move counted."""
        return table_of(self.position.board)[self.position.play(self.cell)].distance + 1

    @property
    def _is_longest_or_shortest(self) -> bool:
        """The quickest win, or the slowest loss."""
        return self._distance == table_of(self.position.board)[self.position].distance

    @property
    def better(self) -> Cells:
        """After a mistake: the cells that would have kept what was there."""
        table = table_of(self.position.board)
        cells = self.position.legal_cells if self.is_mistake else ()
        return tuple(cell for cell in cells if -table[self.position.play(cell)].value == self.before)

    @property
    def folded(self) -> Folded:
        position, bits = self.position, self.position.board.bits
        images = zip(bits.images[position.own], bits.images[position.other], bits.symmetries, strict=True)
        own, other, cell = min((own, other, symmetry[self.cell]) for own, other, symmetry in images)
        return Folded(Position(position.board, own, other, position.to_move), cell)


class Accuracy(NamedTuple):
    """How many decisions there were, in a game or in many, and how many of them lost nothing."""

    decisions: int
    kept: int

    @property
    def mistakes(self) -> int:
        return self.decisions - self.kept

    @property
    def percent(self) -> int | None:
        """Rounded, but 100 only if all were kept; None without decisions."""
        if not self.decisions:
            return None
        return min(round(100 * self.kept / self.decisions), 100 if self.kept == self.decisions else 99)

    @classmethod
    def sum(cls, parts: Iterable["Accuracy"]) -> "Accuracy":
        listed = list(parts)
        return cls(sum(part.decisions for part in listed), sum(part.kept for part in listed))


NO_DECISIONS = Accuracy(0, 0)


class JudgedSide(NamedTuple):
    """What a game teaches one side: where it had something to decide, and how it decided."""

    decisions: int  # moves where the legal moves differed in value
    kept: int  # those that lost nothing
    mistakes: tuple[JudgedMove, ...]  # the others

    @property
    def accuracy(self) -> Accuracy:
        return Accuracy(self.decisions, self.kept)


JudgedSides = Mapping[Mark, JudgedSide]


def judged_moves(board: Board, cells: Iterable[int], opening: int = 0) -> list[JudgedMove]:
    """Each move of a game, but the first few that are nobody's; none on a board that is too large to solve."""
    if not can_tabulate(board):
        return []
    position, judged = Position.start(board), []
    for ply, cell in enumerate(cells):
        following = position.play(cell)  # an illegal move raises here
        if ply >= opening:
            judged.append(_judged(ply, position, cell))
        position = following
    return judged


def _judged(ply: int, position: Position, cell: int) -> JudgedMove:
    entries, own, other = table_of(position.board).entries, position.own, position.other
    after = entries[other]  # by what the side that moves then holds
    values = {move: -after[own | move].value for move in position.board.bits.in_reading_order[position.free]}
    before = entries[own][other].value
    return JudgedMove(ply, position, cell, before, values[1 << cell], len(set(values.values())) > 1)


def judged_sides(board: Board, cells: Iterable[int], opening: int = 0) -> JudgedSides:
    """By mark. Empty on a board that is too large to solve: rather nothing than a guess."""
    if not can_tabulate(board):
        return {}
    judged = judged_moves(board, cells, opening)
    return {mark: judged_side(mark, judged) for mark in Mark}


def judged_side(mark: Mark, judged: Iterable[JudgedMove]) -> JudgedSide:
    decisions = [move for move in judged if move.mark == mark and move.is_decision]
    mistakes = tuple(move for move in decisions if move.is_mistake)
    return JudgedSide(len(decisions), len(decisions) - len(mistakes), mistakes)


def mistake_row(move: JudgedMove) -> dict[str, Any]:
    """How a mistake is stored, but for whose and in which game."""
    position, cell = move.folded
    where = {"shape": position.board.shape, "position": position.text, "to_move": position.to_move.value}
    return {"ply": move.ply, **where, "cell": cell, "value_before": move.before, "value_after": move.after}
