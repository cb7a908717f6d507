"""The table of a competition among people. Knows no database."""

from webapp.competitions.records import WholeCompetition
from webapp.competitions.standings import standings
from webapp.competitions.states import Format
from webapp.competitions.table_rows import Table, TableRow, points, quarters

POINTS = "A win is 1 point, a draw half a point. Who does not come in time loses the game; if neither comes, both do."
BUCHHOLZ = "Equal on points: the sum of the opponents' points decides (Buchholz)."
BYE = "Who has no opponent in a round (a bye) gets 1 point, as against an opponent with as many points as they have."
SONNEBORN = (
    "Equal on points: the points of those they beat, and half the points of those they drew with, decide "
    "(Sonneborn-Berger)."
)
LEVEL = "Still equal: their games against each other decide, if they all met. Otherwise they share the place."


def people_table(competition: WholeCompetition) -> Table:
    about = competition.about
    entries = {entry.id: entry for entry in competition.entries if entry.is_active or entry.number is not None}
    is_swiss = about.format is Format.SWISS
    order = standings(entries, competition.played, about.format)
    has_byes = any(one.byes for one in order)
    rows = []
    for one in order:
        entry, rank = entries[one.entry], one.rank if about.started_at else None
        counts = (one.won, one.drawn, one.lost, *([one.byes] if has_byes else []))
        cells = (points(one.points), *map(str, counts), quarters(one.tie_break))
        rows.append(TableRow(entry, rank, entry.user_id == about.viewer.id, cells))
    counted = ("Won", "Drawn", "Lost", *(["Byes"] if has_byes else []))
    headings = ("Points", *counted, "Buchholz" if is_swiss else "Sonneborn-Berger")
    return Table(headings, rows, (POINTS, BYE, BUCHHOLZ, LEVEL) if is_swiss else (POINTS, SONNEBORN, LEVEL))
