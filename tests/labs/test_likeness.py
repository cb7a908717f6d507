"""Files that are the same up to names, comments and layout: reported as a place to look."""

import re
from pathlib import Path

from webapp.labs.grading.likeness import Pair, pairs, words_of
from webapp.labs.starters import model_text, starter

STUDENTS = Path(__file__).resolve().parent / "students"
STARTER = starter("tictactoe").encode()
MODEL = model_text("tictactoe")
PLAIN = (STUDENTS / "slow_tictactoe.py").read_text(encoding="utf-8")
MEMORY = (STUDENTS / "right_tictactoe.py").read_text(encoding="utf-8")


def disguised(text: str) -> str:
    """Other names, other comments, another layout; the functions in another order."""
    for old, new in {"board": "grid", "count_x": "a", "count_o": "b", "best_action": "move", "value": "v"}.items():
        text = re.sub(rf"\b{old}\b", new, text)
    text = text.replace("    ", "  ").replace(":\n", ":  # here\n")
    head, *functions = text.split("\n\n\n")
    return "\n\n\n".join([head, *reversed(functions)])


def test_a_disguised_copy_is_found_and_independent_files_are_not() -> None:
    files = {"anna": PLAIN, "ben": disguised(PLAIN), "carl": MODEL, "dan": MEMORY}
    found = pairs({name: text.encode() for name, text in files.items()}, STARTER)
    assert [(pair.one, pair.other) for pair in found] == [("anna", "ben")]
    assert found[0].share == 1


def test_what_the_starter_gives_counts_for_nobody() -> None:
    little = starter("tictactoe").replace("raise NotImplementedError", "return None", 1)
    assert pairs({"anna": STARTER, "ben": STARTER, "carl": little.encode()}, STARTER) == []


def test_files_that_python_cannot_read_are_compared_as_far_as_it_can() -> None:
    broken = (PLAIN + "\ndef half(board:\n    return '''").encode()
    assert len(pairs({"anna": PLAIN.encode(), "ben": broken}, STARTER)) == 1
    assert pairs({"anna": b"\xff\xfe\0", "ben": b"", "carl": "é".encode("latin-1")}, STARTER) == []


def test_names_comments_docstrings_and_layout_are_left_out() -> None:
    one = b'def add(a, b):\n    """Add."""\n    # plainly\n    return a + "x"\n'
    other = b'def plus(first,\n         second):\n  return first + "x"'
    assert list(words_of(one)) == list(words_of(other))


def test_a_pair_is_told_in_words() -> None:
    assert str(Pair(0.875, "anna", "ben")) == "anna and ben (88%)"
