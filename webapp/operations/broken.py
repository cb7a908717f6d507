"""The promises about the data, and what is said when one of them does not hold. Standard library only.

Those that only an answer can break are checked by tests/operations/answer_checks.py.
"""

from typing import NamedTuple

PROMISES = {
    "I1": "Every acknowledged move is stored: it stands, or is recorded as taken back",
    "I2": "One move per ply",
    "I3": "One move per cell",
    "I4": "The plies of the moves that stand run from 0 without a gap",
    "I5": "Marks alternate, X first, and the mover held that mark",
    "I6": "The board is the replay of the moves that stand",
    "I7": "Nothing after the end",
    "I8": "Status, winner and results equal the replay or a recorded end",
    "I9": "Totals equal a recount",
    "I10": "The same post again is answered like the first, another cell for a ply that stands is refused",
    "I11": "A refused request leaves no trace",
    "I12": "A move whose answer was lost is wholly there or wholly absent",
    "I13": "The computer's answer is stored together with the move",
    "I14": "The perfect level never loses",
    "I15": "A seat is taken once, and by two different players",
    "I16": "A read is never older than an answer given before it",
    "I17": "Finished is final",
    "I18": "A game ends once",
    "I19": "The database is whole",
    "I20": "No session id, token or password can be read",
    "I22": "Names are unique by lower case",
    "I32": "What is told about games equals a recount",
    "I33": "Nobody is seated against, or tallied for, a deleted player",
}


class Broken(NamedTuple):
    """One promise that does not hold, and where."""

    promise: str
    where: str

    def __str__(self) -> str:
        return f"{self.promise} {PROMISES[self.promise]}: {self.where}."
