"""What the forms of games may send, without an app."""

from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from webapp.errors import BadRequest
from webapp.games import forms
from webapp.games.states import Visibility, WishedMark
from webapp.tictactoe import Mark


def form(*pairs: tuple[str, str]) -> MultiDict[str, str]:
    return MultiDict(pairs)


def assert_refused(read: Callable[..., Any], *asked: Any) -> None:
    with pytest.raises(BadRequest) as refusal:
        read(*asked)
    assert refusal.value.sentence.endswith((".", "!")), "a sentence that says what to do"


def test_a_number_is_digits_and_nothing_else() -> None:
    assert forms.number(form(("cell", "4")), "cell") == 4
    assert forms.number(form(("cell", "007")), "cell") == 7
    for wrong in ("", "-1", "1.5", "true", "0 ", " 0", "1e9", str(2**70), "٣", "1\n", "1000"):
        assert_refused(forms.number, form(("cell", wrong)), "cell")
    assert_refused(forms.number, form(), "cell")
    assert_refused(forms.number, form(("cell", "1"), ("cell", "1")), "cell")


def test_a_number_may_be_left_out_where_it_is_optional_but_not_be_wrong() -> None:
    assert forms.optional_number(form(), "cell") is None
    assert forms.optional_number(form(("cell", "0")), "cell") == 0
    assert_refused(forms.optional_number, form(("cell", "")), "cell")


def test_what_is_left_out_has_a_default() -> None:
    nothing = form()
    assert (forms.level(nothing), forms.mark(nothing)) == ("perfect", Mark.X)
    assert (forms.wished_mark(nothing), forms.visibility(nothing)) == (WishedMark.RANDOM, Visibility.PUBLIC)


def test_marks_are_x_o_or_left_to_chance() -> None:
    assert [forms.mark(form(("mark", word))) for word in ("X", "O", "random")] == [Mark.X, Mark.O, None]
    assert [forms.wished_mark(form(("mark", word))) for word in ("X", "O", "random")] == list(WishedMark)
    assert [forms.visibility(form(("visibility", word))) for word in ("public", "private")] == list(Visibility)


def test_words_that_no_page_of_ours_sends_are_refused() -> None:
    for read, name in ((forms.level, "level"), (forms.mark, "mark"), (forms.wished_mark, "mark"),
                       (forms.visibility, "visibility")):  # fmt: skip
        for wrong in ("", "x", "PUBLIC", "perfect ", "{{7*7}}"):
            assert_refused(read, form((name, wrong)))
    assert forms.one_of(form(("draw", "offer")), "draw", ("offer", "accept")) == "offer"
    assert_refused(forms.one_of, form(("draw", "win")), "draw", ("offer", "accept"))
    assert_refused(forms.one_of, form(), "draw", ("offer", "accept"))


def test_an_id_that_a_page_could_not_have_chosen_is_exchanged() -> None:
    assert forms.public_id(form(("public_id", "abc_-XYZ0123")), "otherwise") == "abc_-XYZ0123"
    for wrong in ("", "short", "a" * 13, "abc_-XYZ012/", "abc_-XYZ0123\n"):
        assert forms.public_id(form(("public_id", wrong)), "otherwise") == "otherwise", wrong
