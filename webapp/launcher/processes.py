"""The programs that run.py starts, in .venv, and what is said on the terminal."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
Program = list[str]


def module(name: str, *words: object) -> Program:
    """The command line that runs a module inside .venv."""
    return [str(PYTHON), "-m", name, *map(str, words)]


def flask(*words: object) -> Program:
    """A command of the site."""
    return module("flask", "--app", ROOT / "wsgi.py", *words)


def become(program: Program) -> NoReturn:
    """Hand this process over, so that signals reach the program itself; Windows can only wait for it."""
    if os.name == "nt":
        sys.exit(attend(program))
    os.execv(program[0], program)  # noqa: S606 - no shell is wanted


def attend(program: Program, patience: float = 10) -> int:
    """Run a program to its end. Ctrl-C reaches it as well; then it has so many seconds to tidy up."""
    child = subprocess.Popen(program)  # noqa: S603 - the words are ours, and no shell reads them
    try:
        return child.wait()
    except KeyboardInterrupt:
        try:
            child.wait(patience)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        raise


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def last_line(text: str) -> str:
    """What a program said when it failed: its last line that is not the indented rest of one."""
    return ([line for line in text.splitlines() if line[:1].strip()] or ["no reason given"])[-1]
