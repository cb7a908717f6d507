"""Every search side by side on one position: what it counts and what it recommends. Runs none of them."""

import csv
import io
from dataclasses import dataclass
from typing import Any

from webapp.tictactoe import SEARCHES, Counts, Position, Search, walk_of


@dataclass(frozen=True)
class Row:
    search: Search
    counts: Counts
    cell: int
    cell_name: str
    row: int  # of the board, from 0, as the course documents count
    column: int
    share: float  # of the most nodes in the table, for its bar


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
            walk.counts.nodes / most,
        )
        for walk in walks
    ]


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
