"""A student's file asked in this very interpreter, as a browser does it: the same answers as from a process."""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.labs.sampling import thinned
from webapp.labs.checker.checking import Checker
from webapp.labs.checker.labs import LABS, check, quiet, results
from webapp.labs.checker.report import as_json
from webapp.labs.loading.here import StudentHere
from webapp.labs.loading.student import TIMEOUT, Call, Reply, Student


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before, path, finders = Path.cwd(), sys.path[:], sys.meta_path[:]
    yield tmp_path
    os.chdir(before)
    sys.path[:], sys.meta_path[:] = path, finders


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return file


TALKS = """\
import helper
LIMIT = 3
def fails(board):
    board[0] = helper.MARK
    return board[9]
def talks():
    print("Name?")
    return input() + input()
def leaves():
    raise SystemExit(2)
"""


def asked(student: Student, call: tuple[Call, float], typed: Iterator[str]) -> Reply:
    return replace(next(student.ask_all([call], lambda _: next(typed))), seconds=0)


@pytest.mark.slow
def test_it_answers_as_a_process_does(folder: Path) -> None:
    file = written(folder, TALKS)
    (folder / "helper.py").write_text("MARK = 'X'")
    calls = [(Call("fails", (["."],)), 5.0), (Call("talks", talks=True), 5.0), (Call("leaves"), 5.0), (Call("no"), 5.0)]
    with Student(file) as there, StudentHere(file, folder / "own") as here:
        assert replace(here.load(), seconds=0) == replace(there.load(), seconds=0)
        typed = {there: iter(["a", "b"]), here: iter(["a", "b"])}
        answers = [[asked(one, call, typed[one]) for call in calls] for one in typed]
    assert answers[0] == answers[1]
    assert answers[0][1].output == "Name?\na\nb\n"
    assert answers[0][0].trace.startswith('Traceback (most recent call last):\n  File "mine.py", line 5, in fails\n')
    assert answers[0][0].trace.endswith("IndexError: list index out of range\n")


def test_files_beside_it_are_read_anew_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    student = StudentHere(written(folder, "import helper\ndef mark(): return helper.MARK\n"), folder / "own")
    for mark in ("X", "O..."):
        (folder / "helper.py").write_text(f"MARK = {mark!r}")
        student.load()
        assert student.ask(Call("mark"), 1).value == mark
    student.close()
    assert "helper" not in sys.modules and "student_file" not in sys.modules


def test_a_call_that_is_known_to_end_in_an_accident_is_not_made(folder: Path) -> None:
    accidents = iter(["", TIMEOUT, "", ""])
    student = StudentHere(written(folder, "calls = []\ndef call():\n    calls.append(1)\n    return len(calls)\n"),
                          folder / "own", lambda seconds: next(accidents))  # fmt: skip
    student.load()
    assert student.ask(Call("call"), 1).trouble == TIMEOUT
    assert student.ask(Call("call"), 1).value == 1, "the file was loaded anew"


@pytest.mark.slow
def test_a_check_gives_the_same_results_as_in_processes(folder: Path) -> None:
    lab, same = (thinned(LABS["agent"], lambda items: items[::200]) for _ in range(2))  # who types is used up
    right = Path("tests/labs/students/right_agent.py").read_text(encoding="utf-8")
    file = written(folder, right.replace('return "Draw"', 'return "draw"'))
    with Checker([StudentHere(file, folder / "own")], 1.0, quiet) as checker:
        here = as_json("agent", "mine.py", list(results(lab, checker)))
    there = as_json("agent", "mine.py", check(same, file))
    for test in (*here["tests"], *there["tests"]):
        del test["seconds"]
    for one, other in zip(here["tests"], there["tests"], strict=True):
        assert one == other
