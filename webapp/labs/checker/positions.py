"""Every position of the game in which X began, in the order they are asked, and how a lab writes them.

Knows the rules, and nothing of students."""

from functools import cache
from typing import Any

from webapp.tictactoe import STANDARD, Mark, Position, X, minimax_nodes, table_of

Move = tuple[int, int]
Rows = list[list[Any]]

SIDE = STANDARD.columns
SLOWEST_LAST = 2  # plies: these 82 boards hold three quarters of all the nodes


@cache
def positions() -> tuple[Position, ...]:
    """All 5,478, the fullest boards first."""
    seen = layer = dict.fromkeys([Position.start()])
    while layer:
        layer = dict.fromkeys(position.play(cell) for position in layer for cell in position.legal_cells)
        seen = layer | seen
    return tuple(seen)


@cache
def finished() -> tuple[Position, ...]:
    return tuple(position for position in positions() if position.is_over)


@cache
def unfinished() -> tuple[Position, ...]:
    """All 4,520, cheap ones first, since most mistakes show there; at the end the long ones, longest first,
    so that two processes finish together."""
    going_on = [position for position in positions() if not position.is_over]
    slow = [position for position in going_on if position.ply <= SLOWEST_LAST]
    return tuple(position for position in going_on if position not in slow) + tuple(reversed(slow))


nodes = minimax_nodes


def value_for(mark: Mark, position: Position) -> int:
    """What the position is worth to a side with best play: 1, 0 or -1."""
    entry = table_of(STANDARD)[position]
    return entry.value if position.to_move is mark else -entry.value


def value_for_x(position: Position) -> int:
    return value_for(X, position)


@cache
def best_cells(position: Position) -> tuple[int, ...]:
    """The cells that keep what the position is worth, quickly or slowly, in reading order."""
    side = position.to_move
    worth = value_for(side, position)
    return tuple(cell for cell in position.legal_cells if value_for(side, position.play(cell)) == worth)


def move_at(cell: int) -> Move:
    return divmod(cell, SIDE)


def cell_at(move: Any) -> int | None:
    """The cell that a (row, column) names, or None if it names none."""
    match move:
        case (int(row), int(column)) if 0 <= row < SIDE and 0 <= column < SIDE:
            return row * SIDE + column
    return None


def rows(position: Position, empty: Any) -> Rows:
    """The position as a lab writes it: three lists of three, with the lab's own sign for an empty cell."""
    return [list(row) for row in cells_of(position, empty)]


@cache
def cells_of(position: Position, empty: Any) -> tuple[tuple[Any, ...], ...]:
    cells = tuple(empty if letter == "." else letter for letter in position.text)
    return tuple(cells[start : start + SIDE] for start in range(0, len(cells), SIDE))


def drawn(position: Position) -> str:
    """The position as a picture, rows and columns numbered as the labs number them."""
    lines = [f"{i}   {' | '.join(row)}".rstrip() for i, row in enumerate(rows(position, " "))]
    return "    0   1   2\n" + "\n   ---+---+---\n".join(lines)


def line_name(position: Position) -> str:
    """The line that won a finished game, in words."""
    outcome = position.outcome
    return STANDARD.line_name(outcome.line) if outcome and outcome.line else ""
