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
from webapp.labs.grading.handed_in import HandedIn
from webapp.labs.grading.marked import Marked
from webapp.labs.grading.marking import Job, Kept, Standing, mark_class
from webapp.labs.grading.scores import RUBRICS, BadRubric, Points, plain, read_rubric, total
from webapp.labs.grading.tables import Table

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_command(commands: "Commands") -> argparse.ArgumentParser:
    whole = commands.add_parser("check-all", help="check what a class handed in")
    whole.add_argument("lab", choices=LABS)
    whole.add_argument("folder", type=handed_in, help="a folder or a zip file with what the students handed in")
    whole.add_argument("--csv", type=Path, metavar="FILE", help="write points and comments here, a row a student")
    whole.add_argument("--rubric", type=Path, metavar="FILE", help="points per test: a CSV file with test and points")
    return whole


def handed_in(text: str) -> Path:
    path = Path(text)
    if not path.is_dir() and not (path.is_file() and path.suffix.lower() == ".zip"):
        raise argparse.ArgumentTypeError(f"there is no folder and no zip file {text}")
    return path


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
        points = read_rubric(args.rubric, args.lab) if args.rubric else RUBRICS[args.lab]
        with HandedIn(args.folder, LABS[args.lab]) as found:
            rows = mark_all(found, args, points)
            summary(rows, found.ignored, points)
    except (BadRubric, CannotOpen, OSError) as refusal:
        print(refusal, file=sys.stderr)
        return 2
    if args.csv:
        print(f"The points of {len(rows)} students are in {args.csv}.")
    return 0 if all(row.report and row.report["passed"] for row in rows) else 1


def mark_all(found: HandedIn, args: argparse.Namespace, points: Points) -> list[Marked]:
    """Check all, and write each row as soon as it is known."""
    job, voice = Job(LABS[args.lab], args.patience, args.site), Voice()
    kept = Kept(args.csv and args.csv.with_name(args.csv.name + ".resume"))
    table = Table(args.csv, points) if args.csv else None
    now, rows = datetime.now().astimezone().isoformat("T", "seconds"), []
    for row in mark_class(found.submissions(), job, kept, now, voice.tell):
        rows.append(row)
        if table:
            table.add(row)
    voice.clear()
    rows.sort(key=lambda row: (row.student.lower(), row.id))
    if table:
        table.put_in_order(rows)
    kept.drop()
    return rows


def summary(rows: list[Marked], ignored: list[str], points: Points) -> None:
    for row in rows:
        print(line(row, points))
    unread = [row for row in rows if row.report is None]
    if unread:
        print("Nothing to check from: " + "; ".join(f"{row.name} ({', '.join(row.problems)})" for row in unread))
    left_out = ignored + [name for row in rows for name in row.ignored]
    if left_out:
        print("Ignored: " + ", ".join(left_out))


def line(row: Marked, points: Points) -> str:
    if row.report is None:
        return f"    -  {row.name}"
    score = total(row.report, points)
    words = f"{plain(score.points):>5} of {plain(score.maximum)}  {row.name}"
    if not row.wrong:
        return words
    found = row.wrong[0].get("finding") or {}
    return f"{words}   {row.wrong[0]['name']}: {found.get('mistake_name') or 'wrong'}"
