"""Lists of students are read as they come: pasted, or from the file of a school's system."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.classrooms.rosters import BLACKBOARD, BRIGHTSPACE, CANVAS, MOODLE
from webapp.classrooms.roster import (
    MOST_ROWS,
    RosterRow,
    TooManyRows,
    UnknownColumns,
    left_out,
    read_roster,
    repeated,
    roster_text,
)
from webapp.classrooms.roster_text import NoTextFile, UnreadableLine, text_of_file

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252")
SYSTEMS = {
    "Canvas": (CANVAS, [
        RosterRow(4, "O'Brien, Zoë", "S-001", "", "Informatics 7b"),
        RosterRow(5, "García Márquez, José", "S-002", "", "Informatics 7b, Group 2"),
    ]),
    "Moodle": (MOODLE, [
        RosterRow(2, "Zoë O'Brien", "S-001", "zoe@school.example"),
        RosterRow(3, "José García Márquez", "S-002", "jose@school.example"),
    ]),
    "Blackboard": (BLACKBOARD, [
        RosterRow(2, "Zoë O'Brien", "zobrien"), RosterRow(3, "José García Márquez", "jgarcia"),
    ]),
    "Brightspace": (BRIGHTSPACE, [
        RosterRow(2, "Zoë O'Brien", "S-001", "zoe@school.example"),
        RosterRow(3, "José García Márquez", "S-002", "jose@school.example"),
    ]),
}  # fmt: skip


def names_in(text: str) -> list[str]:
    return [row.name for row in read_roster(text)]


def test_each_systems_file_is_understood_in_every_encoding_and_with_every_line_end() -> None:
    for system, (text, rows) in SYSTEMS.items():
        for encoding in ENCODINGS:
            for end in ("\n", "\r\n", "\r"):
                content = text.replace("\n", end).encode(encoding)
                assert read_roster(text_of_file(content)) == rows, (system, encoding, end)


def test_the_separator_does_not_matter() -> None:
    for separator in ",;\t":
        text = f'Name{separator}Class\n"O\'Brien, Zoë; 2"{separator}7b\n'
        assert read_roster(text) == [RosterRow(2, "O'Brien, Zoë; 2", section="7b")], separator


def test_names_are_pasted_one_a_line_with_their_commas() -> None:
    text = "O'Brien, Zoë\n\n  李\t小龙  \r\n\"Smith, Anna\"\nمحمد  علي\nJosé \"Pepe\" Gil\n"
    names = ["O'Brien, Zoë", "李 小龙", "Smith, Anna", "محمد علي", 'José "Pepe" Gil']
    assert names_in(text) == names
    assert [row.line for row in read_roster(text)] == [1, 3, 4, 5, 6]


def test_ids_and_groups_are_found_under_german_french_and_spanish_titles() -> None:
    for header in (
        "Vorname;Nachname;ID-Nummer;Gruppen", "Prénom;Nom de famille;Numéro d'identification;Groupes",
        "Nombre;Apellido(s);Número de ID;Grupos", "Vorname;Nachname;Benutzername;Gruppe",
        "Vorname;Nachname;Anmeldename;Gruppe", "Vorname;Nachname;Matrikelnummer;Gruppe",
    ):  # fmt: skip
        [row] = read_roster(f"{header}\nAnna;Berg;S-1;7b\n")
        assert (row.external_id, row.section) == ("S-1", "7b"), header


def test_a_title_above_a_list_is_no_student() -> None:
    assert names_in("Name\nAnna\nBen") == names_in("Students\r\nAnna\r\nBen") == ["Anna", "Ben"]
    assert names_in("Our class\n\nName;Email\nAnna;a@b.example\n") == ["Anna"]
    assert names_in("Name;Vorname\nSchmidt;Anna\n") == ["Anna Schmidt"]
    assert names_in("Student, Anna\nName, Ben\n") == ["Student, Anna", "Name, Ben"]


def test_the_test_student_is_left_out_and_told_and_nobody_else_is() -> None:
    for text, told, names in (
        (CANVAS, "Student, Test", ["O'Brien, Zoë", "García Márquez, José"]),
        ("First name,Last name,ID\nTest,Student,1\nAnna,B,2\n", "Test Student", ["Anna B"]),
        ("Name,ID,Section\nAnna,1,Test Student\n", "", ["Anna"]),
        ("Anna\nTest Student\n", "", ["Anna", "Test Student"]),
    ):
        assert (left_out(text), names_in(text)) == (told, names)


def test_who_stands_there_twice_with_one_id_is_taken_once_and_told() -> None:
    header = "Name,ID,Email,Section\n"
    for lines, told, names in (
        ("Anna,1,a@b.c,7a\nBen,2\nANNA,1,A@b.c,7b\nAnna,1,a@b.c\n", ["ANNA", "Anna"], ["Anna", "Ben"]),
        ("Anna,1\nAnna,2\n", [], ["Anna", "Anna"]),
        ("Anna,1\nBen,1\n", [], ["Anna", "Ben"]),  # a problem for the preview
        ("Anna,,a@b.example\nAnna,,a@b.example\n", [], ["Anna", "Anna"]),
    ):
        assert (repeated(header + lines), names_in(header + lines)) == (told, names), lines
    assert repeated("Anna\nAnna\n") == []


def test_a_row_with_too_few_fields_or_without_a_name_is_kept_for_the_preview() -> None:
    assert read_roster("Email,Name\na@b.example\n,,\n") == [RosterRow(2, "", email="a@b.example")]


def test_one_letter_is_one_letter_however_it_was_typed() -> None:
    assert names_in("Zoe\u0308") == names_in("Zo\u00eb") == ["Zo\u00eb"]


def test_what_is_no_list_is_refused_with_what_to_do() -> None:
    web_page = b"\xef\xbb\xbf\n<table><tr><td>Anna</td></tr></table>"
    others = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0 a photo", b"{\\rtf1\\ansi Anna}", web_page)
    for content in (b"PK\x03\x04 a spreadsheet", b"%PDF-1.7", b"\xd0\xcf\x11\xe0 an old one", *others):
        with pytest.raises(NoTextFile, match="save it as CSV"):
            text_of_file(content)
    with pytest.raises(UnreadableLine, match="Line 2"):
        read_roster('Name,ID\n"Anna,1\nBen,2\n')
    with pytest.raises(TooManyRows, match="at most 500"):
        read_roster("Anna\n" * (MOST_ROWS + 1))
    assert read_roster("") == read_roster("\n \n") == []


def test_a_table_whose_columns_have_no_known_titles_is_not_taken_for_names() -> None:
    for separator in "\t;,":
        with pytest.raises(UnknownColumns, match="Name, ID, Email, Section"):
            read_roster("Achternaam;Nummer;Klas\nde Vries;1;7b\nJansen;2;7b\n".replace(";", separator))
    names = "King, Martin Luther, Jr.\nO'Brien, Zoë\n"
    assert [row.name for row in read_roster(names)] == names.splitlines()


characters = st.characters(exclude_categories=("Cs", "Cc")) | st.just("#")
texts = st.text(characters, max_size=30).map(lambda text: " ".join(text.split()))


@given(st.lists(st.tuples(st.text("aé李' ,;\"#", min_size=1, max_size=9), texts, texts, texts), max_size=5))
@example([("a", "# #0", "", "")])
@example([("  ", "", "", "")])
def test_what_the_preview_hands_on_is_what_it_read(fields: list[tuple[str, str, str, str]]) -> None:
    rows = [RosterRow(0, f"a{name}b{number}", *others) for number, (name, *others) in enumerate(fields)]
    once = read_roster(roster_text(rows))
    assert unnumbered(read_roster(roster_text(once))) == unnumbered(once)
    assert len(once) == len(rows)


def unnumbered(rows: list[RosterRow]) -> list[RosterRow]:
    """Names alone are handed on without titles above them, and so on other lines."""
    return [replace(row, line=0) for row in rows]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with suppress(NoTextFile, UnreadableLine):
        read_roster(text_of_file(content))
