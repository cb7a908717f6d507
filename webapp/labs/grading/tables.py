"""The table of a class as CSV: it grows row by row, so that an interruption loses nothing.

Knows rows and points."""

import csv
import io
import re
from pathlib import Path

from webapp.labs.grading.marked import Marked
from webapp.labs.grading.scores import Points, Score, by_function, function_of, plain, total

BOM = "\ufeff"  # a spreadsheet takes the letters of names for Latin-1 without it
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
# Where a comma parts the digits, a spreadsheet takes each of these for the end of a cell; as in webapp/spreadsheets.py.
WITHIN = re.compile(rf'([;\r\n]["\s]*)(?=[{re.escape("".join(FORMULA))}])')


def headings(points: Points) -> list[str]:
    """Each function with the most points that it can give."""
    most: dict[str, float] = {}
    for test, number in points.items():
        most[function_of(test)] = most.get(function_of(test), 0) + number
    functions = [f"{name} (of {plain(number)})" for name, number in most.items()]
    known = ["student", "id", "file", "points", "maximum", *functions, "passed", "tests", "first_wrong", "mistake"]
    return [*known, "comment", "ignored", "checked", "checker", "sha256"]


def as_row(row: Marked, points: Points) -> list[str]:
    report = row.report or {"tests": []}
    score = total(report, points) if row.report else Score(0, sum(points.values()))
    functions = [plain(round(found.points, 1)) for found in by_function(report, points).values()]
    passed = sum(test["passed"] for test in report["tests"])
    found = (row.wrong[0].get("finding") or {}) if row.wrong else {}
    cells = [row.student, row.id, row.file, plain(score.points), plain(score.maximum), *functions]
    cells += [str(passed), str(len(points)), row.wrong[0]["name"] if row.wrong else "", found.get("mistake_name") or ""]
    cells += [row.comment(points), "; ".join(row.ignored), row.checked, row.checker, row.sha256]
    return list(map(safe, cells))


def safe(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    text = WITHIN.sub(r"\1'", text)
    return f"'{text}" if text.startswith(FORMULA) else text


class Table:
    """The CSV file. Rows come in the order in which the files were done; at the end they are put in order."""

    def __init__(self, path: Path, points: Points) -> None:
        self.path, self.points = path, points
        path.write_text(BOM + line(headings(points)), encoding="utf-8", newline="")

    def add(self, row: Marked) -> None:
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(line(as_row(row, self.points)))

    def put_in_order(self, rows: list[Marked]) -> None:
        """Write all at once into a new file, and put that in the place of the old one."""
        new = self.path.with_name(self.path.name + ".new")
        lines = [line(as_row(row, self.points)) for row in rows]
        new.write_text(BOM + line(headings(self.points)) + "".join(lines), encoding="utf-8", newline="")
        new.replace(self.path)


def line(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()
