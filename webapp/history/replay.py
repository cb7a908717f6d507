"""A finished game, move by move: the board after each, and what the search did for the computer's moves."""

from dataclasses import dataclass
from functools import cached_property

from webapp.games.boards import BoardView, board_view
from webapp.games.game_record import GameRecord, MadeMove
from webapp.games.move_list import SearchView, search_view
from webapp.games.point_of_view import PointOfView
from webapp.games.verdicts import JudgedMove
from webapp.tictactoe import Mark, Position, replay


@dataclass(frozen=True)
class Step:
    """One move. `search` is None where a person moved, or a level that plays without searching; `judged` is None
    where the game was cancelled or its board is too large to solve.
    """

    ply: int
    mark: Mark
    cell_name: str
    by_computer: bool
    search: SearchView | None
    judged: JudgedMove | None


@dataclass(frozen=True)
class Replay:
    game: GameRecord
    viewer_id: int | None
    ply: int

    @property
    def public_id(self) -> str:
        return self.game.public_id

    @property
    def last(self) -> int:
        return len(self.game.moves)

    @property
    def is_at_end(self) -> bool:
        return self.ply == self.last

    @cached_property
    def pov(self) -> PointOfView:
        """The whole game, for the words at its end and for its players; its record is not shown here."""
        return PointOfView(self.game, self.viewer_id)

    @property
    def cells(self) -> tuple[int, ...]:
        """The moves that led to the board shown."""
        return tuple(move.cell for move in self.game.moves[: self.ply])

    @property
    def position(self) -> Position:
        return replay(self.cells, self.game.board)

    @property
    def board(self) -> BoardView:
        return board_view(self.position, self.ply, self.cells[-1] if self.cells else None)

    @cached_property
    def steps(self) -> list[Step]:
        position, steps = Position.start(self.game.board), []
        for ply, move in enumerate(self.game.moves, start=1):
            steps.append(self._step(ply, move, position))
            position = position.play(move.cell)
        return steps

    def _step(self, ply: int, move: MadeMove, before: Position) -> Step:
        return Step(
            ply=ply,
            mark=before.to_move,
            cell_name=self.game.board.cell_name(move.cell),
            by_computer=self.game.holders[before.to_move].level is not None,
            search=search_view(move, before, self.game.holders[before.to_move]),
            judged=self.pov.review.judged_at(ply - 1) if self.pov.review else None,
        )

    @property
    def step(self) -> Step | None:
        """The move that led to the board shown."""
        return self.steps[self.ply - 1] if self.ply else None
