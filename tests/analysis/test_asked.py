"""Which position an address asks for, the way that led there, and what the editor sends."""

import pytest
from werkzeug.datastructures import MultiDict

from webapp.analysis import asked
from webapp.tictactoe import BadPosition, Position, X, replay


def arguments(**fields: str) -> MultiDict[str, str]:
    return MultiDict(fields)


def test_without_a_position_it_is_the_empty_board() -> None:
    assert asked.position(arguments()) == Position.start()
    assert asked.position(arguments(to_move="O")).to_move == "O"


def test_rows_may_be_parted_by_strokes_and_either_side_may_have_begun() -> None:
    assert asked.position(arguments(position="..O/XOO/..X", to_move="X")) == Position.parse("..OXOO..X", X)
    assert asked.position(arguments(position="XO.......", to_move="O")).to_move == "O"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ([("position", "")], "This board has 9 cells, and the text has 0."),
        ([("position", "XX.......")], "X and O move in turn"),
        ([("position", "X........"), ("to_move", "X")], "X has a mark more than O, so it is O's turn."),
        ([("to_move", "")], "The side to move must be X or O."),
        ([("to_move", "x")], "The side to move must be X or O."),
        ([("position", "........."), ("position", "X........")], "The address gives position 2 times."),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(fields: list[tuple[str, str]], why: str) -> None:
    with pytest.raises(BadPosition) as refusal:
        asked.position(MultiDict(fields))
    assert str(refusal.value).startswith(why)


@pytest.mark.parametrize("back", ["", "0", "4-0-8", "0-4-1-1", "1-4-0-", "9", "0-4-1-99", "x", "-1", "٣", "1" * 5000])
def test_a_way_that_does_not_lead_here_is_left_out(back: str) -> None:
    assert asked.trail(arguments(back=back), replay([4, 0, 1])) == ()


def test_a_way_may_begin_anywhere_but_not_after_the_end() -> None:
    assert asked.trail(arguments(back="4-0-1"), replay([4, 0, 1])) == (4, 0, 1)
    assert asked.trail(arguments(back="0-1"), replay([4, 0, 1])) == (0, 1)
    won_twice = Position.parse("XXXXOOXOO")
    assert asked.trail(arguments(back="0"), won_twice) == (0,)
    assert asked.trail(arguments(back="1"), won_twice) == ()  # the left column was complete before


def test_the_editor_sends_its_cells() -> None:
    form = {f"cell{cell}": letter for cell, letter in enumerate("..OXOO..X")}
    assert asked.edited(arguments(**form, to_move="X")) == {"position": "..OXOO..X", "to_move": "X"}
    assert asked.edited(arguments(**form, to_move="")) == {"position": "..OXOO..X"}
    with pytest.raises(BadPosition, match=r"X, O or \. for a free one"):
        asked.edited(arguments(**{**form, "cell3": "Z"}))


def test_the_editor_is_filled_in_as_far_as_the_address_goes() -> None:
    editor = asked.editor(arguments(position="XX./O?", to_move="Z"))
    assert "".join(letter for _, _, letter in editor.cells) == "XX.O....."
    assert editor.cells[4][:2] == ("cell4", "centre")
    assert editor.side == ""
