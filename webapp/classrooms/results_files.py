"""The table of results as files: CSV and XLSX with the same rows, one for each student. Knows no database."""

import re
import unicodedata
from io import BytesIO
from typing import Any

from webapp.classrooms.results import KINDS, TITLES, Results, StudentResults
from webapp.clock import now
from webapp.games.states import Result
from webapp.spreadsheets import Cell, csv_lines

ABOUT = ("name", "user name", "id", "e-mail", "section")
PRACTICE = ("practice answered", "practice right", "practice right at first", "own mistakes solved")
ASKED = ("class questions answered", "class questions right")
ENDS = (Result.WON, Result.DRAWN, Result.LOST)
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def file_name(classroom: str, what: str) -> str:
    """Tells several classes and days apart, in letters that are safe in every header and on every disk."""
    letters = unicodedata.normalize("NFKD", classroom).encode("ascii", "ignore").decode()
    words = re.findall("[A-Za-z0-9]+", letters) or ["classroom"]
    return "-".join([*words, now().date().isoformat(), what])


def headings() -> list[str]:
    by_kind = [f"{TITLES[kind].lower()} {end}" for kind in KINDS for end in ENDS]
    return [*ABOUT, "games", *by_kind, "accuracy %", "decisions", "kept", *PRACTICE, *ASKED, "last seen"]


def row(student: StudentResults) -> list[Cell]:
    """Games and accuracy are those without the coach, whose games have columns of their own."""
    about = [student.real_name, student.name, student.external_id, student.email, student.section]
    by_kind = [getattr(student[kind], end) for kind in KINDS for end in ENDS]
    alone = student.alone
    practice = student.practice
    practised = [practice.answered, practice.right, practice.right_at_first, practice.mistakes_solved]
    seen = student.seen_at.isoformat(timespec="minutes") if student.seen_at else ""
    decided = [alone.accuracy, alone.decisions, alone.kept]
    return [*about, alone.total, *by_kind, *decided, *practised, *student.answers, seen]


def as_csv(results: Results) -> bytes:
    """With a byte order mark, without which Excel takes names in UTF-8 for another encoding."""
    return csv_lines([headings(), *map(row, results.students)]).encode("utf-8-sig")


def as_xlsx(results: Results, title: str) -> bytes:
    import xlsxwriter  # here, because it is slow to load, and few pages need it

    file = BytesIO()
    text_stays_text: dict[str, Any] = {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True}
    with xlsxwriter.Workbook(file, text_stays_text) as book:
        sheet = book.add_worksheet("Results")
        bold = book.add_format({"bold": True})
        book.set_properties({"title": title})
        for number, cells in enumerate([headings(), *map(row, results.students)]):
            sheet.write_row(number, 0, cells, bold if number == 0 else None)
        sheet.freeze_panes(1, 2)
        sheet.autofit()
    return file.getvalue()
