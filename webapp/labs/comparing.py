"""Every search run on one position, with what it counted and how long it took, as a table for the terminal.

Knows the rules; the clock is handed in."""

import textwrap
from collections.abc import Callable
from typing import NamedTuple

from webapp.tictactoe import SEARCHES, Position, Report, Search

Progress = Callable[[int, int, str], None]
HEADINGS = ("search", "nodes", "leaves", "cuts", "hits", "move", "min ms", "max ms")
WIDTH = 88


class Run(NamedTuple):
    search: Search
    report: Report
    seconds: list[float]


def compare(position: Position, runs: int, clock: Callable[[], float], progress: Progress) -> list[Run]:
    """Run each search so many times, however long that takes."""
    compared: list[Run] = []
    for search in SEARCHES.values():
        run = Run(search, Report(position, search), [])
        for number in range(runs):
            progress(len(compared) * runs + number, len(SEARCHES) * runs, search.title)
            started = clock()
            report = search.run(position)
            run.seconds.append(clock() - started)
        compared.append(run._replace(report=report))
    return compared


def as_table(position: Position, compared: list[Run]) -> str:
    rows = [HEADINGS, *(row(position, run) for run in compared)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    count = len(compared[0].seconds)
    lines = [f"{position.text}, {position.to_move} to move", "", *(written(row, widths) for row in rows), ""]
    runs = "1 run" if count == 1 else f"{count} runs"
    lines.append(f"Times: the smallest and the largest of {runs}. Moves: (row, column).")
    lines += ["", *(line for run in compared for line in explained(run.search))]
    return "\n".join(lines) + "\n"


def row(position: Position, run: Run) -> tuple[str, ...]:
    report, board = run.report, position.board
    counts = (report.nodes, report.leaves, report.cutoffs, report.table_hits)
    move = f"({board.row_of(report.cell)}, {board.column_of(report.cell)})"
    times = (f"{1000 * seconds:,.3f}" for seconds in (min(run.seconds), max(run.seconds)))
    return run.search.name, *(f"{count:,}" for count in counts), move, *times


def written(row: tuple[str, ...], widths: list[int]) -> str:
    name, *cells = (text.rjust(width) for text, width in zip(row, widths, strict=True))
    return "  ".join(["", row[0].ljust(len(name)), *cells])


def explained(search: Search) -> list[str]:
    """What it does and what it counts."""
    text = f"{search.name}: {search.description} {search.convention}"
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
