"""The table and the crosstable of a competition as CSV. User names only. Knows no database."""

from webapp.competitions.tables import CompetitionView
from webapp.spreadsheets import Cell, csv_lines


def as_csv(view: CompetitionView) -> bytes:
    """With a byte order mark, without which Excel takes names in UTF-8 for another encoding."""
    by_round = [f"Round {number}" for number in range(1, view.about.round + 1)]
    across = [row.entry.title for row in view.table.rows] if view.is_matrix else by_round
    rows: list[list[Cell]] = [["Place", "Player", *view.table.headings, *across]]
    for row in view.table.rows:
        rows.append([row.rank or "", row.entry.title, *map(number, row.cells), *_results(view, row.entry.id)])
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
