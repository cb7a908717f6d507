"""copy.deepcopy, quicker for boards: plain minimax with deep copies spends half its time on copying nine cells.

Standard library only. The copies are the same to the last list; whatever is no board goes to Python's own."""

import copy
from functools import wraps
from typing import Any

ATOMS = {type(None), str, int, float, bool}
python_s_own = copy.deepcopy


@wraps(python_s_own)
def deepcopy(value: Any, *memo: Any) -> Any:
    if memo or type(value) is not list or len(value) != 3:
        return python_s_own(value, *memo)
    top, middle, bottom = value
    is_board = type(top) is type(middle) is type(bottom) is list
    is_shared = top is middle or top is bottom or middle is bottom  # then the copy must share its rows, too
    if not is_board or is_shared or not ATOMS.issuperset(map(type, top + middle + bottom)):
        return python_s_own(value)
    return [top[:], middle[:], bottom[:]]


def quicken_copies() -> None:
    copy.deepcopy = deepcopy  # type: ignore[assignment]
