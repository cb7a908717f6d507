"""Boards on a screen, drawn in the many ways that students draw them."""

from textwrap import dedent

from webapp.labs.checker.screens import is_ruled, read_boards

DRAWN = {
    "bars": ("X | O |  \n-----\n  |   |  \n-----\n  |   | X", "XO......X"),
    "a bar at the end": ("X| O| .| \n.| .| .| \n.| .| X| ", "XO......X"),
    "a bar at the end, blank cells": ("X|O| |\n | | |\n | |X|", "XO......X"),
    "a bar at the start": ("|X|O| \n| | | \n| | |X", "XO......X"),
    "numbers": ("  0 1 2\n0 X O .\n1 . . .\n2 . . X", "XO......X"),
    "numbers and bars": ("    0   1   2\n0   X | O |  \n   ---+---+---\n1     |   |  \n   ---+---+---\n2     |   | X",
                         "XO......X"),
    "numbers and a frame": ("  0 1 2\n0 |X|O| |\n1 | | | |\n2 | | |X|", "XO......X"),
    "numbers before bars": ("0|X|O|.\n1|.|.|.\n2|.|.|X", "XO......X"),
    "a drawn frame": ("┌───┬───┬───┐\n│ X │ O │   │\n├───┼───┼───┤\n│   │   │   │\n├───┼───┼───┤\n│   │   │ X │\n"
                      "└───┴───┴───┘", "XO......X"),
    "dashes for free cells": ("X - O\n- - -\n- - X", "X.O.....X"),
    "dashes between bars": ("X|-|O\n-|-|-\n-|-|X", "X.O.....X"),
    "dashes between the rows": ("X| |O\n-|-|-\n | | \n-|-|-\n | |X", "X.O.....X"),
    "underscores for free cells": ("X _ O\n_ _ _\n_ _ X", "X.O.....X"),
    "lines of underscores": (" X |   | O\n_____________\n   |   |  \n_____________\n   |   | X", "X.O.....X"),
    "underscores under the cells": (" X |   | O\n___|___|___\n   |   |  \n___|___|___\n   |   | X", "X.O.....X"),
    "underscores around the marks": ("_X_|___|_O_\n___|___|___\n   |   | X ", "X.O.....X"),
    "lists": ("['X', ' ', 'O']\n[' ', ' ', ' ']\n[' ', ' ', 'X']", "X.O.....X"),
    "nothing between the cells": ("X.O\n...\n..X", "X.O.....X"),
    "numbers in free cells": ("1|X|3\n4|5|6\nO|8|9", ".X....O.."),
    "colours": ("\x1b[31mX\x1b[0m|O| \n | | \n | | ", "XO......."),
    "three dots before it": ("...\nX|O| \n | | \n | | \n", "XO......."),
    "an empty board of dashes": ("- - -\n- - -\n- - -", "........."),
    "a full row above dashes": ("X|O|X\n-|-|-\n-|-|-", "XOX......"),
}  # fmt: skip


def test_the_cells_are_read_wherever_a_person_sees_them() -> None:
    assert {name: read_boards(screen) for name, (screen, _) in DRAWN.items()} == {
        name: [cells] for name, (_, cells) in DRAWN.items()
    }


def test_boards_come_in_the_order_they_were_printed_and_numbers_of_cells_are_none() -> None:
    numbered = "  0 1 2\n0 {} O .\n1 . . .\n2 . . X\n"
    assert read_boards(numbered.format("X") + "\n" + numbered.format(".")) == ["XO......X", ".O......X"]
    assert read_boards("1|2|3\n4|5|6\n7|8|9\n\nX|O| \n | | \n | | \n") == ["XO......."]


def test_words_are_no_cells_and_part_a_board_in_two() -> None:
    screen = dedent("""\
        O wins
        X O .
        . . .
        Your move, X:
        . . X
        """)
    assert read_boards(screen) == []


def test_bars_and_lines_are_seen() -> None:
    ruled = [name for name, (screen, _) in DRAWN.items() if is_ruled(screen)]
    assert ruled == [
        "bars", "numbers and bars", "a drawn frame", "dashes between the rows", "lines of underscores",
        "underscores under the cells", "underscores around the marks",
    ]  # fmt: skip
