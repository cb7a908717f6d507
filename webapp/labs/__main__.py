"""The command line: check one file or a class, play against a file, compare the searches. Bare Python."""
# ruff: noqa: T201  (it speaks to the terminal)

import argparse
import contextlib
import json
import shutil
import sys
import textwrap
import time
import webbrowser
from pathlib import Path
from random import SystemRandom

from webapp.labs.checker.labs import LABS, check
from webapp.labs.checker.positions import drawn
from webapp.labs.checker.report import as_json, as_text
from webapp.labs.comparing import as_table, compare
from webapp.labs.connecting import connect
from webapp.labs.desk.series import Game, score, series
from webapp.labs.desk.server import Desk
from webapp.labs.grading import command as grading
from webapp.labs.grading.marked import Marked
from webapp.labs.grading.reports import FORMATS
from webapp.labs.grading.scores import BadRubric, Points, Report, as_rubric
from webapp.labs.loading.student import Student
from webapp.labs.playing import load
from webapp.labs.starters import starter
from webapp.tictactoe import LEVELS, Mark, Position, Refused


def parser() -> argparse.ArgumentParser:
    root = argparse.ArgumentParser(prog=called_as(), description="The three labs: check your file.")
    commands = root.add_subparsers(dest="command", required=True)
    one = commands.add_parser("check", help="check one file and explain what is wrong")
    one.add_argument("lab", choices=LABS)
    one.add_argument("file", type=existing_file)
    one.add_argument("--format", choices=["text", "json", *FORMATS], default="text", help="what is printed (text)")
    one.add_argument("--json", action="store_const", const="json", dest="format", default=argparse.SUPPRESS,
                     help="the same as --format json")  # fmt: skip
    grading.add_rubric(one)
    one.add_argument("--only", action="append", default=[], metavar="TEST", help="run this test only")
    whole = grading.add_command(commands)
    for command in (one, whole):
        command.add_argument("--patience", type=positive, default=1.0, help="multiply all time limits")
        command.add_argument("--site", type=site, metavar="URL", help="link each board to its analysis on this site")
    each = commands.add_parser("compare", help="run every search on a position and compare what they do")
    each.add_argument("position", type=str, metavar="POSITION", help="such as ..OXOO..X, in reading order")
    each.add_argument("--to-move", choices=["X", "O"], help="needed where it could be either's turn; X if left out")
    each.add_argument("--runs", type=count, default=3, help="run each search so often (3)")
    game = commands.add_parser("play", help="play against your file in the browser, or let it play a series")
    game.add_argument("lab", choices=LABS)
    game.add_argument("file", type=existing_file)
    game.add_argument("--against", choices=LEVELS, help="let it play a series against this level, and print the score")
    game.add_argument("--games", type=count, default=10, help="how many games a series has (10)")
    game.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    agent = commands.add_parser("connect", help="let your file play on the site, until Ctrl-C")
    agent.add_argument("site", metavar="SITE", help="such as http://192.168.1.20:8000")
    agent.add_argument("lab", choices=LABS)
    agent.add_argument("file", type=existing_file)
    agent.add_argument("--agent", default="", metavar="WORD", help="if you have several agents: keep a token for each")
    for name, what in (("starter", "print a starter file"), ("rubric", "print the points per test, for check-all")):
        commands.add_parser(name, help=what).add_argument("lab", choices=LABS)
    return root


def called_as() -> str:
    """What a person types: the module in the project's folder, or the one file from the site."""
    python, name = "py" if sys.platform == "win32" else "python3", Path(sys.argv[0]).name
    return f"{python} {name}" if name.endswith(".pyz") else f"{python} -m webapp.labs"


def existing_file(text: str) -> Path:
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return Path(text)


def positive(text: str) -> float:
    if not 0 < (number := float(text)) < 1000:
        raise ValueError
    return number


def count(text: str) -> int:
    if not 0 < (number := int(text)) < 1000:
        raise ValueError
    return number


def site(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"the address of a site begins with http:// or https://, not {text}")
    return text.rstrip("/")


class Bar:
    """One line on the terminal that is written over; silent when nobody looks."""

    def __init__(self) -> None:
        self.is_shown, self.prefix = sys.stderr.isatty(), ""

    def show(self, text: str) -> None:
        if self.is_shown:
            width = shutil.get_terminal_size().columns - 1
            print("\r" + (self.prefix + text)[:width].ljust(width), end="", file=sys.stderr, flush=True)

    def progress(self, name: str, done: int, total: int) -> None:
        if done % 50 == 0 or total - done < 100:
            self.show(f"{name}: {done:,} of {total:,}")

    def file(self, done: int, total: int, name: str) -> None:
        filled = 20 * done // max(1, total)
        self.prefix = f"[{'#' * filled}{'.' * (20 - filled)}] {done} of {total}  {name}  "
        self.show("")

    def clear(self) -> None:
        self.prefix = ""
        self.show("")
        if self.is_shown:
            print("\r", end="", file=sys.stderr, flush=True)


def check_one(args: argparse.Namespace) -> int:
    bar, lab = Bar(), LABS[args.lab]
    names = [test.name for test in lab.tests]
    if unknown := set(args.only) - set(names):
        print(f"There is no test {', '.join(sorted(unknown))}. The tests are: {'; '.join(names)}.", file=sys.stderr)
        return 2
    try:
        points = grading.points_for(args)
    except (BadRubric, OSError) as refusal:
        print(refusal, file=sys.stderr)
        return 2
    results = check(lab, args.file, args.patience, bar.progress, args.only, gives_credit=args.format in FORMATS)
    bar.clear()
    if args.format == "text":
        print(as_text(lab.title, str(args.file), results, args.site), end="")
    else:
        print(for_machine(as_json(lab.name, str(args.file), results, args.site), args, points), end="")
    return 0 if all(result.passed for result in results) else 1


def for_machine(report: Report, args: argparse.Namespace, points: Points) -> str:
    if args.format == "json":
        return json.dumps(report, indent=2) + "\n"
    return FORMATS[args.format][1](Marked(args.file.stem, report=report), points)


def compare_searches(args: argparse.Namespace) -> int:
    bar = Bar()
    try:
        position = Position.parse(args.position, args.to_move and Mark(args.to_move))
        compared = compare(position, args.runs, time.perf_counter, bar.file)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 2
    bar.clear()
    print(as_table(position, compared), end="")
    return 0


def play(args: argparse.Namespace) -> int:
    return play_series(args) if args.against else play_on_page(args)


def play_on_page(args: argparse.Namespace) -> int:
    with Desk(args.lab, args.file) as desk:
        print(f"Play against {args.file.name} at {desk.address}", "Ctrl-C ends it.", sep="\n", flush=True)
        if not args.no_browser:
            webbrowser.open(desk.address)
        with contextlib.suppress(KeyboardInterrupt):
            desk.serve_forever()
    print("\nThe runner has ended.")
    return 0


def play_series(args: argparse.Namespace) -> int:
    games: list[Game] = []
    with Student(args.file) as student:
        if trouble := load(args.lab, student):
            print(trouble.trace, trouble.sentence, sep="", file=sys.stderr)
            return 1
        for game in series(args.lab, student, args.against, args.games, SystemRandom(), time.perf_counter):
            games.append(game)
            print(f"{len(games):>3}  {args.file.name} plays {game.mark}: {game.result}", flush=True)
            if game.trouble:
                print(textwrap.indent(f"{drawn(game.position)}\n\n{game.trace}{game.trouble}\n", "     "))
    print(f"{args.file.name} against {LEVELS[args.against].title}: {score(games)}.")
    return 0 if all(game.result in ("won", "drawn") for game in games) else 1


def write_rubric(args: argparse.Namespace) -> int:
    print(as_rubric(args.lab), end="")
    return 0


def write_starter(args: argparse.Namespace) -> int:
    print(starter(args.lab), end="")
    return 0


COMMANDS = {
    "check": check_one, "check-all": grading.check_all, "compare": compare_searches, "play": play,
    "connect": connect, "starter": write_starter, "rubric": write_rubric,
}  # fmt: skip


def run() -> int:
    args = parser().parse_args()
    try:
        return COMMANDS[args.command](args)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(run())
