"""Rows as CSV: what a spreadsheet would run is made text, and nothing else is changed."""

import re

import pytest

from webapp.spreadsheets import FORMULA_SIGNS, csv_lines, defused


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "＝", "＠"])
def test_a_cell_that_begins_like_a_formula_is_made_text(sign: str) -> None:
    assert defused(f"{sign}1+1") == f"'{sign}1+1"
    assert defused(f"1{sign}1") == f"1{sign}1"


def test_no_formula_begins_where_a_spreadsheet_parts_cells_by_semicolons() -> None:
    """As where a comma parts the digits: quotation marks in the middle of a line count for nothing there."""
    for name in ("Zoe;=1+1;x", 'Zoe; "=1+1"', "Zoe;;+1", "Zoe,\n@1", "Zoe;＝1"):
        cells = [cell.lstrip(' "') for cell in re.split("[;\r\n]", csv_lines([["1", name, "player7"]]))]
        assert not [cell for cell in cells if cell.startswith(FORMULA_SIGNS)], name
    for name in ("Zoe; Anna", "1; 2\n3", "a=b; c+d"):
        assert defused(name) == name


def test_numbers_and_gaps_stay_what_they_are_and_what_parts_cells_is_quoted() -> None:
    assert csv_lines([[-1, 0.5, None, "a,b", 'say "so"']]) == '-1,0.5,,"a,b","say ""so"""\r\n'
