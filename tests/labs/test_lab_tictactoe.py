"""Assignment #1: its specification, point by point, and all positions of the rules."""

import copy

import pytest

from tests.conftest import Sampled
from webapp.labs import tictactoe as lab
from webapp.labs.checker.positions import best_cells, cell_at, move_at, positions, rows, unfinished, value_for_x

X, O, _ = "X", "O", None  # noqa: E741
MIDDLE = [[X, O, _], [_, X, _], [_, _, O]]


def test_the_marks_and_the_empty_cell_are_those_of_the_assignment() -> None:
    assert (lab.X, lab.O, lab.EMPTY) == ("X", "O", None)


def test_the_initial_state_is_empty_and_new_each_time() -> None:
    board = lab.initial_state()
    board[0][0] = X
    assert lab.initial_state() == [[_, _, _], [_, _, _], [_, _, _]]
    assert board == [[X, _, _], [_, _, _], [_, _, _]]


def test_x_has_the_first_move_and_the_players_alternate() -> None:
    assert lab.player(lab.initial_state()) == X
    assert lab.player([[X, _, _], [_, _, _], [_, _, _]]) == O
    assert lab.player(MIDDLE) == X


def test_actions_are_a_set_of_pairs() -> None:
    assert lab.actions(MIDDLE) == {(0, 2), (1, 0), (1, 2), (2, 0), (2, 1)}


def test_result_is_a_new_board_and_leaves_the_old_one_alone() -> None:
    board = copy.deepcopy(MIDDLE)
    after = lab.result(board, (2, 0))
    assert after == [[X, O, _], [_, X, _], [X, _, O]]
    assert board == MIDDLE
    assert not any(new is old for new in after for old in board)


@pytest.mark.parametrize("action", [(0, 0), (0, 1), (-1, 0), (0, -1), (-2, -3), (3, 0), (0, 3), (9, 9)])
def test_an_action_that_is_not_possible_raises(action: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not a free cell"):
        lab.result(MIDDLE, action)


def test_it_agrees_with_the_rules_on_all_positions() -> None:
    for position in positions():
        board, outcome = rows(position, _), position.outcome
        assert lab.winner(board) == (outcome and outcome.winner)
        assert lab.terminal(board) is position.is_over
        if outcome:
            assert lab.utility(board) == value_for_x(position)
            assert lab.minimax(board) is None
        else:
            assert lab.player(board) == position.to_move
            assert lab.actions(board) == {move_at(cell) for cell in position.legal_cells}
        assert board == rows(position, _)


def test_each_possible_move_gives_the_next_position() -> None:
    for position in unfinished():
        for cell in position.legal_cells:
            assert lab.result(rows(position, _), move_at(cell)) == rows(position.play(cell), _)


def test_minimax_is_optimal_for_either_side(sampled: Sampled) -> None:
    for position in sampled(unfinished()):
        assert cell_at(lab.minimax(rows(position, _))) in best_cells(position), position.text


def test_two_perfect_players_tie() -> None:
    board = lab.initial_state()
    while not lab.terminal(board):
        action = lab.minimax(board)
        assert action is not None
        board = lab.result(board, action)
    assert lab.utility(board) == 0
