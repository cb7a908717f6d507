"""Boards as the templates draw them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import current_app
from jinja2 import Environment
from markupsafe import Markup

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


@dataclass(frozen=True)
class BoardView:
    rows: int
    columns: int
    cells: tuple[CellView, ...]
    line: tuple[int, ...]
    ply: int
    playable: bool


def board_view(position: Position, ply: int = 0, last: int | None = None, playable: bool = False) -> BoardView:
    board = position.board
    line = position.outcome.line if position.outcome else ()

    def cell_view(cell: int) -> CellView:
        row, column = divmod(cell, board.columns)
        return CellView(cell, row, column, board.cell_name(cell), position.mark_at(cell), cell == last, cell in line)

    cells = tuple(map(cell_view, range(board.size)))
    return BoardView(board.rows, board.columns, cells, line, ply, playable)


def drawn(macro: str, *arguments: Any) -> Markup:
    """What a macro of macros/board.html draws of these arguments. A class sees the same boards all the time."""
    return _drawn(current_app.jinja_env, macro, *arguments)


@lru_cache(maxsize=1024)
def _drawn(templates: Environment, macro: str, *arguments: Any) -> Markup:
    return Markup(getattr(templates.get_template("macros/board.html").module, macro)(*arguments))  # noqa: S704 # nosec B704
