"""The table and the crosstable of a competition of agents as CSV. Knows no database."""

from webapp.competitions.agent_view import AgentsView, Row
from webapp.competitions.files import KnownBy, known_cells, known_columns, number
from webapp.spreadsheets import Cell, csv_lines

COLUMNS = ("Points", "Games", "Points off weak levels", "Games against weak levels", "Strength", "Faults",
           "Seconds", "Nodes")  # fmt: skip


def agents_csv(view: AgentsView, known: KnownBy = None) -> bytes:
    """With a byte order mark, without which Excel takes names in UTF-8 for another encoding."""
    told = (*known_columns(known), *COLUMNS)
    head: list[Cell] = ["Place", "Agent", "Owner", "Version", *told, *(row.entry.title for row in view.rows)]
    rows = [[*_about(row, known), *_against(view, row)] for row in view.rows]
    return csv_lines([head, *rows]).encode("utf-8-sig")


def _about(row: Row, known: KnownBy) -> list[Cell]:
    line, entry = row.line, row.entry
    told: list[Cell] = [line.rank or "", entry.title, entry.agent_of or "", entry.program_version]
    told += known_cells(known, entry.owner_id)
    if entry.reference:  # its games are the other side's
        told += [(line.halves + line.weak_halves) / 2, line.games, "", ""]
    else:
        told += [line.halves / 2, line.games, line.weak_halves / 2, line.weak_games]
    strength: Cell = "" if line.strength is None else line.strength
    nodes: Cell = "" if line.nodes is None or entry.reference else line.nodes
    return [*told, strength, line.faults, "" if entry.reference else line.tenths / 10, nodes]


def _against(view: AgentsView, row: Row) -> list[Cell]:
    cells = [view.cells.get((row.entry.id, other.entry.id)) for other in view.rows]
    return [number(cell.points) if cell else "" for cell in cells]
