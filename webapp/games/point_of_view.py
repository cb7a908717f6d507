"""A game as one person sees it: everything that the templates show, and nothing that they must work out."""

from dataclasses import dataclass
from functools import cached_property

from webapp.games.models import DRAWN, LOST, WON
from webapp.games.queries import GameRecord, Holder, Record
from webapp.tictactoe import LEVELS, Board, Level, Mark, Position, minimax_nodes


@dataclass(frozen=True)
class CellView:
    cell: int
    row: int
    column: int
    name: str
    mark: Mark | None
    is_last: bool
    in_line: bool


@dataclass(frozen=True)
class BoardView:
    rows: int
    columns: int
    cells: tuple[CellView, ...]
    line: tuple[int, ...]
    ply: int
    playable: bool


@dataclass(frozen=True)
class SeatView:
    mark: Mark
    title: str
    kind: str
    is_me: bool


@dataclass(frozen=True)
class MoveView:
    number: int
    mark: Mark
    cell: int
    cell_name: str


@dataclass(frozen=True)
class SearchView:
    """What the search did for an answer, beside what plain minimax would have needed."""

    nodes: int
    microseconds: int
    minimax_nodes: int


def board_view(position: Position, ply: int = 0, last: int | None = None, playable: bool = False) -> BoardView:
    board = position.board
    line = position.outcome.line if position.outcome else ()

    def cell_view(cell: int) -> CellView:
        row, column = divmod(cell, board.columns)
        return CellView(cell, row, column, board.cell_name(cell), position.mark_at(cell), cell == last, cell in line)

    cells = tuple(map(cell_view, range(board.size)))
    return BoardView(board.rows, board.columns, cells, line, ply, playable)


def _line_name(board: Board, line: tuple[int, ...]) -> str:
    rows, columns = {board.row_of(cell) for cell in line}, {board.column_of(cell) for cell in line}
    if len(rows) > 1 and len(columns) > 1:
        return "diagonal"
    place, names, kind = (
        (rows.pop(), ("top", "middle", "bottom"), "row")
        if len(rows) == 1
        else (columns.pop(), ("left", "middle", "right"), "column")
    )
    return f"{names[place]} {kind}" if (board.rows, board.columns) == (3, 3) else f"{kind} {place + 1}"


@dataclass(frozen=True)
class PointOfView:
    game: GameRecord
    viewer_id: int
    record: Record

    @property
    def public_id(self) -> str:
        return self.game.public_id

    @property
    def status(self) -> str:
        return self.game.status

    @property
    def version(self) -> int:
        return self.game.version

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def reason(self) -> str | None:
        return self.game.reason

    @property
    def my_mark(self) -> Mark | None:
        return self.game.mark_of(self.viewer_id)

    @property
    def is_my_turn(self) -> bool:
        return not self.is_over and self.game.position.to_move == self.my_mark

    @property
    def result(self) -> str | None:
        if not self.is_over:
            return None
        return DRAWN if self.game.winner is None else WON if self.game.winner == self.my_mark else LOST

    @cached_property
    def board(self) -> BoardView:
        moves = self.game.moves
        last = moves[-1].cell if moves else None
        return board_view(self.game.position, len(moves), last, self.is_my_turn)

    @cached_property
    def seats(self) -> list[SeatView]:
        return [self._seat(holder) for holder in self.game.holders.values()]

    def _seat(self, holder: Holder) -> SeatView:
        is_me = holder.user_id == self.viewer_id
        if holder.level is not None:
            return SeatView(holder.mark, LEVELS[holder.level].title, "computer", is_me)
        if holder.is_deleted:
            return SeatView(holder.mark, "deleted player", "user", is_me)
        if holder.name is None:
            return SeatView(holder.mark, "You" if is_me else "a guest", "guest", is_me)
        return SeatView(holder.mark, holder.name, "user", is_me)

    @property
    def opponent(self) -> SeatView:
        return next(seat for seat in self.seats if not seat.is_me)

    @property
    def level(self) -> Level | None:
        level = self.game.holders[self.opponent.mark].level
        return LEVELS[level] if level else None

    @cached_property
    def moves(self) -> list[MoveView]:
        name = self.game.board.cell_name
        marks = (Mark.X, Mark.O)
        return [
            MoveView(ply + 1, marks[ply % 2], move.cell, name(move.cell)) for ply, move in enumerate(self.game.moves)
        ]

    @cached_property
    def last_search(self) -> SearchView | None:
        """Of the newest answer that was searched for; the start of a Beginner's game has none."""
        position = Position.start(self.game.board)
        latest = None
        for move in self.game.moves:
            if move.nodes:
                latest = (move, position)
            position = position.play(move.cell)
        if latest is None:
            return None
        move, before = latest
        return SearchView(move.nodes or 0, move.microseconds or 0, minimax_nodes(before))

    @property
    def line_name(self) -> str | None:
        line = self.board.line
        return _line_name(self.game.board, line) if line else None
