"""A finished game judged move by move, as pages tell it. The sentences are in templates/games/_verdicts.html."""

from dataclasses import dataclass

from webapp.games.game_record import GameRecord
from webapp.games.states import Status
from webapp.games.verdicts import Accuracy, JudgedMove, judged_moves, judged_side
from webapp.tictactoe import Mark, can_tabulate


@dataclass(frozen=True)
class Review:
    """Worked out from the moves by the same function as what is stored: cheaper than to ask for that."""

    cells: tuple[int, ...]  # of all moves, in order
    moves: list[JudgedMove]

    def judged_at(self, ply: int) -> JudgedMove | None:
        return next((move for move in self.moves if move.ply == ply), None)

    def accuracy_of(self, mark: Mark) -> Accuracy:
        return judged_side(mark, self.moves).accuracy

    def has_moved(self, mark: Mark) -> bool:
        """The site's opening apart."""
        return any(move.mark is mark for move in self.moves)

    def first_mistake(self, mark: Mark | None) -> JudgedMove | None:
        """Of one side; for a spectator, of either."""
        return next((move for move in self.moves if move.is_mistake and mark in (None, move.mark)), None)


def review_of(game: GameRecord) -> Review | None:
    """None while it goes on, if it was cancelled, and on boards that are too large to solve."""
    if game.status != Status.FINISHED or not can_tabulate(game.board):
        return None
    cells = tuple(move.cell for move in game.moves)
    return Review(cells, judged_moves(game.board, cells, game.opening_plies))
