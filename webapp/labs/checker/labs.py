"""The three labs as the checker knows them, and the check of one file from loading to the last test.

Knows the tests of each lab."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from webapp.labs.checker import lab_agent, lab_pruning, lab_tictactoe
from webapp.labs.checker.checking import Checker, LabTest, Progress, Result, copies
from webapp.labs.checker.findings import Finding, Question, accident
from webapp.labs.checker.marks import own_marks
from webapp.labs.checker.names import judge_names
from webapp.labs.loading.student import TIMEOUT, Call, Reply


@dataclass(frozen=True)
class Lab:
    """A lab: its name on the command line, its title, the names it asks for, its tests, and its marks."""

    name: str
    title: str
    names: dict[str, int]
    tests: list[LabTest]
    constants: dict[str, Any] = field(default_factory=dict)
    marked: tuple[str, ...] = ()  # the functions that answer with marks
    may_play_at_once: bool = False  # as the sheet's own file does


LABS = {
    "agent": Lab("agent", "Lab Session #4, an agent in the terminal", lab_agent.NAMES, lab_agent.TESTS),
    "tictactoe": Lab(
        "tictactoe", "Assignment #1, tic-tac-toe with minimax",
        lab_tictactoe.NAMES, lab_tictactoe.TESTS, lab_tictactoe.CONSTANTS, lab_tictactoe.MARKED,
    ),
    "pruning": Lab(
        "pruning", "Project 1, minimax and alpha-beta pruning", lab_pruning.NAMES, lab_pruning.TESTS,
        may_play_at_once=True,
    ),
}  # fmt: skip
LOADS = LabTest("the file", "loads, without playing or asking anything", list)
NAMED = LabTest("the names", "are all there, with the arguments the lab gives them", list)
NO_QUESTION = Question(Call(""), lambda _: None)


def quiet(name: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


def check(
    lab: Lab, file: Path, patience: float = 1.0, progress: Progress = quiet, only: Collection[str] = (),
    gives_credit: bool = False,
) -> list[Result]:
    """Check one file in processes of its own: all results at the end."""
    with Checker(copies(file), patience, progress, gives_credit) as checker:
        return list(results(lab, checker, only))


def grade(lab: Lab, file: Path, patience: float = 1.0) -> list[Result]:
    """The same in one process only, with partial credit for what is wrong."""
    with Checker(copies(file, 1), patience, quiet, gives_credit=True) as checker:
        return list(results(lab, checker))


def results(lab: Lab, checker: Checker, only: Collection[str] = ()) -> Iterator[Result]:
    """Load the file, look for the names, then run each test of the lab (or only those named); each as it ends."""
    checker.progress(LOADS.name, 0, 1)
    reply = checker.load()
    yield result_of_loading(lab, reply)
    tests = [test for test in lab.tests if not only or test.name in only]
    if reply.trouble and not any(name in reply.names for name in lab.names):
        yield from (Result(test, 0, is_skipped=True) for test in (NAMED, *tests))
        return
    yield Result(NAMED, 1, 1, judge_names(lab.names, lab.constants, reply.names), NO_QUESTION)
    marks = own_marks(lab.constants, reply.names, lab.marked)
    yield from followed(map(checker.run, map(marks.test, tests) if marks else tests))


def followed(found: Iterable[Result]) -> Iterator[Result]:
    """Say of a wrong answer without a name that it may only follow from a function above that is wrong, too."""
    wrong: set[str] = set()
    for result in found:
        above = [name for name in result.test.needs if name in wrong]
        finding = result.finding
        if finding and finding.is_answer and not finding.mistake and above:
            why = f"{finding.why} But {above[0]} is wrong, too, and is used here."
            result = replace(result, finding=replace(finding, why=why, mistake="follows"))
        wrong |= {result.test.name} if finding else set()
        yield result


NOT_PYTHON = {"SyntaxError", "IndentationError", "TabError", "NotUtf8"}
AT_ONCE = {"EOFError": "plays-at-once", "ModuleNotFoundError": "missing-module"}


def result_of_loading(lab: Lab, reply: Reply) -> Result:
    finding = judge_load(reply)
    is_playing = reply.trouble in ("EOFError", TIMEOUT) and all(name in reply.names for name in lab.names)
    if finding and lab.may_play_at_once and is_playing:
        remark = replace(finding, mistake="plays-at-once", is_wrong=False)
        return Result(LOADS, 1, 1, remarks=((remark, NO_QUESTION),))
    return Result(LOADS, 1, 1, finding, NO_QUESTION)


def judge_load(reply: Reply) -> Finding | None:
    if not reply.trouble:
        return None
    finding = accident(reply)
    if reply.trouble in NOT_PYTHON:
        why = "Nothing in a file can be used until Python can read all of it."
        mistake = finding.mistake or "does-not-parse"
    else:
        why = "The functions of a file are used by importing it, and that must do nothing else."
        mistake = AT_ONCE.get(reply.trouble, finding.mistake)
    return Finding(finding.came, "a file that loads", why, mistake)
