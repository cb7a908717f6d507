"""Who is to be added to a classroom, read from pasted names or from the file of a school's system.

The header is found by itself for Canvas, Moodle, Blackboard, Brightspace and plain tables. Standard library only.
"""

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from io import StringIO
from itertools import islice
from typing import Any

from webapp.classrooms.roster_text import SEPARATORS, Line, UnreadableLine, lines_of, rows_of
from webapp.errors import Refusal

MOST_ROWS = 500
MOST_NORMALISED = 1000  # characters: no field is as long, and thousands of combining marks take seconds of all threads
HEADER = ("Name", "ID", "Email", "Section")
HEADER_WITHIN = 10  # rows: above it some systems write a title

# What columns are called, in lower case. Of several that are there, the first that is filled counts.
COLUMNS: Mapping[str, Sequence[str]] = {
    "name": ("student", "name", "full name", "student name", "display name", "names", "students", "nom complet",
             "vollständiger name", "nombre completo"),
    "first": ("first name", "firstname", "given name", "first", "forename", "vorname", "prénom", "nombre"),
    "last": ("last name", "lastname", "surname", "family name", "last", "nachname", "nom de famille", "nom",
             "apellido(s)", "apellidos"),
    # What a gradebook finds its students by when results are brought back to it.
    "external_id": ("sis user id", "orgdefinedid", "id number", "username", "student id", "sis login id", "id",
                    "external id", "id-nummer", "benutzername", "matrikelnummer", "anmeldename",
                    "numéro d'identification", "número de id"),
    "email": ("email address", "email", "e-mail", "e-mail address", "mail", "e-mail-adresse",
              "adresse de courriel", "dirección de correo"),
    "section": ("section", "sections", "group", "groups", "class", "gruppe", "gruppen", "klasse", "groupe", "groupes",
                "grupo", "grupos"),
}  # fmt: skip
# Lines of Canvas that are no students; the one that looks like a name is told.
TEST_STUDENT = re.compile(r"student, test\Z|test student\Z", re.IGNORECASE)
NO_STUDENTS = re.compile(rf"points possible|{TEST_STUDENT.pattern}", re.IGNORECASE)


class TooManyRows(Refusal):
    def __init__(self) -> None:
        super().__init__(
            f"A list has at most {MOST_ROWS} students. Cut it into smaller ones, and add one after the other."
        )


class UnknownColumns(Refusal):
    def __init__(self) -> None:
        super().__init__(
            "This is a table, but no line says what is in its columns. "
            "Make its first line one such as Name, ID, Email, Section, and try again."
        )


@dataclass(frozen=True)
class RosterRow:
    """One student as a list names them; `line` is where."""

    line: int
    name: str
    external_id: str = ""
    email: str = ""
    section: str = ""


def read_roster(text: str) -> list[RosterRow]:
    """A table if it has a header that we know, else one name a line: then commas are part of the name."""
    seen = set[tuple[str, ...]]()
    return [row for row in _rows(text) if not _is_repeated(row, seen)]


def repeated(text: str) -> list[str]:
    """The names of those who stand there more than once with one id: `read_roster` takes each of them once."""
    seen = set[tuple[str, ...]]()
    return list(dict.fromkeys(row.name for row in _rows(text) if _is_repeated(row, seen)))


def _is_repeated(row: RosterRow, seen: set[tuple[str, ...]]) -> bool:
    """As a student of two sections is, in some lists."""
    who = tuple(text.casefold() for text in (row.external_id, row.email, row.name))
    is_repeated = row.external_id != "" and who in seen
    seen.add(who)
    return is_repeated


def _rows(text: str) -> list[RosterRow]:
    text = text.removeprefix("\ufeff")
    found = _header(text)
    lines = [] if found else lines_of(text)
    if _looks_like_table(lines):
        raise UnknownColumns
    rows = _table_rows(text, *found) if found else _plain_rows(lines)
    read = list(islice(rows, MOST_ROWS + 1))
    if len(read) > MOST_ROWS:
        raise TooManyRows
    return read


def left_out(text: str) -> str:
    """The name of the test student that Canvas puts into each course, if `read_roster` leaves it out."""
    text = text.removeprefix("\ufeff")
    found = _header(text)
    names = (values["name"] for _, values in _lines_below(text, *found)) if found else iter(())
    return next((name for name in names if TEST_STUDENT.match(name)), "")


def roster_text(rows: Sequence[RosterRow]) -> str:
    """As `read_roster` reads it back: the preview hands it to the confirmation. Names alone stand one a line."""
    names = "".join(f"{row.name}\n" for row in rows)
    return names if _fields_in(names) == _fields(rows) else _table(rows)


def _fields(rows: Iterable[RosterRow]) -> list[tuple[Any, ...]]:
    return [astuple(row)[1:] for row in rows]


def _fields_in(text: str) -> list[tuple[Any, ...]]:
    """None of a text that cannot be read."""
    with suppress(Refusal):
        return _fields(read_roster(text))
    return []


def _table(rows: Sequence[RosterRow]) -> str:
    written = StringIO()
    writer = csv.writer(written, delimiter="\t", lineterminator="\n")
    writer.writerows([HEADER, *_fields(rows)])
    return written.getvalue()


def _header(text: str) -> tuple[str, Line] | None:
    """The separator and the header line, if there is one with more than one column."""
    for separator in SEPARATORS:
        try:
            for line in islice(rows_of(text, separator), HEADER_WITHIN):
                if len(line.fields) > 1 and _has_names(_columns(line.fields)):
                    return separator, line
        except UnreadableLine:
            pass
    return None


def _columns(header: Sequence[str]) -> dict[str, list[int]]:
    """For each kind of column the indexes of those that are there, the best first."""
    titles = [plain(title).lower().lstrip("#") for title in header]
    found = {kind: [titles.index(name) for name in names if name in titles] for kind, names in COLUMNS.items()}
    if found["first"] and not found["last"]:  # as in "Name;Vorname"
        found["last"], found["name"] = found["name"], []
    return found


def _has_names(columns: Mapping[str, list[int]]) -> bool:
    """A full name stands beside something else that we know: alone it may be a person who is called so."""
    others = [columns[kind] for kind in ("external_id", "email", "section")]
    return any(columns["name"] and other for other in others) or bool(columns["first"] and columns["last"])


def _table_rows(text: str, separator: str, header: Line) -> Iterator[RosterRow]:
    for number, values in _lines_below(text, separator, header):
        if any(values.values()) and not NO_STUDENTS.match(values["name"]):
            yield RosterRow(number, **values)


def _lines_below(text: str, separator: str, header: Line) -> Iterator[tuple[int, dict[str, str]]]:
    """Of each line its number, and what stands in the columns that we know."""
    columns = _columns(header.fields)
    for line in rows_of(text, separator):
        if line.number > header.number:
            values = {kind: _first_filled(line.fields, indexes) for kind, indexes in columns.items()}
            first_and_last = f"{values.pop('first')} {values.pop('last')}".strip()
            values["name"] = values["name"] or first_and_last
            values["external_id"] = values["external_id"].lstrip("# ")  # Brightspace puts it before every id
            yield line.number, values


def _first_filled(fields: Sequence[str], indexes: Sequence[int]) -> str:
    return next((value for index in indexes if (value := plain(_at(fields, index)))), "")


def _at(fields: Sequence[str], index: int) -> str:
    return fields[index] if index < len(fields) else ""


def _looks_like_table(lines: Sequence[Line]) -> bool:
    """Every line has three columns or more: no list of names, in which a line would become a name as it stands."""
    return len(lines) > 1 and any(all(line.fields[0].count(one) > 1 for line in lines) for one in SEPARATORS)


def _plain_rows(lines: Sequence[Line]) -> Iterator[RosterRow]:
    """The first line may be the title of the only column."""
    titles = COLUMNS["name"]
    is_title = bool(lines) and plain(lines[0].fields[0]).lower() in titles
    for line in lines[is_title:]:
        yield RosterRow(line.number, plain(line.fields[0]))


def plain(text: str) -> str:
    """Tabs, line ends and repeated blanks become one space; the same letter is written in one way. What is too long for
    any field is refused as it is.
    """
    words = " ".join(text.replace("\ufeff", "").split())
    return unicodedata.normalize("NFC", words) if len(words) <= MOST_NORMALISED else words
