"""The table of a competition, counted from its games: known cases, and what holds in every case."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from webapp.competitions.standings import Played, Standing, standings
from webapp.competitions.states import Format, Score

ANN, BOB, CAT, DAN = range(4)
X, O, DRAWN = Score.X, Score.O, Score.DRAWN  # noqa: E741 - the mark


def ranks(table: list[Standing]) -> list[tuple[int, int, int]]:
    return [(one.entry, one.rank, one.points) for one in table]


def test_points_come_first() -> None:
    games = [Played(1, ANN, BOB, O), Played(1, CAT, DAN, DRAWN), Played(2, BOB, CAT, X), Played(2, DAN, ANN, DRAWN)]
    table = standings([ANN, BOB, CAT, DAN], games, Format.SWISS)
    assert ranks(table) == [(BOB, 1, 4), (DAN, 2, 2), (ANN, 3, 1), (CAT, 3, 1)]
    assert [(one.won, one.drawn, one.lost) for one in table[:1]] == [(2, 0, 0)]


def test_then_in_the_swiss_system_the_points_of_the_opponents() -> None:
    """Ann and Cat have one point each; Ann took it off Bob, who has one as well, Cat off Dan, who has none."""
    games = [Played(1, ANN, BOB, X), Played(1, CAT, DAN, X), Played(2, BOB, DAN, X)]
    table = standings([ANN, BOB, CAT, DAN], games, Format.SWISS)
    assert ranks(table) == [(ANN, 1, 2), (BOB, 2, 2), (CAT, 3, 2), (DAN, 4, 0)]
    assert [one.tie_break for one in table] == [4, 4, 0, 8]  # in quarters


def test_a_bye_counts_as_a_win_over_somebody_like_oneself() -> None:
    games = [Played(1, ANN, None, Score.BYE), Played(1, BOB, CAT, DRAWN)]
    first = standings([ANN, BOB, CAT], games, Format.SWISS)[0]
    assert (first.entry, first.points, first.tie_break, first.byes, first.games) == (ANN, 2, 4, 1, 0)


def test_where_all_play_all_wins_over_the_strong_count_more() -> None:
    """Ann, Bob and Dan have two points each. Cat has none: who beat only Cat and drew twice took it off the weakest."""
    games = [
        Played(1, ANN, BOB, X), Played(1, CAT, DAN, O), Played(2, ANN, DAN, O), Played(2, BOB, CAT, X),
        Played(3, ANN, CAT, X), Played(3, BOB, DAN, X),
    ]  # fmt: skip
    table = standings([ANN, BOB, CAT, DAN], games, Format.ROUND_ROBIN)
    assert ranks(table) == [(ANN, 1, 4), (BOB, 1, 4), (DAN, 1, 4), (CAT, 4, 0)]
    assert [one.tie_break for one in table] == [8, 8, 8, 0]


def test_then_their_own_game_decides_between_two() -> None:
    games = [
        Played(1, ANN, BOB, O), Played(1, CAT, DAN, DRAWN), Played(2, ANN, CAT, X), Played(2, BOB, DAN, O),
        Played(3, ANN, DAN, DRAWN), Played(3, BOB, CAT, DRAWN),
    ]  # fmt: skip
    table = standings([ANN, BOB, CAT, DAN], games, Format.ROUND_ROBIN)
    assert ranks(table) == [(DAN, 1, 4), (BOB, 2, 3), (ANN, 3, 3), (CAT, 4, 2)]


def test_both_lose_a_game_to_which_neither_came() -> None:
    table = standings([ANN, BOB], [Played(1, ANN, BOB, Score.BOTH_LOST, is_forfeit=True)], Format.SWISS)
    assert [(one.rank, one.points, one.lost) for one in table] == [(1, 0, 1)] * 2


def test_nobody_has_played_yet() -> None:
    assert ranks(standings([ANN, BOB], [], Format.SWISS)) == [(ANN, 1, 0), (BOB, 1, 0)]


pairs = st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] != pair[1])
games = st.builds(
    lambda number, pair, score: Played(number, *pair, score), st.integers(1, 5), pairs, st.sampled_from([X, O, DRAWN])
)
byes = st.builds(lambda number, entry: Played(number, entry, None, Score.BYE), st.integers(1, 5), st.integers(0, 5))


@given(st.lists(games | byes), st.sampled_from(Format), st.randoms())
def test_the_table_does_not_depend_on_the_order_of_the_games(
    played: list[Played], form: Format, random: Random
) -> None:
    table = standings(range(6), played, form)
    shuffled = random.sample(played, len(played))
    assert standings(range(6), shuffled, form) == table
    assert sum(one.points for one in table) == 2 * len(played)
    assert sum(one.won for one in table) == sum(one.lost for one in table)
    assert [one.points for one in table] == sorted((one.points for one in table), reverse=True)
    ranks = [one.rank for one in table]
    assert ranks == [ranks.index(rank) + 1 for rank in ranks]  # who shares a place leaves the next ones empty
