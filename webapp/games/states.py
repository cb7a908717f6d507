"""The closed sets of words that describe a game, as they are stored. Knows only the rules."""

from enum import StrEnum

from webapp.tictactoe import Mark


class Status(StrEnum):
    OPEN = "open"  # waits for a second player
    PLAYING = "playing"
    FINISHED = "finished"  # the only one that counts
    WITHDRAWN = "withdrawn"
    DECLINED = "declined"
    ABORTED = "aborted"


class Visibility(StrEnum):
    PUBLIC = "public"
    PRIVATE = "private"


class WishedMark(StrEnum):
    """The mark that whoever begins a game wants."""

    X = "X"
    O = "O"  # noqa: E741 - the mark
    RANDOM = "random"

    @property
    def mark(self) -> Mark | None:
        """None while it is left to chance."""
        return None if self is WishedMark.RANDOM else Mark(self)


class Result(StrEnum):
    """Of one seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    VOID = "void"  # of a game that was cancelled: it counts nowhere, and is not unfinished either

    @classmethod
    def of(cls, mark: Mark, winner: Mark | None) -> "Result":
        if winner is None:
            return cls.DRAWN
        return cls.WON if mark == winner else cls.LOST


class EndReason(StrEnum):
    """Why a game is over. The first two are the rules' own."""

    LINE = "line"
    FULL_BOARD = "full"
    RESIGNED = "resigned"
    AGREED = "agreed"  # both wanted a draw
    CLAIMED = "claimed"  # one was gone, the other took the win or a draw
    ABANDONED = "abandoned"  # somebody did not move in time
    ILLEGAL = "illegal"  # these four: how a program lost a game of a competition other than on the board
    EXCEPTION = "exception"
    TOO_SLOW = "too slow"
    GONE = "gone"
    ABORTED = "aborted"
    NO_MOVE = "no move"  # nobody began in time
    WITHDRAWN = "withdrawn"
    NOBODY = "nobody"  # joined in time
    REPLACED = "replaced"  # whoever opened it opened or joined another one
    LATER = "later"  # these three: why a challenge was declined
    BUSY = "busy"
    OTHER = "other"


# How it goes on after the name of who lost by it.
FAULTS = {
    EndReason.ILLEGAL: "made an illegal move",
    EndReason.EXCEPTION: "gave no move",
    EndReason.TOO_SLOW: "ran out of time",
    EndReason.GONE: "was gone",
}
