"""The bank of time of a game, and the allowance for the first move."""

from hypothesis import given
from hypothesis import strategies as st

from webapp.competitions.thinking_time import TimeRule

RULE = TimeRule(bank=10, start=15)
MOVES = st.lists(st.floats(0, 40))


def test_the_first_move_may_take_the_allowance_and_the_whole_bank() -> None:
    assert RULE.left([]) == 25
    assert not RULE.is_over([25])
    assert RULE.is_over([25.001])


def test_what_the_first_move_leaves_of_the_allowance_is_gone() -> None:
    assert RULE.used([3]) == 0
    assert RULE.left([3]) == 10
    assert RULE.left([16]) == 9


def test_every_later_move_is_taken_from_the_bank() -> None:
    assert RULE.used([20, 1, 0.5]) == 6.5
    assert RULE.left([20, 1, 0.5]) == 3.5
    assert RULE.is_over([0, 5, 5.5])


@given(MOVES, st.floats(0, 40))
def test_a_move_within_what_is_left_is_in_time_and_no_other(spent: list[float], next_move: float) -> None:
    in_time = next_move <= RULE.left(spent) + 1e-9
    assert in_time or RULE.is_over([*spent, next_move])
    assert RULE.left([*spent, next_move]) <= RULE.bank
