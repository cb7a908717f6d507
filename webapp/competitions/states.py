"""The closed sets of words that describe a competition and its games, as they are stored. Knows only how games end."""

from enum import StrEnum

from webapp.games.states import FAULTS


class CompetitionKind(StrEnum):
    """Who plays."""

    PEOPLE = "people"
    AGENTS = "agents"


class Entrants(StrEnum):
    """Who may enter, with an account or with an agent of theirs."""

    ANYONE = "anyone"  # with an account
    MEMBERS = "members"  # of the classroom, its instructors and assistants too
    STUDENTS = "students"  # of the classroom


class Format(StrEnum):
    ROUND_ROBIN = "round robin"
    SWISS = "Swiss"


class State(StrEnum):
    """Of a competition."""

    ENTERING = "entering"  # not started: people enter and withdraw
    PLAYING = "playing"
    ENDED = "ended"
    CANCELLED = "cancelled"  # ended before it started


class PairingState(StrEnum):
    WAITING = "waiting"  # for its round, or for both agents to be here
    PLAYING = "playing"
    FINISHED = "finished"  # on the board, or a bye
    FORFEITED = "forfeited"  # not played, or not to its end: lost by whom `fault` speaks of
    SUPERSEDED = "superseded"  # counts no longer: a newer version of a program plays it anew
    CANCELLED = "cancelled"  # not over when an instructor ended the competition: counts for nobody


class Score(StrEnum):
    """How a pairing ended."""

    X = "X"
    O = "O"  # noqa: E741 - the mark
    DRAWN = "drawn"
    BOTH_LOST = "both lost"
    BYE = "bye"  # the entry under X had nobody to play, and gets the point


class Fault(StrEnum):
    """Why a game was lost without the board's saying so. The first three are people's, the others agents'."""

    ABSENT = "absent"  # did not come in time
    WITHDREW = "withdrew"
    DELETED = "deleted"  # the account
    ILLEGAL = "illegal"
    EXCEPTION = "exception"
    TOO_SLOW = "too slow"
    GONE = "gone"


# Where there is no room for more.
FAULT_NAMES = {
    Fault.ABSENT: "did not come",
    Fault.WITHDREW: "had left",
    Fault.DELETED: "deleted",
    Fault.ILLEGAL: "illegal move",
    Fault.EXCEPTION: "error",
    Fault.TOO_SLOW: "too slow",
    Fault.GONE: "gone",
}


def told(fault: Fault | None, words: str) -> str:
    """The words of a program for its fault, to stand after the site's "gave no move", as briefly."""
    for beginning in ("An error, ", "Nothing: ") if fault is Fault.EXCEPTION else ():
        words = words.removeprefix(beginning)
    return words


# How it goes on after the name of who lost by it.
FAULT_WORDS = {
    Fault.ABSENT: "did not come in time",
    Fault.WITHDREW: "had left",
    Fault.DELETED: "deleted the account",
    **{Fault(reason.value): words for reason, words in FAULTS.items()},
}
