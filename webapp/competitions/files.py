"""The table and the crosstable of a competition as CSV. Who may see real names hands them in. Knows no database."""

from collections.abc import Mapping
from typing import NamedTuple

from webapp.competitions.tables import CompetitionView
from webapp.spreadsheets import Cell, csv_lines


class Known(NamedTuple):
    """A student as their instructor knows them."""

    real_name: str
    external_id: str


KnownBy = Mapping[int | None, Known] | None  # by user id; None for who may not see them
COLUMNS_OF_KNOWN = ("Name", "Id")


def known_columns(known: KnownBy) -> tuple[str, ...]:
    return COLUMNS_OF_KNOWN if known is not None else ()


def known_cells(known: KnownBy, user_id: int | None) -> tuple[str, ...]:
    return known.get(user_id, Known("", "")) if known is not None else ()


def as_csv(view: CompetitionView, known: KnownBy = None) -> bytes:
    """With a byte order mark, without which Excel takes names in UTF-8 for another encoding."""
    by_round = [f"Round {number}" for number in range(1, view.about.round + 1)]
    across = [row.entry.title for row in view.table.rows] if view.is_matrix else by_round
    rows: list[list[Cell]] = [["Place", "Player", *known_columns(known), *view.table.headings, *across]]
    for row in view.table.rows:
        about = [row.rank or "", row.entry.title, *known_cells(known, row.entry.user_id)]
        rows.append([*about, *map(number, row.cells), *_results(view, row.entry.id)])
    return csv_lines(rows).encode("utf-8-sig")


def _results(view: CompetitionView, entry: int) -> list[Cell]:
    if view.is_matrix:
        others = [row.entry.id for row in view.table.rows]
        return [" ".join(cell.sign for cell in view.cells.get((entry, other), [])) for other in others]
    names = {one.id: one.title for one in view.entries.values()}
    found = [view.by_round.get((entry, number)) for number in range(1, view.about.round + 1)]
    return [f"{cell.sign} {names.get(cell.opponent or 0, '')}".strip() if cell else "" for cell in found]


def number(text: str) -> Cell:
    """Halves and quarters as a spreadsheet reads them."""
    for sign, value in (("½", 0.5), ("¼", 0.25), ("¾", 0.75)):
        if text.endswith(sign):
            return float(text[:-1] or 0) + value
    return int(text) if text.isascii() and text.isdigit() else text
