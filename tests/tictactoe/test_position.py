"""Positions: whose turn, what is legal, how it ends."""

from dataclasses import FrozenInstanceError

import pytest

from tests.tictactoe.boards import begun_by_o, drawn, every_position, unfinished
from webapp.tictactoe import (
    STANDARD,
    Board,
    CellOffBoard,
    CellTaken,
    GameAlreadyOver,
    IllegalMove,
    Mark,
    O,
    Position,
    Reason,
    X,
    mover,
    replay,
)


def test_the_marks_are_each_others_other() -> None:
    assert (X.other, O.other) == (O, X)


def test_the_marks_take_turns_whoever_begins() -> None:
    assert [mover(ply) for ply in range(3)] == [X, O, X]
    assert [mover(ply, O) for ply in range(3)] == [O, X, O]


def test_a_game_starts_empty_with_x_to_move() -> None:
    start = Position.start()
    assert (start.text, start.to_move, start.outcome) == (".........", X, None)
    assert start.legal_cells == tuple(range(9))


@pytest.mark.parametrize("first", [X, O])
def test_either_side_may_begin_and_they_move_in_turn(first: Mark) -> None:
    position = Position.start(to_move=first).play(4)
    assert (position.mark_at(4), position.to_move) == (first, first.other)


def test_playing_leaves_the_old_position_as_it_was() -> None:
    start = Position.start()
    assert start.play(0) != start
    assert start == Position.start()
    with pytest.raises(FrozenInstanceError):
        start.own = 1  # type: ignore[misc]


def test_marks_lie_where_they_were_played() -> None:
    position = replay([4, 0, 8])
    assert position == drawn("""
        O . .
        . X .
        . . X""")
    assert [position.mark_at(cell) for cell in (0, 1, 4, 8)] == [O, None, X, X]
    assert position.ply == 3


def test_a_taken_cell_is_refused_by_name() -> None:
    with pytest.raises(CellTaken, match=r"^The cell top left has an O in it already\.$"):
        replay([4, 0, 0])


@pytest.mark.parametrize("cell", [-1, 9, 2**70])
def test_a_cell_off_the_board_is_refused(cell: int) -> None:
    with pytest.raises(CellOffBoard, match=rf"^There is no cell {cell}; the cells are 0 to 8\.$"):
        Position.start().play(cell)
    with pytest.raises(CellOffBoard):
        Position.start().mark_at(cell)


def test_nobody_moves_after_the_end() -> None:
    with pytest.raises(GameAlreadyOver, match=r"^No more moves: X has won\.$"):
        replay([0, 3, 1, 4, 2, 5])


def test_every_refusal_of_a_move_is_an_illegal_move_and_a_value_error() -> None:
    for refusal in (CellTaken, CellOffBoard, GameAlreadyOver):
        assert issubclass(refusal, IllegalMove)
        assert issubclass(refusal, ValueError)


@pytest.mark.parametrize("line", STANDARD.lines, ids=STANDARD.line_name)
@pytest.mark.parametrize("winner", [X, O])
def test_each_line_wins(line: tuple[int, ...], winner: Mark) -> None:
    elsewhere = [cell for cell in range(9) if cell not in line]
    position = replay([line[0], elsewhere[0], line[1], elsewhere[1], line[2]], first=winner)
    outcome = position.outcome
    assert outcome
    assert (outcome.winner, outcome.reason, outcome.line) == (winner, Reason.LINE, line)
    assert not outcome.is_draw
    assert str(outcome) == f"{winner} has won"
    assert position.legal_cells == ()


def test_a_full_board_without_a_line_is_a_draw() -> None:
    outcome = drawn("""
        X O X
        X O O
        O X X""").outcome
    assert outcome
    assert outcome.is_draw
    assert (outcome.winner, outcome.reason, outcome.line) == (None, Reason.FULL_BOARD, ())
    assert str(outcome) == "the game is drawn"


def test_a_line_on_the_last_cell_wins_and_is_no_draw() -> None:
    outcome = drawn("""
        X O X
        O X O
        O X X""").outcome
    assert outcome
    assert outcome.winner is X


def test_wider_boards_follow_their_own_shape() -> None:
    wide = Board(3, 5, 4)
    position = replay([5, 0, 6, 1, 7, 2, 8], board=wide)
    assert position.outcome
    assert position.outcome.line == (5, 6, 7, 8)
    assert replay([0, 5, 1, 6, 2], board=wide).outcome is None


def test_wins_and_threats_are_the_cells_that_complete_a_line() -> None:
    position = drawn("""
        X X .
        O O .
        . . .""")
    cells_in = STANDARD.bits.cells_in
    assert (cells_in[position.wins], cells_in[position.threats]) == ((2,), (5,))


def test_a_position_has_as_many_twins_as_its_board_has_symmetries() -> None:
    corner = replay([0])
    assert len(corner.twins) == 8
    assert {twin.text for twin in corner.twins} == {
        "X........", "..X......", "......X..", "........X",
    }  # fmt: skip


def test_legal_cells_and_outcome_agree_everywhere() -> None:
    for position in every_position():
        assert bool(position.legal_cells) == (position.outcome is None) == (not position.is_over)


def test_who_began_makes_no_difference_to_play() -> None:
    for position in unfinished():
        assert begun_by_o(position).legal_cells == position.legal_cells
