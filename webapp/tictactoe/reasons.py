"""Plain reasons for and against a move, as a person sees them on the board, without a search."""

from typing import NamedTuple

from .bitboard import Cells
from .position import Position


class Reasons(NamedTuple):
    """What a move does. Lines and cells; empty where it does not."""

    completes: tuple[Cells, ...]  # lines
    blocks: tuple[Cells, ...]  # lines that the other side would have completed here
    two_threats: Cells  # cells that each complete a line with the next move, where there are two or more
    leaves_open: Cells  # cells where the other side now completes a line
    lets_make_two_threats: Cells  # cells where the other side can now make two threats that cannot be answered


def reasons(position: Position, cell: int) -> Reasons:
    """An illegal move raises as `play` does."""
    after = position.play(cell)
    cells_in = position.board.bits.cells_in
    completes = lines_through(position, position.own, cell)
    blocks = lines_through(position, position.other, cell)
    if after.is_over:
        return Reasons(completes, blocks, (), (), ())
    threats, answers = cells_in[after.threats], cells_in[after.wins]
    forks = () if answers else tuple(reply for reply in after.legal_cells if is_fork(after.play(reply)))
    return Reasons(completes, blocks, threats if len(threats) > 1 else (), answers, forks)


def lines_through(position: Position, cells: int, cell: int) -> tuple[Cells, ...]:
    """The lines that this cell completes together with these cells."""
    held = cells | 1 << cell
    return tuple(line for line in position.board.lines if cell in line and all(held >> each & 1 for each in line))


def is_fork(position: Position) -> bool:
    """Whether the side that has just moved has two threats, and the other nothing better to do than lose."""
    return not position.is_over and not position.wins and position.threats.bit_count() > 1
