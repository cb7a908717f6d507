"""The board as a shape."""

import pytest

from webapp.tictactoe import STANDARD, BadBoard, Board

SHAPES = [(3, 3, 3), (4, 4, 4), (4, 4, 3), (3, 4, 3), (5, 5, 4), (1, 5, 3), (2, 2, 2)]
shapes = pytest.mark.parametrize("board", [Board(*shape) for shape in SHAPES], ids=str)


def test_the_standard_board_is_three_by_three_with_three_in_a_row() -> None:
    assert STANDARD == Board(3, 3, 3) == Board()
    assert STANDARD.size == 9


def test_the_standard_board_has_three_rows_three_columns_and_two_diagonals() -> None:
    assert STANDARD.lines == (
        (0, 1, 2), (3, 4, 5), (6, 7, 8),
        (0, 3, 6), (1, 4, 7), (2, 5, 8),
        (0, 4, 8),
        (2, 4, 6),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "count"), [((4, 4, 4), 10), ((4, 4, 3), 24), ((3, 4, 3), 14), ((5, 5, 4), 28), ((1, 5, 3), 3)]
)
def test_other_boards_have_the_lines_that_fit(shape: tuple[int, int, int], count: int) -> None:
    assert len(Board(*shape).lines) == count


@shapes
def test_a_line_is_as_long_as_the_board_asks(board: Board) -> None:
    assert {len(set(line)) for line in board.lines} == {board.in_a_row}


@shapes
def test_symmetries_take_lines_to_lines(board: Board) -> None:
    lines = {frozenset(line) for line in board.lines}
    for symmetry in board.symmetries:
        assert {frozenset(symmetry[cell] for cell in line) for line in lines} == lines


@shapes
def test_one_symmetry_after_another_is_a_symmetry_again(board: Board) -> None:
    for first in board.symmetries:
        assert {tuple(second[cell] for cell in first) for second in board.symmetries} == set(board.symmetries)


@pytest.mark.parametrize(("shape", "count"), [((3, 3, 3), 8), ((4, 4, 3), 8), ((3, 4, 3), 4), ((1, 5, 3), 2)])
def test_a_square_has_eight_symmetries_and_a_rectangle_four(shape: tuple[int, int, int], count: int) -> None:
    assert len(Board(*shape).symmetries) == count


def test_the_first_symmetry_leaves_all_as_it_is() -> None:
    assert STANDARD.symmetries[0] == tuple(range(9))


def test_cells_of_the_standard_board_have_names() -> None:
    assert [STANDARD.cell_name(cell) for cell in range(9)] == [
        "top left", "top centre", "top right",
        "middle left", "centre", "middle right",
        "bottom left", "bottom centre", "bottom right",
    ]  # fmt: skip


def test_cells_of_other_boards_are_named_by_row_and_column() -> None:
    assert Board(3, 4, 3).cell_name(6) == "row 2, column 3"


def test_lines_have_names() -> None:
    names = [STANDARD.line_name(line) for line in STANDARD.lines]
    assert names == [
        "top row", "middle row", "bottom row",
        "left column", "middle column", "right column",
        "diagonal from the top left", "diagonal from the top right",
    ]  # fmt: skip
    wide = Board(3, 4, 3)
    assert {wide.line_name(line) for line in wide.lines} >= {"row 2", "column 4", "diagonal from row 1, column 2"}


@pytest.mark.parametrize("shape", [(0, 3, 3), (3, 0, 3), (3, 3, 0), (3, 3, 4), (11, 3, 3), (3, -1, 3)])
def test_shapes_nobody_can_play_on_are_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(BadBoard, match=r"board.*\.$"):
        Board(*shape)
