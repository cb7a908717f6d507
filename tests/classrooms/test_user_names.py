"""User names that tell nothing about the person."""

from webapp.accounts.names import NAME, RESERVED
from webapp.classrooms.user_names import FIRST, SECOND, new_user_names


def test_every_name_that_can_be_made_is_allowed() -> None:
    assert len(set(FIRST)) == len(FIRST) > 150 and len(set(SECOND)) == len(SECOND) > 200
    assert max(map(len, FIRST)) + max(map(len, SECOND)) + len("--42") <= 20
    assert all(word.isascii() and word.isalpha() and word.islower() for word in FIRST + SECOND)
    assert not set(FIRST + SECOND) & RESERVED


def test_so_many_as_are_asked_for_all_different() -> None:
    names = new_user_names(500)
    assert len(set(names)) == 500 and all(map(NAME.match, names))
    assert not set("01") & set("".join(names)), "they look like letters"
