"""Who plays whom: byes, marks, rematches, odd numbers, people who leave, 2 to 31 players."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.competitions.pairing import Candidate, Pair, candidates, plays_all, round_robin, rounds_of_all, swiss_round
from webapp.competitions.standings import Played
from webapp.competitions.states import Score
from webapp.tictactoe import Mark

SCORES = (Score.X, Score.O, Score.DRAWN)


def marks_of(rounds: list[list[Pair]]) -> Counter[int]:
    """How often more each held X than O."""
    balance = Counter[int]()
    for pair in (pair for pairs in rounds for pair in pairs if pair.o is not None):
        balance[pair.x] += 1
        balance[pair.o] -= 1
    return balance


def play_swiss(players: int, rounds: int, random: Random, leave: dict[int, set[int]] | None = None) -> list[Played]:
    """A whole Swiss competition with results by chance; `leave` says who is gone from a round on."""
    numbers, played = {entry: entry for entry in range(players)}, list[Played]()
    for number in range(1, rounds + 1):
        for gone in (leave or {}).get(number, ()):
            numbers.pop(gone, None)
        for pair in swiss_round(candidates(numbers, played)):
            played.append(Played(number, *pair, Score.BYE if pair.o is None else random.choice(SCORES)))
    return played


def of_round(played: list[Played], number: int) -> list[int]:
    return sorted(entry for game in played if game.round == number for entry in (game.x, game.o) if entry is not None)


@pytest.mark.parametrize("players", range(2, 32))
def test_in_a_round_robin_each_meets_each_once_with_equal_marks(players: int) -> None:
    rounds = round_robin(range(players))
    assert len(rounds) == rounds_of_all(players)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == Counter(map(frozenset, combinations(range(players), 2)))
    for pairs in rounds:
        busy = [entry for pair in pairs for entry in pair]
        assert len(busy) == len(set(busy)) == players - players % 2
    assert max(map(abs, marks_of(rounds).values())) <= 1 - players % 2


def test_the_round_robin_of_four_is_the_known_one() -> None:
    assert [[set(pair) for pair in pairs] for pairs in round_robin("abcd")] == [  # type: ignore[arg-type]
        [{"b", "c"}, {"a", "d"}],
        [{"a", "c"}, {"b", "d"}],
        [{"a", "b"}, {"c", "d"}],
    ]


@pytest.mark.parametrize("players", range(2, 32))
def test_in_a_swiss_round_everybody_has_one_game_or_the_bye(players: int) -> None:
    rounds = min(5, players - 1)
    played = play_swiss(players, rounds, Random(players))
    for number in range(1, rounds + 1):
        assert of_round(played, number) == list(range(players))
    byes = Counter(game.x for game in played if game.o is None)
    assert len(byes) == byes.total() == rounds * (players % 2)
    met = Counter(frozenset((game.x, game.o)) for game in played if game.o is not None)
    if rounds <= players // 2:
        assert max(met.values()) == 1


@given(st.integers(2, 16), st.integers(1, 9), st.integers(0, 10**6), st.data())
def test_there_is_always_a_fair_round(players: int, rounds: int, seed: int, data: st.DataObject) -> None:
    """Whoever wins, whoever leaves, and with more rounds than there are opponents."""
    leaving = st.dictionaries(st.integers(2, rounds + 1), st.sets(st.integers(0, players - 3)))
    leave = data.draw(leaving) if players > 2 else {}
    played = play_swiss(players, rounds, Random(seed), leave)
    gone = set[int]()
    for number in range(1, rounds + 1):
        gone |= leave.get(number, set())
        assert of_round(played, number) == [entry for entry in range(players) if entry not in gone]
    there = set(range(players)) - gone
    byes = Counter(game.x for game in played if game.o is None)
    if not leave and players % 2:
        assert max(byes[entry] for entry in there) - min(byes[entry] for entry in there) <= 1
    if not leave and rounds < players // 2:
        balance = Counter[int]()
        for game in played:
            if game.o is not None:
                balance[game.x] += 1
                balance[game.o] -= 1
        assert max(map(abs, balance.values()), default=0) <= 2


def test_winners_meet_winners() -> None:
    first = [Played(1, 0, 1, Score.X), Played(1, 2, 3, Score.X)]
    pairs = swiss_round(candidates({entry: entry for entry in range(4)}, first))
    assert {frozenset(pair) for pair in pairs} == {frozenset((0, 2)), frozenset((1, 3))}


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    first = [Played(1, 0, 1, Score.X), Played(1, 2, None, Score.BYE)]
    [bye] = [pair for pair in swiss_round(candidates({0: 0, 1: 1, 2: 2}, first)) if pair.o is None]
    assert bye.x == 1
    second = [*first, Played(2, 0, 2, Score.O), Played(2, 1, None, Score.BYE)]
    [bye] = [pair for pair in swiss_round(candidates({0: 0, 1: 1, 2: 2}, second)) if pair.o is None]
    assert bye.x == 0


def test_a_rematch_is_the_last_resort_but_no_dead_end() -> None:
    games = [Played(1, 0, 1, Score.DRAWN)]
    assert swiss_round(candidates({0: 0, 1: 1}, games)) == [Pair(1, 0)]
    level = [Played(1, 0, 1, Score.X), Played(1, 2, 3, Score.X), Played(2, 0, 2, Score.X), Played(2, 1, 3, Score.O)]
    pairs = swiss_round(candidates({entry: entry for entry in range(4)}, level))
    assert {frozenset(pair) for pair in pairs} == {frozenset((0, 3)), frozenset((1, 2))}


def test_who_had_o_gets_x() -> None:
    games = [Played(1, 0, 1, Score.X), Played(1, 2, 3, Score.O)]
    assert Pair(3, 0) in swiss_round(candidates({entry: entry for entry in range(4)}, games))


def test_a_game_that_was_not_played_gave_nobody_a_mark() -> None:
    [ann, bob] = candidates({0: 0, 1: 1}, [Played(1, 0, 1, Score.X, is_forfeit=True)])
    assert (ann.points, ann.balance, ann.last_mark, ann.met) == (2, 0, None, Counter([1]))
    assert bob == Candidate(1, 1, met=Counter([0]))


def test_the_last_mark_is_that_of_the_last_round_in_whatever_order_it_is_told() -> None:
    games = [Played(2, 1, 0, Score.X), Played(1, 0, 1, Score.X)]
    assert [one.last_mark for one in candidates({0: 0, 1: 1}, games)] == [Mark.O, Mark.X]


def test_enough_rounds_are_all_against_all() -> None:
    assert plays_all(3, 4) and plays_all(1, 2) and not plays_all(2, 4)
