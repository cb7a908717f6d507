"""Every search side by side on one position: what it counts and what it recommends. Runs none of them."""

import csv
import io
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from webapp.tictactoe import SEARCHES, Counts, Position, Search, walk_of


@dataclass(frozen=True)
class Row:
    search: Search
    counts: Counts
    cell: int
    cell_name: str
    row: int  # of the board, from 0, as the course documents count
    column: int
    percent: str  # of the most nodes in the table, for its bar

    @property
    def figures(self) -> list[str]:
        return [f"{count:,}" for count in self.counts]


def compared(position: Position) -> list[Row]:
    """Empty once the game is over: there is nothing to search."""
    if position.is_over:
        return []
    walks = [walk_of(search, position) for search in SEARCHES.values()]
    board, most = position.board, max(walk.counts.nodes for walk in walks)
    return [
        Row(
            walk.search,
            walk.counts,
            walk.cell,
            board.cell_name(walk.cell),
            board.row_of(walk.cell),
            board.column_of(walk.cell),
            f"{100 * walk.counts.nodes / most:.2f}",
        )
        for walk in walks
    ]


@cache
def conventions() -> Markup:
    """What each search does and counts, as a list; the same on every page."""
    item = Markup("<div><dt>{}</dt><dd>{} {}</dd></div>")
    items = [item.format(search.title, search.description, search.convention) for search in SEARCHES.values()]
    return Markup("<dl>{}</dl>").format(Markup("\n").join(items))


COLUMNS = ("position", "to_move", "name", "title", "nodes", "leaves", "cutoffs", "table_hits",
           "cell", "row", "column", "convention")  # fmt: skip


def as_csv(position: Position) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in compared(position):
        search = row.search
        place = (row.cell, row.row, row.column)
        writer.writerow(
            [position.text, position.to_move, search.name, search.title, *row.counts, *place, search.convention]
        )
    return file.getvalue()


def as_json(position: Position) -> list[dict[str, Any]]:
    return [
        {
            "name": row.search.name,
            "nodes": row.counts.nodes,
            "leaves": row.counts.leaves,
            "cutoffs": row.counts.cutoffs,
            "cell": row.cell,
        }
        for row in compared(position)
    ]
