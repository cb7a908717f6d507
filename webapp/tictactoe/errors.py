"""What the rules refuse, each refusal a sentence for the person who asked. Knows nothing else."""


class Refused(ValueError):
    """Anything the game package refuses."""


class BadBoard(Refused):
    """A shape nobody could play on."""


class BadPosition(Refused):
    """A text that is no position, or a position no game can reach."""


class BoardTooLarge(Refused):
    """A question that can be answered for small boards only."""


class IllegalMove(Refused):
    """A move the rules do not allow."""


class CellTaken(IllegalMove):
    """The cell holds a mark already."""


class CellOffBoard(IllegalMove):
    """There is no such cell on this board."""


class GameAlreadyOver(IllegalMove):
    """Somebody has won, or the board is full."""
