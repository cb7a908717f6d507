"""The command check-all: what it takes, and what it says in the terminal while it works and at the end."""
# ruff: noqa: T201  (it speaks to the terminal)

import argparse
import shutil
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from webapp.labs.checker.labs import LABS
from webapp.labs.grading.archives import CannotOpen
from webapp.labs.grading.handed_in import HandedIn, Submission
from webapp.labs.grading.likeness import Pair, pairs
from webapp.labs.grading.marked import Marked
from webapp.labs.grading.marking import Job, Kept, Standing, mark_class
from webapp.labs.grading.reports import FORMATS, write_reports
from webapp.labs.grading.scores import RUBRICS, BadRubric, Points, plain, read_rubric, total
from webapp.labs.grading.tables import Table
from webapp.labs.loading.notebook import python_source
from webapp.labs.starters import starter

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_command(commands: "Commands") -> argparse.ArgumentParser:
    whole = commands.add_parser("check-all", help="check what a class handed in")
    whole.add_argument("lab", choices=LABS)
    whole.add_argument("folder", type=handed_in, help="a folder or a zip file with what the students handed in")
    whole.add_argument("--csv", type=Path, metavar="FILE", help="write points and comments here, a row a student")
    whole.add_argument("--reports", type=Path, metavar="FOLDER", help="write a report for each student here")
    whole.add_argument("--format", choices=["html", *FORMATS], default="html", help="what the reports are (html)")
    add_rubric(whole)
    return whole


def add_rubric(command: argparse.ArgumentParser) -> None:
    command.add_argument("--rubric", type=Path, metavar="FILE", help="points per test: a CSV file with test and points")


def handed_in(text: str) -> Path:
    path = Path(text)
    if not path.is_dir() and not (path.is_file() and path.suffix.lower() == ".zip"):
        raise argparse.ArgumentTypeError(f"there is no folder and no zip file {text}")
    return path


class NothingThere(Exception):
    """Nobody handed in anything."""


class Voice:
    """What is said while the files are checked: one line that is written over, or a line a file where none can be."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()

    def tell(self, standing: Standing) -> None:
        if not self.is_terminal:
            if standing.done:
                print(standing.words, file=sys.stderr, flush=True)
            return
        filled = 20 * standing.done // max(1, standing.total)
        self.show(f"[{'#' * filled}{'.' * (20 - filled)}] {standing.words}")

    def show(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        print("\r" + text[:width].ljust(width), end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.is_terminal:
            self.show("")
            print("\r", end="", file=sys.stderr, flush=True)


def check_all(args: argparse.Namespace) -> int:
    try:
        return grade_class(args, points_for(args))
    except (BadRubric, CannotOpen, NothingThere) as refusal:
        print(refusal, file=sys.stderr)
    except OSError as error:
        kept = "Nothing that was checked is lost: mend this and type the same again."
        print(f"{error.filename}: {error.strerror}. {kept}", file=sys.stderr)
    return 2


def grade_class(args: argparse.Namespace, points: Points) -> int:
    lab, written_to = LABS[args.lab], [path for path in (args.csv, args.reports) if path]
    kept = Kept(resume_file(written_to[0]) if written_to else None)
    if args.reports:
        args.reports.mkdir(parents=True, exist_ok=True)  # now, not after an hour
    with HandedIn(args.folder, lab, [*written_to, *map(resume_file, written_to)]) as found:
        submissions = found.submissions()
        if not submissions:
            raise NothingThere(f"There is nothing to check in {args.folder}: no student's folder, .py, .ipynb or .zip.")
        alike = pairs_in(submissions, args.lab)
        rows = mark_all(submissions, args, kept, points)
    notes = summary(rows, found.ignored, alike)
    if args.reports:
        write_reports(rows, args.reports, args.format, lab, points, notes)
    kept.drop()
    print("\n".join([*(line(row, points) for row in rows), *notes, *written(rows, args)]))
    return 0 if all(row.report and row.report["passed"] for row in rows) else 1


def points_for(args: argparse.Namespace) -> Points:
    return read_rubric(args.rubric, args.lab) if args.rubric else RUBRICS[args.lab]


def pairs_in(submissions: list[Submission], lab: str) -> list[Pair]:
    sources = {found.label: python_source(found.file) for found in submissions if found.file}
    return pairs(sources, starter(lab).encode())


def mark_all(submissions: list[Submission], args: argparse.Namespace, kept: Kept, points: Points) -> list[Marked]:
    """Check all, and write each row as soon as it is known."""
    job, voice = Job(LABS[args.lab], args.patience, args.site), Voice()
    table = Table(args.csv, points) if args.csv else None
    now, rows = datetime.now().astimezone().isoformat("T", "seconds"), []
    for row in mark_class(submissions, job, kept, now, voice.tell):
        rows.append(row)
        if table:
            table.add(row)
    voice.clear()
    rows.sort(key=lambda row: (row.student.lower(), row.id))
    if table:
        table.put_in_order(rows)
    return rows


def resume_file(written: Path) -> Path:
    return written.with_name(written.name + ".resume")


def summary(rows: list[Marked], ignored: list[str], alike: list[Pair]) -> list[str]:
    """What else an instructor should see: who is missing, what was left out, where to look."""
    unread = [f"{row.name} ({', '.join(row.problems)})" for row in rows if row.report is None]
    left_out = ignored + [name for row in rows for name in row.ignored]
    notes = ["Nothing to check from: " + "; ".join(unread)] if unread else []
    notes += ["Ignored: " + ", ".join(left_out)] if left_out else []
    if alike:
        words = "Alike up to names, comments and layout (a place to look, not a verdict): "
        notes.append(words + "; ".join(map(str, alike)))
    return notes


def written(rows: list[Marked], args: argparse.Namespace) -> list[str]:
    """Where it all is."""
    students = f"{len(rows)} student{'s' * (len(rows) != 1)}"
    said = [f"The points of {students} are in {args.csv}."] if args.csv else []
    return said + ([f"The reports of {students} are in {args.reports}."] if args.reports else [])


def line(row: Marked, points: Points) -> str:
    if row.report is None:
        return f"    -  {row.name}"
    score = total(row.report, points)
    words = f"{plain(score.points):>5} of {plain(score.maximum)}  {row.name}"
    if not row.wrong:
        return words
    found = row.wrong[0].get("finding") or {}
    return f"{words}   {row.wrong[0]['name']}: {found.get('mistake_name') or 'wrong'}"
