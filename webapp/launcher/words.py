"""The words that may follow `python3 run.py`, and what each does. CONTRIBUTING.md says how to add one."""

import argparse
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from webapp.launcher.environment import DEVELOPMENT, RUNTIME, prepare
from webapp.launcher.processes import ROOT, attend, become, flask, module, say
from webapp.launcher.site import bring_database_up_to_date, serve
from webapp.launcher.site_commands import site_commands
from webapp.launcher.users import become_user, check_reach

# Before these the database is left as it is: it may be damaged, or of a newer version.
DATABASE_AS_IT_IS = ("restore", "check-database", "copy-database", "doctor")
FLASK_OWN = ("routes", "shell")
NO_SUCH_WORD = 2


def run(words: list[str], usage: str) -> None:
    """`usage` is what run.py says of itself."""
    if words[:1] in (["help"], ["--help"], ["-h"]):
        show_help(usage)
    elif not words or words[0].startswith("-"):
        options = options_parser(usage).parse_args(words)
        serve(options.host, options.port, options.user)
    elif words[0] in OWN:
        OWN[words[0]](words[1:])
    else:
        site_command(words)


def options_parser(usage: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(usage="\n" + usage)
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets everyone in the room in")
    parser.add_argument("--port", default=8000, type=int, help="8000 if left out; 0 takes any that is free")
    parser.add_argument("--user", default=os.environ.get("NOUGHTS_USER", ""), help="whom root becomes to serve")
    return parser


def show_help(usage: str) -> None:
    text = options_parser(usage).format_help() + "\ncommands of the site:\n"
    commands = site_commands()
    width = max(len(command.usage) for command in commands) + 2
    for command in commands:
        text += f"  {command.usage:<{width}}{command.sentence}\n"
    say(text.replace("python3", "py") if os.name == "nt" else text)


def test(options: list[str]) -> NoReturn:
    """The tests say in their last lines what could not run on this machine."""
    prepare(DEVELOPMENT)
    os.chdir(ROOT)
    become(module("tests", *options))


def bench(names: list[str]) -> NoReturn:
    known = sorted(path.stem for path in (ROOT / "bench").glob("[a-z]*.py"))
    if not known or set(names) - set(known):
        sys.exit(f"The benchmarks are the files in bench/: {', '.join(known) or 'there are none yet'}.")
    prepare(DEVELOPMENT)
    os.chdir(ROOT)
    sys.exit(max([attend(module(f"bench.{name}")) for name in names or known]))


def screenshots(words: list[str]) -> NoReturn:
    prepare(DEVELOPMENT)
    os.chdir(ROOT)
    become(module("docs.screenshots", *words))


def soak(words: list[str]) -> NoReturn:
    """Endurance: an hour and more, on a machine that has nothing else to do."""
    prepare(DEVELOPMENT)
    os.chdir(ROOT)
    become(module("tests.soak", *words))


def security(words: list[str]) -> NoReturn:
    """Others' tools against the site; the packages that they need are fetched for them alone."""
    prepare(DEVELOPMENT)
    os.chdir(ROOT)
    become(module("tests.security", *words))


Words = Callable[[list[str]], NoReturn]
OWN: dict[str, Words] = {
    "test": test, "bench": bench, "screenshots": screenshots, "security": security, "soak": soak,
}  # fmt: skip


def site_command(words: list[str]) -> NoReturn:
    """Run in the caller's folder, so that file names mean what they say there."""
    known = [command.name for command in site_commands()]
    if words[0] not in (*known, *FLASK_OWN):
        say_unknown(words[0], sorted([*OWN, "help", *known]))
    prepare(RUNTIME)
    user = os.environ.get("NOUGHTS_USER", "")
    become_user(user)  # so that no file of root's is left where the site writes
    check_reach(user)
    if words[0] not in DATABASE_AS_IT_IS:
        bring_database_up_to_date()
    become(flask(*words))


def say_unknown(word: str, known: list[str]) -> NoReturn:
    sys.stderr.write(f"There is no command {word}. The commands are: {', '.join(known)}. "
                     "Without a word, run.py puts the site up.\n")  # fmt: skip
    sys.exit(NO_SUCH_WORD)
