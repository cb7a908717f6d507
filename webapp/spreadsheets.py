"""Rows as CSV that no spreadsheet takes for formulas. Standard library only."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # Excel in Japanese reads the wide ones too
# Where a comma parts the digits, as in Germany and France, a spreadsheet takes each of these for the end of a cell.
_WITHIN = re.compile(rf'([;\r\n]["\s]*)(?=[{re.escape("".join(FORMULA_SIGNS))}])')
Cell = str | int | float | None


def defused(cell: Cell) -> Cell:
    """Text that begins like a formula would be run by a spreadsheet; after an apostrophe it is text."""
    if not isinstance(cell, str):
        return cell
    text = _WITHIN.sub(r"\1'", cell)
    return "'" + text if text.startswith(FORMULA_SIGNS) else text


def csv_lines(rows: Iterable[Sequence[Cell]]) -> str:
    text = StringIO()
    csv.writer(text).writerows([defused(cell) for cell in row] for row in rows)
    return text.getvalue()
