"""What a move that was played is worth, and how it is punished."""

from typing import NamedTuple

from .bitboard import Cells
from .position import Position
from .table import Entry, table_of


class MoveValue(NamedTuple):
    """Of a move. Values are those of the side that moved."""

    before: Entry  # what the position was worth with the best move
    value: int  # what it is worth after the move that was played
    distance: int  # plies to the end, counted from before the move
    line: Cells  # the best play for both after the move: where it was a mistake, how it is punished

    @property
    def is_mistake(self) -> bool:
        return self.value < self.before.value

    @property
    def is_best(self) -> bool:
        """Not a mistake, and no slower win or quicker loss than need be."""
        return (self.value, self.distance) == (self.before.value, self.before.distance)


def move_value(position: Position, cell: int) -> MoveValue:
    """Judge playing this cell in this position. An illegal move raises as `play` does."""
    table = table_of(position.board)
    after = position.play(cell)
    before, reply = table[position], table[after]
    return MoveValue(before, -reply.value, reply.distance + 1, table.line(after))
