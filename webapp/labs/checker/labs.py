"""The three labs as the checker knows them, and the check of one file from loading to the last test.

Knows the tests of each lab."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webapp.labs.checker import lab_agent, lab_pruning, lab_tictactoe
from webapp.labs.checker.checking import Checker, LabTest, Progress, Result
from webapp.labs.checker.findings import Finding, Question, accident, shown
from webapp.labs.loading.encoding import decode
from webapp.labs.loading.student import LOAD_SECONDS, Call, Reply


@dataclass(frozen=True)
class Lab:
    """A lab: its name on the command line, its title, the names it asks for, and its tests."""

    name: str
    title: str
    names: dict[str, int]
    tests: list[LabTest]
    constants: dict[str, Any]


LABS = {
    "agent": Lab("agent", "Lab Session #4, an agent in the terminal", lab_agent.NAMES, lab_agent.TESTS, {}),
    "tictactoe": Lab(
        "tictactoe", "Assignment #1, tic-tac-toe with minimax",
        lab_tictactoe.NAMES, lab_tictactoe.TESTS, lab_tictactoe.CONSTANTS,
    ),
    "pruning": Lab(
        "pruning", "Project 1, minimax and alpha-beta pruning", lab_pruning.NAMES, lab_pruning.TESTS, {},
    ),
}  # fmt: skip
LOADS = LabTest("the file", "loads, without playing or asking anything", list)
NAMED = LabTest("the names", "are all there, with the arguments the lab gives them", list)
NO_QUESTION = Question(Call(""), lambda _: None)


def quiet(name: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


def check(
    lab: Lab, file: Path, patience: float = 1.0, progress: Progress = quiet, only: Collection[str] = ()
) -> list[Result]:
    """Check one file: load it, look for the names, then run each test of the lab (or only those named)."""
    progress(LOADS.name, 0, 1)
    with Checker(file, patience, progress) as checker:
        reply = checker.load()
        loads = Result(LOADS, 1, 1, judge_load(reply, patience), NO_QUESTION)
        tests = [test for test in lab.tests if not only or test.name in only]
        if reply.trouble and not any(name in reply.names for name in lab.names):
            return [loads, *(Result(test, 0, is_skipped=True) for test in (NAMED, *tests))]
        names = Result(NAMED, 1, 1, judge_names(lab, reply.names), NO_QUESTION)
        return [loads, names, *(checker.run(test) for test in tests)]


NOT_PYTHON = {"SyntaxError", "IndentationError", "TabError", "NotUtf8"}
AT_ONCE = {"EOFError": "plays-at-once", "ModuleNotFoundError": "missing-module"}


def judge_load(reply: Reply, patience: float) -> Finding | None:
    if not reply.trouble:
        return None
    finding = accident(reply, patience * LOAD_SECONDS)
    if reply.trouble in NOT_PYTHON:
        why = "Nothing in a file can be used until Python can read all of it."
        mistake = finding.mistake or "does-not-parse"
    else:
        why = "The functions of a file are used by importing it, and that must do nothing else and need no other file."
        mistake = AT_ONCE.get(reply.trouble, finding.mistake)
    return Finding(finding.came, "a file that loads", why, mistake)


def judge_names(lab: Lab, found: dict[str, Any]) -> Finding | None:
    """Look for each name, its arguments, and the constants' values."""
    wrong = [text for name, count in lab.names.items() if (text := wrong_name(name, count, found))]
    for name, value in lab.constants.items():
        if name not in found or decode(found[name].get("value")) != value:
            wrong.append(f"{name} = {shown(value)} is missing")
    if not wrong:
        return None
    return Finding("; ".join(wrong), "all names of the starter file", "The tests below call them by these names.")


def wrong_name(name: str, count: int, found: dict[str, Any]) -> str:
    if name not in found:
        return f"{name} is missing"
    takes = found[name]
    if "least" in takes and not takes["least"] <= count <= takes["most"]:
        own = count - ("." in name)
        return f"{name} must take {own or 'no'} argument{'s' * (own != 1)}" + " besides self" * ("." in name)
    return ""
