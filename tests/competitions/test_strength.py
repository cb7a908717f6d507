"""The Bradley-Terry strengths: what they mean, and what they do not depend on."""

from collections import Counter
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.competitions.strength import Halves, strengths

RESULTS = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2), st.just(1)).filter(lambda one: one[0] != one[1]),
    max_size=40,
)


def expected(one: float, other: float) -> float:
    return 1 / (1 + exp(other - one))


def test_nobody_has_a_strength_before_a_game() -> None:
    assert strengths([]) == {}


def test_who_draws_everything_is_average() -> None:
    assert strengths([("a", "b", 1, 1), ("b", "c", 2, 2), ("c", "a", 1, 1)]) == {"a": 0, "b": 0, "c": 0}


def test_a_clean_sweep_stays_finite() -> None:
    found = strengths([("a", "b", 24, 12)])
    assert exp(found["a"] - found["b"]) == pytest.approx(12.5 / 0.5, rel=1e-4)


def test_they_expect_the_points_that_were_taken_and_one_draw_more_with_everybody() -> None:
    """That is what the most likely strengths are, so it holds for any results: here everybody's are added up."""
    games = [("a", "b", 2)] * 7 + [("b", "a", 2)] * 2 + [("b", "c", 2)] * 5 + [("c", "a", 1)] * 4 + [("c", "d", 0)]
    found = strengths((*game, 1) for game in games)
    for one in found:
        taken = sum(halves if one == x else 2 - halves for x, o, halves in games if one in (x, o)) / 2
        games_against = {other: sum({one, other} == {x, o} for x, o, _ in games) for other in found if other != one}
        foreseen = sum((met + 1) * expected(found[one], found[other]) for other, met in games_against.items())
        assert foreseen == pytest.approx(taken + (len(found) - 1) / 2, rel=1e-4), one


@given(RESULTS, st.randoms(use_true_random=False))
def test_the_order_of_the_games_changes_nothing_at_all(games: list[Halves[int]], random: object) -> None:
    again = list(games)
    random.shuffle(again)  # type: ignore[attr-defined]
    turned = [(other, one, 2 - halves, 1) for one, other, halves, _ in again]
    assert strengths(games) == strengths(again) == strengths(turned)


@given(RESULTS, st.permutations(range(1, 7)))
def test_other_names_change_nothing_at_all(games: list[Halves[int]], names: list[int]) -> None:
    renamed = strengths((names[one - 1], names[other - 1], halves, 1) for one, other, halves, _ in games)
    assert renamed == {names[one - 1]: value for one, value in strengths(games).items()}


@given(RESULTS)
def test_they_balance(games: list[Halves[int]]) -> None:
    assert sum(strengths(games).values()) == pytest.approx(0, abs=1e-6)


@given(RESULTS)
def test_games_may_be_added_up_before(games: list[Halves[int]]) -> None:
    added = Counter({(one, other): 0 for one, other, _, _ in games})
    for one, other, halves, _ in games:
        added[one, other] += halves
    met = Counter((one, other) for one, other, _, _ in games)
    assert strengths((*pair, halves, met[pair]) for pair, halves in added.items()) == strengths(games)
