"""A folder of reports, one a student, as pages or for another program.

Knows rows and points."""

from collections.abc import Callable
from pathlib import Path

from webapp.labs.checker.labs import Lab
from webapp.labs.grading.formats import as_gradescope, as_junit
from webapp.labs.grading.marked import Marked
from webapp.labs.grading.pages import file_names, of_class, of_student
from webapp.labs.grading.scores import Points

Write = Callable[[Marked, Points], str]
FORMATS: dict[str, tuple[str, Write]] = {"gradescope": (".json", as_gradescope), "junit": (".xml", as_junit)}


def write_reports(rows: list[Marked], folder: Path, form: str, lab: Lab, points: Points, notes: list[str]) -> None:
    """Write all; for pages also the list of the class. The folder is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    suffix, write = FORMATS.get(form, (".html", lambda row, points: of_student(row, lab.title, points)))
    names = file_names(rows, suffix)
    for row in rows:
        (folder / names[row.name]).write_text(write(row, points), encoding="utf-8")
    if form == "html":
        (folder / "index.html").write_text(of_class(rows, names, lab.title, points, notes), encoding="utf-8")
