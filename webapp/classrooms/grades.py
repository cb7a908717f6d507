"""Results as the grades of one assignment, and as the files that Canvas and Moodle import. Knows no database.

Canvas finds a student by the SIS user id, else by the name, and takes the line "Points Possible" for the assignment's.
Moodle finds them by the one column that is chosen there. A line without it would go to the student of the line before,
and one student whom Moodle does not know stops the whole import: so who lacks it is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webapp.classrooms.results import StudentResults
from webapp.classrooms.roster import plain
from webapp.classrooms.roster_problems import has_unseen_character
from webapp.errors import Refusal
from webapp.spreadsheets import Cell, csv_lines

MOST = {"goal": 10_000, "points": 1000}
LONGEST_TITLE = 80
POINTS_POSSIBLE = "    Points Possible"  # as Canvas writes it


class Count(NamedTuple):
    """Something that results hold of each student, and what it is called in a sentence."""

    words: str
    of: Callable[[StudentResults], int]


COUNTS = {
    "games": Count("games played", lambda student: student.alone.total),
    "unbeaten": Count("games against Perfect not lost", lambda one: one["perfect"].won + one["perfect"].drawn),
    "classmates": Count("games against classmates", lambda student: student["classmates"].total),
    "practice": Count("practice questions right (of all time)", lambda student: student.practice.right),
    "answered": Count("questions answered when you asked the class", lambda student: student.answers.answered),
    "right": Count("questions answered rightly when you asked the class", lambda student: student.answers.right),
}
DEFAULTS = {"count": "games", "goal": "10", "points": "10", "title": "Noughts"}


class BadScheme(Refusal):
    """`problems` has a sentence for each field of the form that cannot be so."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


@dataclass(frozen=True)
class Scheme:
    """What counts, how many give all points, of how many points, and what the assignment is called."""

    count: Count
    goal: int
    points: int
    title: str

    def counted(self, student: StudentResults) -> int:
        return self.count.of(student)

    def grade(self, student: StudentResults) -> str:
        """With two decimals at most, as gradebooks show it."""
        return f"{round(min(self.goal, self.counted(student)) * self.points / self.goal, 2):g}"


def scheme_of(typed: Mapping[str, str]) -> Scheme:
    """As it was typed, strictly."""
    problems = {name: _problem_of_number(name) for name in MOST if not _is_number(typed[name], MOST[name])}
    title = plain(typed["title"])
    if not 1 <= len(title) <= LONGEST_TITLE or has_unseen_character(title):
        problems["title"] = f"The column needs a name of 1 to {LONGEST_TITLE} characters, such as Noughts."
    if typed["count"] not in COUNTS:
        problems["count"] = "Choose what counts."
    if problems:
        raise BadScheme(problems)
    return Scheme(COUNTS[typed["count"]], int(typed["goal"]), int(typed["points"]), title)


def _is_number(text: str, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(most)) and 1 <= int(text) <= most


def _problem_of_number(name: str) -> str:
    return f"Write a whole number from 1 to {MOST[name]}."


class Lacking(NamedTuple):
    """Of how many students the roster does not know what a gradebook finds them by."""

    external_id: int
    email: int
    name: int  # nor an ID


def lacking(students: Sequence[StudentResults]) -> Lacking:
    without_id = [one for one in students if not one.external_id]
    without_email = [one for one in students if not one.email]
    return Lacking(len(without_id), len(without_email), sum(not one.real_name for one in without_id))


def for_canvas(students: Sequence[StudentResults], scheme: Scheme) -> bytes:
    """Without a name and an ID Canvas finds nobody."""
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", scheme.title]
    rows: list[list[Cell]] = [[*header], [POINTS_POSSIBLE, "", "", "", "", scheme.points]]
    for one in students:
        if one.real_name or one.external_id:
            rows.append([one.title, "", one.external_id, "", one.section, scheme.grade(one)])
    return csv_lines(rows).encode("utf-8-sig")


def for_moodle_by_email(students: Sequence[StudentResults], scheme: Scheme) -> bytes:
    return _for_moodle("Email address", [(one.email, one) for one in students], scheme)


def for_moodle_by_id(students: Sequence[StudentResults], scheme: Scheme) -> bytes:
    return _for_moodle("ID number", [(one.external_id, one) for one in students], scheme)


def _for_moodle(title: str, students: Sequence[tuple[str, StudentResults]], scheme: Scheme) -> bytes:
    rows: list[list[Cell]] = [[key, scheme.grade(one)] for key, one in students if key]
    return csv_lines([[title, scheme.title], *rows]).encode("utf-8-sig")


FILES = {"canvas": for_canvas, "moodle-by-email": for_moodle_by_email, "moodle-by-id": for_moodle_by_id}
