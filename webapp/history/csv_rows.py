"""Finished games as the lines of a CSV file that no spreadsheet takes for formulas. Knows no database."""

from collections.abc import Iterable, Iterator

from webapp.games.verdicts import Accuracy
from webapp.history.queries import PlayedGame
from webapp.spreadsheets import csv_lines

HEADINGS = ["game", "started", "ended", "opponent", "computer", "mark", "result", "reason", "moves", "cells", "coach",
            "decisions", "kept", "mistakes", "agent of"]  # fmt: skip


def chunks(batches: Iterable[list[PlayedGame]]) -> Iterator[str]:
    """The file in pieces: its headings, then one piece for each batch."""
    yield csv_lines([HEADINGS])
    for games in batches:
        yield csv_lines(map(_row, games))


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
        "yes" if game.coached else "no",
        *_of_accuracy(game.accuracy),
        game.opponent.agent_of or "",
    ]


def _of_accuracy(accuracy: Accuracy | None) -> list[str]:
    """Empty where nothing was judged: 0 would say that there were no mistakes."""
    return ["", "", ""] if accuracy is None else list(map(str, (*accuracy, accuracy.mistakes)))
