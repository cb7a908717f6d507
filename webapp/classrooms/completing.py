"""A later list knows more of students who are here already than the roster does. Standard library only."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from webapp.classrooms.real_names import same_name
from webapp.classrooms.roster import RosterRow
from webapp.classrooms.roster_problems import HERE_ALREADY, CheckedRow

UNSURE = (
    "More than one student or line may be meant, so nothing is taken over from this line. Leave it out, and correct "
    "the student by hand: press the user name under Students."
)
FILLED = {"external_id": "ID", "email": "e-mail", "section": "section"}


class Completion(NamedTuple):
    """A line of a list and the student that it is about. `fills` is what the roster does not know so far."""

    row: RosterRow
    user_id: int
    fills: dict[str, str]


class Matches(NamedTuple):
    sure: list[Completion]
    unsure: list[RosterRow]  # it may be one student or another, or the line of another student


class _Students:
    """Who is here, by what a line says of them: to compare each with each would take seconds of a unit that writes."""

    def __init__(self, here: Mapping[int, RosterRow]) -> None:
        self._found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for user_id, student in here.items():
            for key in _keys(student):
                self._found[key].append(user_id)

    def same(self, row: RosterRow) -> list[int]:
        """Whom the line may be about: by the ID or the e-mail address, else all of this name."""
        return next((found for key in _keys(row) if (found := self._found.get(key))), [])


def _keys(row: RosterRow) -> list[tuple[str, str]]:
    texts = {"external_id": row.external_id.casefold(), "email": row.email.casefold(), "name": same_name(row.name)}
    return [(field, text) for field, text in texts.items() if text]


def matches(rows: Sequence[RosterRow], here: Mapping[int, RosterRow]) -> Matches:
    """For lines of students who are here. A name alone decides only where one student here and one line has it."""
    students = _Students(here)
    found = [(row, students.same(row)) for row in rows]
    lines = Counter(user_id for _, user_ids in found for user_id in user_ids)
    sure, unsure = list[Completion](), list[RosterRow]()
    for row, user_ids in found:
        if len(user_ids) == 1 and lines[user_ids[0]] == 1 and _agree(row, here[user_ids[0]]):
            sure.append(Completion(row, user_ids[0], _fills(row, here[user_ids[0]])))
        else:
            unsure.append(row)
    return Matches(sure, unsure)


def _agree(row: RosterRow, student: RosterRow) -> bool:
    """By the first of ID and e-mail address that both have; else by the name, and then the sections agree too."""
    known = [(getattr(row, field).casefold(), getattr(student, field).casefold()) for field in FILLED]
    return next((mine == theirs for mine, theirs in known if mine and theirs), True)


def _fills(row: RosterRow, student: RosterRow) -> dict[str, str]:
    texts = {field: getattr(row, field) for field in FILLED if not getattr(student, field)}
    return {field: text for field, text in texts.items() if text}


def filled_words(completions: Iterable[Completion]) -> str:
    """ "ID, e-mail and section", as far as they are filled."""
    fields = {field for one in completions for field in one.fills}
    *words, last = [word for field, word in FILLED.items() if field in fields]
    return f"{', '.join(words)} and {last}" if words else last


def without_completions(
    found: Sequence[CheckedRow], here: Mapping[int, RosterRow]
) -> tuple[list[Completion], list[CheckedRow]]:  # fmt: skip
    """Of a checked list the lines that know more of a student who is here, and the others."""
    known = matches([one.row for one in found if one.problem == HERE_ALREADY], here)
    completions = [one for one in known.sure if one.fills]
    taken = {one.row.line for one in completions}
    unsure = {row.line for row in known.unsure if row.external_id or row.email or row.section}
    left = [one._replace(problem=UNSURE) if one.row.line in unsure else one for one in found]
    return completions, [one for one in left if one.row.line not in taken]


def filled_rows(completions: Iterable[Completion], here: Mapping[int, RosterRow]) -> list[CheckedRow]:
    """What is filled in alone, under the names that the roster has."""
    names = ((one, _both_names(here[one.user_id].name, one.row.name)) for one in completions)
    return [CheckedRow(RosterRow(one.row.line, name, **one.fills)) for one, name in names]


def _both_names(here: str, listed: str) -> str:
    is_one = not here or same_name(here) == same_name(listed)
    return here or listed if is_one else f"{here} (in the list: {listed})"
