"""Boards as the templates draw them."""

from dataclasses import dataclass, replace
from functools import lru_cache

from webapp.tictactoe import Mark, Position


@dataclass(frozen=True)
class CellView:
    cell: int
    row: int
    column: int
    name: str
    mark: Mark | None
    is_last: bool
    in_line: bool
    is_recommended: bool = False


@dataclass(frozen=True, eq=False)
class BoardView:
    """Those of the same arguments are the same object, so that it tells quickly what has been drawn already."""

    rows: int
    columns: int
    cells: tuple[CellView, ...]
    line: tuple[int, ...]
    ply: int
    playable: bool


@lru_cache(maxsize=1024)
def board_view(position: Position, ply: int = 0, last: int | None = None, playable: bool = False) -> BoardView:
    board = position.board
    line = position.outcome.line if position.outcome else ()

    def cell_view(cell: int) -> CellView:
        row, column = divmod(cell, board.columns)
        return CellView(cell, row, column, board.cell_name(cell), position.mark_at(cell), cell == last, cell in line)

    cells = tuple(map(cell_view, range(board.size)))
    return BoardView(board.rows, board.columns, cells, line, ply, playable)


@lru_cache(maxsize=256)
def recommending(board: BoardView, cell: int) -> BoardView:
    """The same board with this cell marked."""
    return replace(board, cells=tuple(replace(one, is_recommended=one.cell == cell) for one in board.cells))
