"""What is wrong with a list of students, line by line, before anything is written. Standard library only."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

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
NO_SEAT = "No seat is left. Allow more seats in the settings of the classroom."


class CheckedRow(NamedTuple):
    row: RosterRow
    problem: str = ""  # empty if there is none


class _Identity(NamedTuple):
    external_id: str
    email: str
    name: str


def checked(rows: Sequence[RosterRow], here: Iterable[RosterRow], free_seats: int) -> list[CheckedRow]:
    """Each row with the first thing that is wrong with it. `here` are the students of the classroom."""
    known, found = [_identity(person) for person in here], list[CheckedRow]()
    lines: dict[_Identity, int] = {}
    for row in rows:
        who = _identity(row)
        problem = _problem_of_text(row) or _problem_of_identity(who, known, lines)
        if not problem and free_seats <= len(lines):
            problem = NO_SEAT
        if not problem:
            lines[who] = row.line
        found.append(CheckedRow(row, problem))
    return found


def _problem_of_text(row: RosterRow) -> str:
    if not is_name(row.name):
        return "The name is missing. Write it in, or leave this line out."
    return next((problem for field in FIELDS if (problem := problem_of_field(field, getattr(row, field)))), "")


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


def _problem_of_identity(who: _Identity, known: Iterable[_Identity], lines: dict[_Identity, int]) -> str:
    if any(_is_same(who, other) for other in known):
        return "This student is in the classroom already. Leave this line out."
    twice = next((line for other, line in lines.items() if _is_same(who, other)), None)
    if twice is None:
        return ""
    return f"This student stands in line {twice} too. Leave one out; for two people, write their names differently."


def _identity(row: RosterRow) -> _Identity:
    return _Identity(*(text.casefold() for text in (row.external_id, row.email, row.name)))


def _is_same(one: _Identity, other: _Identity) -> bool:
    """What both have decides: first the school's id, then the e-mail address, else the name."""
    for mine, theirs in zip(one[:2], other[:2], strict=True):
        if mine and theirs:
            return mine == theirs
    return one.name == other.name
