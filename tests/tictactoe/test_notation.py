"""Positions as text, and the sentences for texts that are none."""

import pytest

from tests.tictactoe.boards import begun_by_o, drawn, every_position
from webapp.tictactoe import BadPosition, Board, Mark, O, Position, X, replay


def test_a_position_is_written_in_reading_order() -> None:
    assert str(replay([0, 1])) == replay([0, 1]).text == "XO......."


def test_rows_may_be_parted_by_strokes() -> None:
    assert Position.parse("XO./.../..X") == Position.parse("XO......X")


@pytest.mark.parametrize(
    ("text", "to_move"), [("X........", O), ("O........", X), ("XO.......", X), (".........", X), ("XXXOO....", O)]
)
def test_the_side_to_move_follows_from_the_counts(text: str, to_move: Mark) -> None:
    assert Position.parse(text).to_move is to_move


def test_with_equal_counts_either_may_be_said_to_move() -> None:
    assert Position.parse("XO.......", O).to_move is O
    assert Position.parse("XO.......", X).to_move is X


def test_a_mark_may_be_given_as_a_letter() -> None:
    letter = "O"
    assert Position.parse("XO.......", letter) == Position.parse("XO.......", O)  # type: ignore[arg-type]
    assert Position.start(to_move=letter).play(4).mark_at(4) is O  # type: ignore[arg-type]


def test_with_equal_counts_and_a_winner_the_loser_is_to_move() -> None:
    position = drawn("""
        X X X
        O O .
        O . .""")
    assert position.to_move is O
    assert position.outcome
    assert position.outcome.winner is X


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("XO......", "This board has 9 cells, and the text has 8."),
        ("", "This board has 9 cells, and the text has 0."),
        ("XO........", "This board has 9 cells, and the text has 10."),
        ("XO/......./", "There must be 3 rows of 3 cells between the strokes."),
        ("XO....../.", "There must be 3 rows of 3 cells between the strokes."),
        ("xO.......", "Cells are written as X, O or . for a free one, not as 'x'."),
        ("XO.......\n", "This board has 9 cells, and the text has 10."),
        ("XO......0", "Cells are written as X, O or . for a free one, not as '0'."),
        ("XX.......", "X and O move in turn, so their counts differ by one at most; here X has 2 and O has 0."),
        ("XXXXOO...", "X and O move in turn, so their counts differ by one at most; here X has 4 and O has 2."),
        ("XXXOOO...", "Both have won, and the game would have ended with the first line."),
        ("XXXOO.OO.", "X has won already, so it cannot be to move: the game is over."),
        ("OOOXX.X.X", "O has won already, so it cannot be to move: the game is over."),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(BadPosition) as refusal:
        Position.parse(text)
    assert str(refusal.value) == why


@pytest.mark.parametrize(
    ("text", "to_move", "why"),
    [
        ("X........", X, "X has a mark more than O, so it is O's turn."),
        ("XXXOO....", X, "X has won already, so it cannot be to move: the game is over."),
        ("XXXOOO.O.", X, "Both have won, and the game would have ended with the first line."),
    ],
)
def test_a_side_that_cannot_be_to_move_is_refused(text: str, to_move: Mark, why: str) -> None:
    with pytest.raises(BadPosition) as refusal:
        Position.parse(text, to_move)
    assert str(refusal.value) == why


def test_two_lines_that_no_single_move_completes_are_refused() -> None:
    with pytest.raises(BadPosition, match=r"^X has lines that no single move completes: nobody moves after"):
        drawn("""
            X X X .
            O O . O
            X X X .
            O O . .""", board=Board(4, 4, 3))


def test_two_lines_completed_by_one_move_are_fine() -> None:
    position = drawn("""
        X X X
        X O O
        X O O""")
    assert position.outcome
    assert position.outcome.winner is X


def test_other_boards_are_read_by_their_own_shape() -> None:
    board = Board(2, 4, 3)
    assert Position.parse("XO../....", board=board) == replay([0, 1], board=board)
    with pytest.raises(BadPosition, match="8 cells"):
        Position.parse("XO.......", board=board)


def test_exactly_the_reachable_texts_are_accepted() -> None:
    reachable = {(position.text, position.to_move) for position in every_position()}
    reachable |= {(begun_by_o(position).text, begun_by_o(position).to_move) for position in every_position()}
    assert {(text, to_move) for text in texts("", 9) for to_move in (X, O) if is_position(text, to_move)} == reachable


def texts(begun: str, length: int) -> list[str]:
    if len(begun) == length:
        return [begun]
    return [text for letter in "XO." for text in texts(begun + letter, length)]


def is_position(text: str, to_move: Mark) -> bool:
    try:
        return Position.parse(text, to_move).to_move is to_move
    except BadPosition:
        return False
