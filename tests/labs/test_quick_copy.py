"""Deep copies of boards take less time in a check, and are the same as Python's own."""

import copy
from typing import Any

from webapp.labs.loading.quick_copy import deepcopy


class Cell:
    pass


SHARED = ["X", None, "O"]
LOOP: list[Any] = [[1], [2]]
LOOP.append(LOOP)
VALUES: list[Any] = [
    [["X", None, "O"], [None] * 3, ["O", "", " "]],
    [[1, 0, -1], [0.5, True, None], []],
    [SHARED, SHARED, ["X"] * 3],
    [SHARED] * 3,
    [["X", ["O"], None], [None] * 3, [None] * 3],
    [["X"], ("O",), ["X"]],
    [1, 2, 3],
    [],
    (["X"], ["O"], ["X"]),
    {"board": [["X"]]},
    LOOP,
]


def places(value: Any) -> list[Any]:
    """Which inner lists are the same one."""
    return [[inner is other for other in value] for inner in value] if isinstance(value, list) else []


def test_copies_are_those_of_python() -> None:
    for value in VALUES:
        ours, theirs = deepcopy(value), copy.deepcopy(value)
        assert repr(ours) == repr(theirs)
        assert places(ours) == places(theirs)
        assert type(ours) is type(theirs)
        assert ours is not value or theirs is value
        for inner, given in zip(ours, value, strict=True) if isinstance(value, list) else ():
            assert not isinstance(given, list) or inner is not given


def test_what_is_no_board_goes_to_python_with_its_memory() -> None:
    cell = Cell()
    board = [[cell, None, None], [None] * 3, [cell, None, None]]
    copied = deepcopy(board)
    assert copied[0][0] is copied[2][0] is not cell
    memo: dict[int, Any] = {}
    deepcopy(board[0], memo)
    assert id(cell) in memo
