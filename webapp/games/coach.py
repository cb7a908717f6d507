"""What the coach says before a move: how many moves keep the value and, when asked, which one a search recommends."""

import time
from dataclasses import dataclass

from webapp.games.boards import BoardView, recommending
from webapp.games.permissions import may_have_coach
from webapp.games.point_of_view import PointOfView
from webapp.tictactoe import SEARCHES, Position, minimax_nodes, table_of

SEARCH = SEARCHES["alpha-beta"]  # the one of the third course document; 18,297 nodes at most on a board of 3x3
WORDS = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True)
class Hint:
    """The value of a position for the side to move, and how many of its moves keep it."""

    value: int
    keeping: int
    moves: int

    @property
    def word(self) -> str:
        return WORDS[self.value]


def hint(position: Position) -> Hint:
    table = table_of(position.board)
    values = [-table[position.play(cell)].value for cell in position.legal_cells]
    return Hint(table[position].value, values.count(table[position].value), len(values))


@dataclass(frozen=True)
class Advice:
    """The best move, and what the search did to find its value, as the third course document prints it."""

    cell: int
    cell_name: str
    row: int  # from 0, as there
    column: int
    value: int
    nodes: int
    seconds: float
    minimax_nodes: int
    searched: str | None  # the cell of the search where it is another: it does not ask how soon the end comes

    @property
    def word(self) -> str:
        return WORDS[self.value]


def advice(position: Position) -> Advice:
    """The search is really run, and its time measured."""
    started = time.perf_counter()
    report = SEARCH.run(position)
    seconds = time.perf_counter() - started
    board, cell = position.board, table_of(position.board)[position].cells[0]
    return Advice(
        cell,
        board.cell_name(cell),
        board.row_of(cell),
        board.column_of(cell),
        int(report.value),
        report.nodes,
        seconds,
        minimax_nodes(position),
        board.cell_name(report.cell) if report.cell != cell else None,
    )


@dataclass(frozen=True)
class Coach:
    """What its player sees while a coached game goes on."""

    hint: Hint
    advice: Advice | None  # only on the board for which it was asked
    can_take_back: bool

    def marked(self, board: BoardView) -> BoardView:
        """The board with the recommended cell on it."""
        return recommending(board, self.advice.cell) if self.advice else board


def coach_of(pov: PointOfView, asked: str | None = None) -> Coach | None:
    """None but for its player on their turn. `asked` is the version on which the best move was asked for."""
    if pov.coached is None or not pov.players.is_my_turn or not may_have_coach(pov.viewer_id):
        return None
    told = advice(pov.position) if asked == str(pov.coached.version) else None
    return Coach(hint(pov.position), told, pov.actions.can_take_back)
