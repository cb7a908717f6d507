"""Whatever a student's function returns, it is judged: no answer stops the checker."""

import json
from typing import Any

import pytest

from webapp.labs.checker.labs import LABS
from webapp.labs.loading.encoding import Other, decode, encode
from webapp.labs.loading.student import Reply
from webapp.tictactoe import Mark

pytestmark = pytest.mark.slow

ODD: list[Any] = [
    None, 0, -1, True, False, "", "X", "Draw", ".", "0 0", 1.5, float("nan"), float("inf"), 10**30, Other("<object>"),
    [], [[]], (), (1,), {1}, set(), {"a", (1, 2)}, {frozenset({1})}, {(0, 0)}, [1, "a"], [Other("y")],
    [[None] * 3] * 3, [["X"] * 3] * 3, [(0, 0), [1]], [[0, 0], (1, 1)], [(0, "x")], [(None, 0)], [(1, 2, 3)],
    (0, 1, 1), ("0", "1"), (1.0, 2.0), (True, False), (-1, -1), (None, None), (None, None, None), ("a", 0, 0),
    ((0, 0), (1, 1)), (0, (1, 1)), [0, 0, 0], [0, 0],
]  # fmt: skip


def test_every_odd_answer_is_judged_by_every_test() -> None:
    for lab in LABS.values():
        for test in lab.tests:
            questions = test.questions()
            for question in questions[:: max(1, len(questions) // 2)]:
                for value in ODD:
                    for after in (value, question.call.args and question.call.args[0]):
                        reply = Reply(value, after=after, output="X | O | X")
                        question.judged(reply)
                        question.remark(reply)


def test_no_diagnosis_stumbles_over_odd_answers() -> None:
    for lab in LABS.values():
        for test in lab.tests:
            for diagnose in filter(None, (test.diagnose, test.note)):
                for value in ODD[::5]:
                    diagnose(lambda _, value=value: Reply(value))  # type: ignore[misc]


def test_odd_answers_cross_to_the_checker_as_they_are() -> None:
    for value in ODD[14:]:
        assert decode(json.loads(json.dumps(encode(value)))) == value


def test_a_board_crosses_as_any_list_does_and_is_a_new_one() -> None:
    rows: list[list[Any]] = [["X", None, "O"], [None] * 3, ["", " ", "."]]
    assert encode(rows) == rows
    assert all(encode(rows)[row] is not rows[row] for row in range(3))
    for cell in (1, True, 1.5, Mark.X, "x" * 5000, ("X",), {1}, object()):
        board = [[cell, None, "O"], *rows[1:]]
        assert encode(board) == [[encode(cell), None, "O"], *rows[1:]], cell
