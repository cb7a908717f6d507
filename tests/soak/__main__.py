"""python3 run.py soak --minutes 30: a class at play while things break; --write keeps the figures in docs."""

import argparse
import resource
import sys
from functools import partial

from tests.soak.endurance import soak
from tests.soak.report import as_text, is_good, write

KINDS = ("SQLite", "PostgreSQL")
OPEN_FILES = 8192


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="run.py soak", description="Play while everything around it breaks.")
    parser.add_argument("--minutes", type=float, default=30, help="for each database (30)")
    parser.add_argument("--students", type=int, default=200, help="who play at once (200)")
    parser.add_argument("--think", type=float, default=4, help="seconds between two presses of one of them (4)")
    parser.add_argument("--database", choices=KINDS, action="append", help="both if left out")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/reliability.md")
    given = parser.parse_args(words)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(OPEN_FILES, hard) if hard > 0 else OPEN_FILES, hard))
    say = partial(print, flush=True)
    seconds, kinds = given.minutes * 60, given.database or KINDS
    outcomes = []
    for kind in kinds:  # told as they come: hours later something may stop the rest
        outcomes.append(soak(kind, seconds, given.students, given.think, say))
        say(as_text(outcomes[-1:]))
    command = f"python3 run.py soak --minutes {given.minutes:g} --students {given.students}"
    if given.write:
        write(outcomes, command)
    return not all(is_good(outcome) for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
