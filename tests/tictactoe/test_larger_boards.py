"""Boards larger than 3x3: solved with a table, or looked into step by step under a budget."""

import pytest

from tests.tictactoe.boards import drawn
from webapp.tictactoe import SEARCHES, Board, Position, X
from webapp.tictactoe.search.deepening import Deepening
from webapp.tictactoe.search.evaluation import evaluation

FIVE = Board(5, 5, 4)


@pytest.mark.parametrize("name", ["forced-table", "forced-table-symmetry"])
@pytest.mark.parametrize(("shape", "value"), [((4, 4, 4), 0), ((4, 4, 3), 1), ((3, 4, 3), 1), ((2, 2, 2), 1)])
def test_small_boards_are_solved(name: str, shape: tuple[int, int, int], value: int) -> None:
    assert SEARCHES[name].run(Position.start(Board(*shape))).value == value


def test_a_rectangle_is_searched_alike_by_all() -> None:
    position = drawn("""
        X . O .
        . X . .
        O . . .""", board=Board(3, 4, 3))
    values = {SEARCHES[name].run(position).value for name in ("minimax", "alpha-beta", "forced", "deepening")}
    assert values == {1}


def test_a_budget_of_nodes_is_kept_and_the_answer_is_a_guess() -> None:
    report = Deepening("", "", "", most_nodes=500).run(Position.start(Board(7, 7, 5)))
    assert report.nodes <= 500 + 1  # the root of the step that was given up
    assert -1 < report.value < 1
    assert not report.is_proven
    assert report.distance is None
    assert 1 <= len(report.line) < 49


def test_more_budget_looks_further() -> None:
    small, large = (
        Deepening("", "", "", most_nodes=nodes).run(Position.start(FIVE)).search.horizon for nodes in (300, 3_000)
    )
    assert large < small


def test_a_budget_of_seconds_goes_by_the_clock_that_is_handed_in() -> None:
    ticks = iter(range(1_000_000))
    report = Deepening("", "", "", most_seconds=200, clock=lambda: next(ticks)).run(Position.start(FIVE))
    assert next(ticks) <= 210
    assert report.cell in Position.start(FIVE).legal_cells


def test_one_ply_is_looked_at_however_small_the_budget() -> None:
    threat = drawn("""
        . . . . .
        . X X X .
        . O O . .
        . . . . .
        . . . O .""", board=FIVE)
    report = Deepening("", "", "", most_nodes=0).run(threat)
    assert (report.cell, report.value, report.distance) == (5, 1, 1)


def test_deepening_stops_when_a_win_is_proven_and_sees_it_to_the_end() -> None:
    open_three = drawn("""
        . . . . .
        . O . . .
        . X X . .
        . . . O .
        . . . . .""", board=FIVE)
    report = SEARCHES["deepening"].run(open_three)
    assert (report.value, report.distance) == (1, 3)
    end = open_three
    for cell in report.line:
        end = end.play(cell)
    assert end.outcome
    assert end.outcome.winner is X


def test_the_guess_is_as_bad_for_one_side_as_it_is_good_for_the_other() -> None:
    guess = evaluation(FIVE.bits)
    position = drawn("""
        X . . . .
        . X . . .
        . . O . .
        . . . . .
        . O . . .""", board=FIVE)
    assert guess(position.own, position.other) == -guess(position.other, position.own)
    assert -1 < guess(FIVE.bits.full, 0) < 1


def test_the_guess_prefers_the_centre() -> None:
    guess = evaluation(FIVE.bits)
    assert guess(1 << 12, 0) > guess(1 << 0, 0) > 0
