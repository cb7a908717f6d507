"""The two marks. Knows nothing else."""

from enum import StrEnum


class Mark(StrEnum):
    X = "X"
    O = "O"  # noqa: E741 - that is what the mark is called

    @property
    def other(self) -> "Mark":
        return Mark.O if self is Mark.X else Mark.X


X, O = Mark.X, Mark.O  # noqa: E741


def mover(ply: int, first: Mark = X) -> Mark:
    """Who makes the move of this ply, counted from 0: the marks take turns."""
    return first if ply % 2 == 0 else first.other


def moves_by(mark: Mark, plies: int) -> int:
    """How many of the first so many plies are this mark's."""
    return (plies + (mark == X)) // 2
