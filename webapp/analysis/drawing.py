"""Small boards by the dozen: three paths each, put together from pieces. A page of a tree has a hundred of them."""

from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup

from webapp.tictactoe import Board, Mark, Position

SIDE = 100  # of a cell


def board_drawing(position: Position) -> Markup:
    """The lines and marks of a position, in squares of SIDE. Colours are attributes; a stylesheet may change them."""
    board = position.board
    x, o = (marks_path(board, mark, position.cells_of(mark)) for mark in (Mark.X, Mark.O))
    return Markup(  # noqa: S704  nothing in it comes from outside # nosec B704
        f'<path class="grid-line" fill="none" stroke="#7C899B" stroke-width="6" d="{grid_path(board)}"/>'
        f'<path class="mark mark-x" fill="none" stroke="#1F4FD1" stroke-width="15" d="{x}"/>'
        f'<path class="mark mark-o" fill="none" stroke="#B83A0B" stroke-width="15" d="{o}"/>'
    )


def board_picture(position: Position, last: int | None = None) -> Markup:
    """The same as a picture of its own, with the last move tinted; what it shows must stand beside it in words."""
    board, tint = position.board, ""
    if last is not None:
        x, y = board.column_of(last) * SIDE + 7, board.row_of(last) * SIDE + 7
        tint = f'<rect class="tint-{position.to_move.other.lower()}" x="{x}" y="{y}" width="86" height="86" rx="11"/>'
    box = f"-6 -6 {board.columns * SIDE + 12} {board.rows * SIDE + 12}"
    drawing = f"{tint}{board_drawing(position)}{strike(position)}"
    return Markup(f'<svg class="tiny" viewBox="{box}" aria-hidden="true">{drawing}</svg>')  # noqa: S704 # nosec B704


def strike(position: Position) -> str:
    """Through the cells of a won board."""
    line, board = position.outcome.line if position.outcome else (), position.board
    ends = [f"{board.column_of(cell) * SIDE + 50} {board.row_of(cell) * SIDE + 50}" for cell in (*line[:1], *line[-1:])]
    return f'<path class="tiny-strike" d="M{"L".join(ends)}"/>' if ends else ""


@lru_cache(8)
def grid_path(board: Board) -> str:
    width, height = board.columns * SIDE, board.rows * SIDE
    upright = [f"M{column * SIDE} 0V{height}" for column in range(1, board.columns)]
    level = [f"M0 {row * SIDE}H{width}" for row in range(1, board.rows)]
    return "".join(upright + level)


@lru_cache(2048)
def marks_path(board: Board, mark: Mark, cells: int) -> str:
    draw = PENS[mark]
    return "".join(draw(board.column_of(cell) * SIDE, board.row_of(cell) * SIDE) for cell in board.bits.cells_in[cells])


def cross(x: int, y: int) -> str:
    return f"M{x + 26} {y + 26}l48 48m0-48l-48 48"


def ring(x: int, y: int) -> str:
    return f"M{x + 24} {y + 50}a26 26 0 1 0 52 0a26 26 0 1 0-52 0"


PENS: dict[Mark, Callable[[int, int], str]] = {Mark.X: cross, Mark.O: ring}
