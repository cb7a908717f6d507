"""Checks the files of a whole class, one after the other, and writes the marks as CSV.

Knows how one file is checked; one bad file never stops the rest."""

import csv
from collections.abc import Callable
from pathlib import Path

from webapp.labs.checker.checking import Progress, Result
from webapp.labs.checker.labs import Lab, check, quiet
from webapp.labs.checker.mistakes import MISTAKES

SUFFIXES = {".py", ".ipynb"}
Tell = Callable[[int, int, str], None]


def files_in(folder: Path) -> list[Path]:
    """The students' files: those in the folder, and one folder deep where each student has one."""
    found = [file for file in (*folder.glob("*"), *folder.glob("*/*")) if file.suffix in SUFFIXES and file.is_file()]
    return sorted(file for file in found if not file.relative_to(folder).as_posix().startswith((".", "__")))


def check_class(lab: Lab, folder: Path, patience: float, tell: Tell, progress: Progress = quiet) -> list[list[str]]:
    """One row a file: its name, how many tests passed, each test, and the first mistake."""
    files = files_in(folder)
    table = [["file", "passed", "tests", *column_names(lab), "first_wrong", "mistake"]]
    for number, file in enumerate(files):
        name = file.relative_to(folder).as_posix()
        tell(number, len(files), name)
        table.append([safe(name), *graded(lab, file, patience, progress)])
    tell(len(files), len(files), "")
    return table


def column_names(lab: Lab) -> list[str]:
    return ["the file", "the names", *(test.name for test in lab.tests)]


def graded(lab: Lab, file: Path, patience: float, progress: Progress) -> list[str]:
    """The rest of a row. Whatever happens to one file, the next gets its turn."""
    try:
        results = check(lab, file, patience, progress)
    except OSError as error:
        return ["0", str(len(lab.tests) + 2), *[""] * (len(lab.tests) + 2), "the file", safe(str(error))]
    wrong = [result for result in results if not result.passed]
    marks = ["ok" if result.passed else "wrong" for result in results]
    return [str(len(results) - len(wrong)), str(len(results)), *marks, *first(wrong)]


def first(wrong: list[Result]) -> list[str]:
    if not wrong or not wrong[0].finding:
        return ["", ""]
    mistake = MISTAKES.get(wrong[0].finding.mistake)
    return [wrong[0].test.name, mistake.name if mistake else ""]


def safe(text: str) -> str:
    """Keep a spreadsheet from taking a file's name for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def write_csv(table: list[list[str]], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(table)
