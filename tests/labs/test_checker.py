"""The checker as an instructor and a student use it: right files pass, reports explain, a class is graded."""

import ast
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Sampled
from tests.labs.sampling import check_in_one, few, thinned
from tests.labs.started import has_started
from webapp.labs.__main__ import parser
from webapp.labs.checker.checking import CALLS_A_CHUNK, Round
from webapp.labs.checker.findings import Finding, Question, Questions
from webapp.labs.checker.labs import LABS, check
from webapp.labs.grading.scores import as_rubric
from webapp.labs.loading.student import Call, Reply
from webapp.labs.starters import model_text, starter

pytestmark = pytest.mark.slow  # each starts several programs

ROOT = Path(__file__).resolve().parents[2]
STUDENTS = Path(__file__).resolve().parent / "students"
MODEL = model_text("tictactoe")


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command line on a bare Python: no installed package in sight."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "webapp.labs", *map(str, args)], capture_output=True, text=True,
        timeout=900, cwd=ROOT, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize("lab", LABS)
def test_a_right_file_in_another_style_than_ours_passes(lab: str, sampled: Sampled) -> None:
    results = check(thinned(LABS[lab], sampled), STUDENTS / f"right_{lab}.py")
    assert [result.finding for result in results if not result.passed] == []
    assert len(results) == len(LABS[lab].tests) + 2


def test_a_search_is_tried_on_every_position() -> None:
    done = run("check", "tictactoe", STUDENTS / "right_tictactoe.py", "--json", "--only", "minimax")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["passed"] and report["tests"][-1]["passed"]
    assert report["tests"][-1]["asked"] == 4520


def test_naive_minimax_on_lists_with_deep_copies_passes(sampled: Sampled) -> None:
    lab, slow = LABS["tictactoe"], STUDENTS / "slow_tictactoe.py"
    results = check_in_one(few(lab), slow)
    results += check_in_one(thinned(lab, sampled), slow, 3, only=["minimax", "minimax, game over"])
    assert [result.finding for result in results if not result.passed] == []
    asked = {result.test.name: result.asked for result in results}
    assert (asked["minimax"], asked["minimax, game over"]) == (len(sampled(range(4520))), 958)
    counted = re.findall(r"visits (\d[\d,]*\d)", results[-1].note)
    assert counted == ["7,331", "7,332"]  # its root is no call of the functions that call themselves


def test_a_wrong_move_is_drawn_valued_and_refuted(tmp_path: Path) -> None:
    first_free = MODEL.replace("search(board, -math.inf, math.inf)[1]", "min(actions(board), default=None)")
    file = written(tmp_path, first_free)
    done = run("check", "tictactoe", file, "--only", "minimax")
    assert done.returncode == 1
    assert done.stdout.partition("WRONG")[2] == """\
  minimax: finds a best move on all 4,520 unfinished boards

         Question 224 of 4,520, after 223 right answers.

         O to move:

             0   1   2
         0   X | O | X
            ---+---+---
         1   O | X | X
            ---+---+---
         2   O |   |

         As text:          XOXOXXO..
         Asked:            minimax([['X', 'O', 'X'], ['O', 'X', 'X'], ['O', None, None]])
         Came back:        (2, 1)
         Right:            (2, 2)
         Why:              (2, 2) draws, but (2, 1) loses.

         What each move is worth to O:
           (2, 1)  loses: X then wins at once   <- your move
           (2, 2)  draws   <- best
         After your move:  O (2, 1), X (2, 2): X has the right column.
         After (2, 2):  O (2, 2), X (2, 1): it is a draw.

         A known mistake:  Takes the first free cell. The move does not depend on what it leads to.
                           Compare the values of the moves before you choose.

2 of 3 tests passed. Begin with the first that is wrong: minimax.
"""


def test_the_same_for_a_machine(tmp_path: Path) -> None:
    file = written(tmp_path, MODEL.replace("copy.deepcopy(board)", "board[:]"))
    done = run("check", "tictactoe", file, "--only", "result", "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert (report["lab"], report["passed"]) == ("tictactoe", False)
    finding: dict[str, Any] = report["tests"][-1]["finding"]
    assert (finding["position"], finding["to_move"]) == ("XOXOXOOX.", "X")
    assert finding["asked"] == "result([['X', 'O', 'X'], ['O', 'X', 'O'], ['O', 'X', None]], (2, 2))"
    assert finding["mistake"] == "changed-in-place"
    assert finding["mistake_name"] == "The board is changed in place"


def test_one_file_is_reported_for_an_autograder_with_points(tmp_path: Path) -> None:
    file = written(tmp_path, MODEL.replace("copy.deepcopy(board)", "board[:]"))
    rubric = written(tmp_path, as_rubric("tictactoe").replace("result,10", "result,30"), "rubric.csv")
    done = run("check", "tictactoe", file, "--only", "result", "--format", "gradescope", "--rubric", rubric)
    tests = json.loads(done.stdout)["tests"]
    assert (done.returncode, tests[-1]["status"], tests[-1]["max_score"]) == (1, "failed", 30)
    done = run("check", "tictactoe", file, "--only", "player", "--format", "junit")
    assert done.stdout.startswith("<?xml")
    assert '<testsuite name="mine" tests="3" failures="0"' in done.stdout


def test_no_more_questions_are_made_than_are_asked_in_one_go() -> None:
    made: list[int] = []

    def make(number: int) -> Question:
        made.append(number)
        return Question(Call("minimax"), lambda _: Finding("7", "8", ""))

    work = Round(Questions(make, range(16_167)), 1.0, lambda _: None)
    first = work.take()
    assert first and len(first[1]) == len(made) == CALLS_A_CHUNK + 1
    assert work.hear(0, first[1][0], Reply(7)) and work.take() is None, "nothing is asked after a wrong answer"
    assert len(made) == CALLS_A_CHUNK + 1


def test_the_first_wrong_question_is_the_same_whoever_is_quicker(tmp_path: Path) -> None:
    file = written(tmp_path, MODEL.replace("return X if len(marks) % 2 == 0 else O", "return O"))
    asked = {check(LABS["tictactoe"], file, only=["player"])[-1].asked for _ in range(4)}
    assert asked == {1}


def test_an_error_is_told_with_the_line_it_came_from(tmp_path: Path) -> None:
    text = MODEL.replace("    return -1 if winner(board) == O else 0", "    return 1 / 0")
    finding = check(LABS["tictactoe"], written(tmp_path, text), only=["utility"])[-1].finding
    line = text.partition("return 1 / 0")[0].count("\n") + 1
    assert finding is not None
    assert finding.came == f"an error, ZeroDivisionError: division by zero (line {line} of your file: return 1 / 0)"


def test_missing_names_and_wrong_arguments_are_listed(tmp_path: Path) -> None:
    text = MODEL.replace("def utility(board: Board)", "def utility(board: Board, depth: int)")
    text = text.replace("EMPTY", "BLANK").replace("def terminal", "def is_terminal")
    names = check(LABS["tictactoe"], written(tmp_path, text), only=["nothing"])[1].finding
    assert names is not None
    assert names.came == (
        "terminal is missing (your file has is_terminal); utility must take 1 argument; EMPTY = None is missing"
    )


def test_of_a_missing_class_only_its_name_is_told_and_what_is_near_it(tmp_path: Path) -> None:
    text = model_text("pruning").replace("Game", "TicTacToeGame").replace("is_end", "isEnd")
    names = check(LABS["pruning"], written(tmp_path, text), only=["nothing"])[1].finding
    assert names is not None
    assert names.came == "Game is missing (your file has TicTacToeGame)"


def test_a_missing_function_fails_its_test_and_says_so(tmp_path: Path) -> None:
    file = written(tmp_path, MODEL.replace("def actions", "def moves"))
    finding = check(LABS["tictactoe"], file, only=["actions"])[-1].finding
    assert finding is not None
    assert finding.came == "your file has no actions"


@pytest.mark.parametrize("name", ["Game", "build_game", "is_end"])
def test_a_missing_class_or_method_is_named(name: str, tmp_path: Path) -> None:
    file = written(tmp_path, model_text("pruning").replace(name, "Other"))
    finding = check(LABS["pruning"], file, only=["is_end"])[-1].finding
    assert finding is not None
    assert finding.came == f"your file has no {name}"


def test_a_function_with_a_decorator_counts_as_there(tmp_path: Path) -> None:
    text = "from functools import lru_cache\n" + MODEL.replace("def initial_state", "@lru_cache\ndef initial_state")
    assert check(LABS["tictactoe"], written(tmp_path, text), only=["nothing"])[1].passed


def test_on_windows_the_help_says_py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["labs.pyz"])
    for platform, words in {"win32": "py labs.pyz", "linux": "python3 labs.pyz"}.items():
        monkeypatch.setattr(sys, "platform", platform)
        assert parser().prog == words


def test_an_unknown_test_is_a_sentence_with_the_known_ones() -> None:
    done = run("check", "agent", STUDENTS / "right_agent.py", "--only", "everything")
    assert done.returncode == 2
    assert done.stderr.startswith("There is no test everything. The tests are: print_board; check_winner;")


def test_a_file_that_is_not_there_is_a_sentence() -> None:
    done = run("check", "agent", "nowhere.py")
    assert (done.returncode, "there is no file nowhere.py" in done.stderr) == (2, True)


def notebook(*cells: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell.splitlines(True)} for cell in cells]})


def test_a_notebook_is_checked_by_its_code_cells(tmp_path: Path) -> None:
    text = notebook("!pip install pygame\n%matplotlib inline", MODEL, "winner(initial_state())")
    file = written(tmp_path, text, "mine.ipynb")
    assert all(result.passed for result in check(LABS["tictactoe"], file, only=["player", "winner"]))


def test_a_notebook_that_is_none_does_not_parse(tmp_path: Path) -> None:
    finding = check(LABS["tictactoe"], written(tmp_path, "no notebook", "mine.ipynb"))[0].finding
    assert finding is not None
    assert finding.mistake == "does-not-parse"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_ctrl_c_stops_at_once_and_leaves_nothing_behind(tmp_path: Path) -> None:
    endless = "def player(board):\n    open('started', 'w')\n    while True: pass\n\n\n"
    text = MODEL.replace("def minimax", endless + "def minimax")
    program = [sys.executable, "-m", "webapp.labs", "check", "tictactoe", written(tmp_path, text), "--patience", "100"]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen(program, cwd=ROOT, env={"TMPDIR": str(temporary)}, stderr=subprocess.PIPE) as process:
        try:
            while not has_started(temporary):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):  # on a machine that is too busy, press once more
                process.wait(30)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=60)[1] == b"\nStopped.\n"
        finally:
            process.kill()
    assert process.returncode == 130
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("lab", LABS)
def test_the_starter_has_every_name_and_docstring_and_no_body(lab: str, tmp_path: Path) -> None:
    text = run("starter", lab).stdout
    assert text == starter(lab)
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    assert {function.name for function in functions} >= {name.rpartition(".")[2] for name in LABS[lab].names} - {"Game"}
    for function in functions:
        assert ast.get_docstring(function)
        assert [ast.unparse(node) for node in function.body[1:]] == ["raise NotImplementedError"]
    assert check(LABS[lab], written(tmp_path, text), only=["nothing"])[1].passed
