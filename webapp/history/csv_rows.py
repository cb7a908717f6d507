"""Finished games as the lines of a CSV file that no spreadsheet takes for formulas. Knows no database."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from webapp.history.queries import PlayedGame

HEADINGS = ["game", "started", "ended", "opponent", "computer", "mark", "result", "reason", "moves", "cells"]
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def defused(cell: str) -> str:
    """A cell that begins like a formula would be run by a spreadsheet; after an apostrophe it is text."""
    return "'" + cell if cell.startswith(FORMULA_SIGNS) else cell


def chunks(batches: Iterable[list[PlayedGame]]) -> Iterator[str]:
    """The file in pieces: its headings, then one piece for each batch."""
    yield _lines([HEADINGS])
    for games in batches:
        yield _lines(map(_row, games))


def _lines(rows: Iterable[list[str]]) -> str:
    text = StringIO()
    csv.writer(text).writerows([defused(cell) for cell in row] for row in rows)
    return text.getvalue()


def _row(game: PlayedGame) -> list[str]:
    return [
        game.public_id,
        game.created_at.isoformat(timespec="seconds"),
        game.ended_at.isoformat(timespec="seconds"),
        game.opponent.title,
        "yes" if game.opponent.level else "no",
        game.mark,
        game.result,
        game.reason,
        str(len(game.cells)),
        " ".join(map(str, game.cells)),
    ]
