"""What is wrong with a list of students, line by line, before anything is written. Standard library only."""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from webapp.classrooms.real_names import same_name
from webapp.classrooms.roster import RosterRow

# Of each field the most characters, and what it is called.
FIELDS = {
    "name": (100, "name"),
    "external_id": (100, "ID"),
    "email": (254, "e-mail address"),
    "section": (100, "section"),
}
# They turn the order of the letters that follow, also of those that belong to the page.
TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
FILLERS = frozenset("\u115f\u1160\u3164\uffa0")  # blanks that count as Korean letters
HERE_ALREADY = "This student is in the classroom already. Leave this line out."
NO_SEAT = "No seat is left. Allow more seats in the settings of the classroom."


class CheckedRow(NamedTuple):
    row: RosterRow
    problem: str = ""  # empty if there is none


class _Lines:
    """In which line students stand. Whether one is among them is looked up: to compare each with each would take
    seconds of a unit that writes.

    What both have decides who is the same: first the school's id, then the e-mail address, else the name. So the lines
    are kept apart by which of the two a student has, and within them by each of the three.
    """

    def __init__(self) -> None:
        self.count = 0
        self._first: dict[tuple[bool, bool, int, str], int] = {}

    def add(self, row: RosterRow) -> None:
        self.count += 1
        texts = _texts(row)
        for field, text in enumerate(texts):
            self._first.setdefault((bool(texts[0]), bool(texts[1]), field, text), row.line)

    def same(self, row: RosterRow) -> int | None:
        """The first line in which the same student stands."""
        texts, found = _texts(row), list[int]()
        for has_id, has_email in product((False, True), repeat=2):
            field = 0 if has_id and texts[0] else 1 if has_email and texts[1] else 2
            if (line := self._first.get((has_id, has_email, field, texts[field]))) is not None:
                found.append(line)
        return min(found, default=None)


def _texts(row: RosterRow) -> tuple[str, str, str]:
    return row.external_id.casefold(), row.email.casefold(), same_name(row.name)


def checked(rows: Sequence[RosterRow], here: Iterable[RosterRow], free_seats: int) -> list[CheckedRow]:
    """Each row with the first thing that is wrong with it. `here` are the students of the classroom."""
    known, lines, found = _Lines(), _Lines(), list[CheckedRow]()
    for person in here:
        known.add(person)
    for row in rows:
        problem = _problem_of_text(row) or _problem_of_identity(row, known, lines)
        if not problem and free_seats <= lines.count:
            problem = NO_SEAT
        if not problem:
            lines.add(row)
        found.append(CheckedRow(row, problem))
    return found


def _problem_of_text(row: RosterRow) -> str:
    if not is_name(row.name):
        return "The name is missing. Write it in, or leave this line out."
    return next(iter(problems_of_fields(row).values()), "")


def problems_of_fields(row: RosterRow) -> dict[str, str]:
    """By field. A student who is here may have no name on the roster."""
    return {field: problem for field in FIELDS if (problem := problem_of_field(field, getattr(row, field)))}


def told_apart(row: RosterRow, others: Sequence[RosterRow]) -> dict[str, str]:
    """What keeps a student from being told apart from the others of the class, by field."""
    for field, what in (("external_id", "ID"), ("email", "e-mail address")):
        text = getattr(row, field).casefold()
        if same := [other for other in others if text and getattr(other, field).casefold() == text]:
            whose = f"{same[0].name} has" if same[0].name else "Another student of this class has"
            return {field: f"{whose} this {what} already. Change it there first, or write another one."}
    known = _Lines()
    for other in others:
        known.add(other)
    if row.name and known.same(row) is not None:
        return {
            "name": "Another student of this class has this name, and no ID tells the two apart. Write it differently."
        }
    return {}


def is_name(text: str) -> bool:
    return any(char.isalnum() and char not in FILLERS for char in text)


def problem_of_field(field: str, text: str) -> str:
    """Marks that join letters or keep them apart, as Persian and Hindi need them, are no problem."""
    longest, word = FIELDS[field]
    if len(text) > longest:
        return f"The {word} has {len(text)} characters, more than {longest}. Make it shorter."
    if has_unseen_character(text):
        return f"The {word} holds a character that nobody can see. Type it again."
    return ""


def has_unseen_character(text: str) -> bool:
    return any(unicodedata.category(char) in ("Cc", "Cs", "Cn", "Co") or char in TURNS for char in text)


def _problem_of_identity(row: RosterRow, known: _Lines, lines: _Lines) -> str:
    if known.same(row) is not None:
        return HERE_ALREADY
    if (twice := lines.same(row)) is None:
        return ""
    return f"This student stands in line {twice} too. Leave one out; for two people, write their names differently."
