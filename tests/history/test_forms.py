"""What the links of the history may ask for, without an app."""

import pytest
from werkzeug.datastructures import MultiDict

from webapp.errors import BadRequest
from webapp.history import forms
from webapp.history.queries import Choice, Edge


def test_what_is_asked_for_is_taken_and_what_is_empty_left_out() -> None:
    assert forms.choice(MultiDict()) == Choice()
    assert forms.choice(MultiDict({"opponent": "bob", "result": "", "mark": "X"})) == Choice(opponent="bob", mark="X")
    assert forms.choice(MultiDict({"result": "lost", "other": "ignored"})) == Choice(result="lost")


def test_results_and_marks_that_do_not_exist_are_refused() -> None:
    for wrong in ({"result": "void"}, {"result": "Won"}, {"mark": "x"}, {"mark": "XO"}):
        with pytest.raises(BadRequest):
            forms.choice(MultiDict(wrong))


def test_a_page_begins_before_or_after_a_game_of_ours() -> None:
    assert forms.edge(MultiDict()) is None
    assert forms.edge(MultiDict({"before": "abc_-XYZ0123"})) == Edge("abc_-XYZ0123", towards_newer=False)
    assert forms.edge(MultiDict({"after": "abc_-XYZ0123"})) == Edge("abc_-XYZ0123", towards_newer=True)
    for wrong in ("", "7", "abc_-XYZ012'"):
        with pytest.raises(BadRequest):
            forms.edge(MultiDict({"before": wrong}))
