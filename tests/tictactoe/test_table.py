"""The table of all positions."""

import pytest

from tests.tictactoe.boards import begun_by_o, drawn, every_position, oracle
from webapp.tictactoe import STANDARD, Board, BoardTooLarge, Entry, Position, Table, X, table_of

table = table_of(STANDARD)


def test_every_entry_agrees_with_the_oracle() -> None:
    for position in every_position():
        value, plies = oracle(position.text, position.to_move)
        assert (table[position].value, table[position].distance) == (value, plies)


def test_the_best_cells_are_those_that_keep_value_and_distance_in_reading_order() -> None:
    for position in every_position():
        entry = table[position]
        after = {cell: table[position.play(cell)] for cell in position.legal_cells}
        keeps = [cell for cell, reply in after.items() if (-reply.value, reply.distance + 1) == entry[:2]]
        assert entry.cells == tuple(keeps)


def test_positions_begun_by_o_are_in_it_too() -> None:
    for position in every_position():
        assert table[begun_by_o(position)] is table[position]


def test_the_empty_board_is_a_draw_whatever_is_played() -> None:
    assert table[Position.start()] == Entry(value=0, distance=9, cells=tuple(range(9)), score=0)


def test_an_entry_names_the_only_move() -> None:
    fork = drawn("""
        X . .
        . O .
        . . X""")
    assert table[fork] == Entry(value=0, distance=6, cells=(1, 3, 5, 7), score=0)


def test_twins_share_value_and_distance() -> None:
    for position in every_position()[::7]:
        assert {table[twin][:2] for twin in position.twins} == {table[position][:2]}


def test_the_line_is_best_play_to_the_end() -> None:
    for position in every_position()[::5]:
        end = position
        for cell in table.line(position):
            assert cell in table[end].cells
            end = end.play(cell)
        assert end.outcome
        assert end.ply - position.ply == table[position].distance


def test_what_cannot_be_reached_is_not_in_it() -> None:
    with pytest.raises(KeyError):
        table[Position(STANDARD, 0b111, 0b111000, X)]


def test_there_is_one_table_for_a_board() -> None:
    assert table_of(Board(3, 3, 3)) is table


def test_other_small_boards_have_tables() -> None:
    wide = Board(2, 4, 3)
    assert Table(wide)[Position.start(wide)].value == 0
    narrow = Board(2, 2, 2)
    assert Table(narrow)[Position.start(narrow)] == Entry(value=1, distance=3, cells=(0, 1, 2, 3), score=2)


def test_a_board_too_large_for_a_table_is_refused() -> None:
    with pytest.raises(BoardTooLarge, match="at most 9 cells"):
        Table(Board(4, 4, 4))
