"""Rows as CSV that no spreadsheet takes for formulas. Standard library only."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # Excel in Japanese reads the wide ones too
Cell = str | int | float | None


def defused(cell: Cell) -> Cell:
    """Text that begins like a formula would be run by a spreadsheet; after an apostrophe it is text."""
    return "'" + cell if isinstance(cell, str) and cell.startswith(FORMULA_SIGNS) else cell


def csv_lines(rows: Iterable[Sequence[Cell]]) -> str:
    text = StringIO()
    csv.writer(text).writerows([defused(cell) for cell in row] for row in rows)
    return text.getvalue()
