"""Verdicts on moves played."""

import pytest

from tests.tictactoe.boards import drawn, oracle, unfinished
from webapp.tictactoe import CellTaken, Position, move_value

WON = """
    X X .
    O . O
    . . ."""
DRAWN = """
    X . .
    . O .
    . . X"""


@pytest.mark.parametrize(
    ("picture", "cell", "before", "after"),
    [
        (WON, 2, 1, 1),
        (WON, 8, 1, -1),
        (DRAWN, 1, 0, 0),
        (DRAWN, 2, 0, -1),
    ],
)
def test_a_move_is_judged_by_what_it_does_to_the_value(picture: str, cell: int, before: int, after: int) -> None:
    judged = move_value(drawn(picture), cell)
    assert (judged.before.value, judged.value, judged.is_mistake) == (before, after, after < before)


def test_a_win_can_be_turned_into_a_draw() -> None:
    judged = move_value(drawn("""
        X O .
        . . .
        . . ."""), 7)
    assert (judged.before.value, judged.value) == (1, 0)
    assert judged.is_mistake


def test_in_a_lost_position_no_move_is_a_mistake_but_some_lose_sooner() -> None:
    lost = drawn("""
        X O .
        . . .
        X . .""")
    judged = [move_value(lost, cell) for cell in lost.legal_cells]
    assert {(each.before.value, each.value, each.is_mistake) for each in judged} == {(-1, -1, False)}
    assert {each.is_best for each in judged} == {True, False}


def test_a_slower_win_is_kept_but_not_best() -> None:
    judged = move_value(drawn("""
        X X .
        O . .
        O . ."""), 4)
    assert judged.value == 1
    assert not judged.is_best
    assert (judged.before.distance, judged.distance) == (1, 3)


def test_the_line_that_punishes_ends_the_game() -> None:
    judged = move_value(drawn(DRAWN), 2)
    assert judged.is_mistake
    end = drawn(DRAWN).play(2)
    for cell in judged.line:
        end = end.play(cell)
    assert end.outcome
    assert end.outcome.winner == "X"
    assert judged.line[0] == 6


def test_the_winning_move_leaves_no_line_to_follow() -> None:
    assert move_value(drawn(WON), 2).line == ()


def test_every_verdict_agrees_with_the_oracle() -> None:
    for position in unfinished()[::3]:
        for cell in position.legal_cells:
            judged, after = move_value(position, cell), position.play(cell)
            value, plies = oracle(after.text, after.to_move)
            assert (judged.value, judged.distance, len(judged.line)) == (-value, plies + 1, plies)
            assert judged.is_mistake == (judged.value < oracle(position.text, position.to_move)[0])
            assert judged.is_best == (cell in judged.before.cells)


def test_an_illegal_move_gets_no_verdict() -> None:
    with pytest.raises(CellTaken):
        move_value(Position.parse("X........"), 0)
