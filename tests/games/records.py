"""Games as they stand in the database, made without one: boards are drawn as text."""

from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from typing import Any

from webapp.clock import now
from webapp.games.game_record import GameRecord, Holder, MadeMove, Person
from webapp.games.states import Status, Visibility, WishedMark
from webapp.tictactoe import STANDARD, Mark

ANN, BOB, EVE = 1, 2, 3
EMPTY = "... ... ..."


def game(board: str = EMPTY, level: str | None = None, seen_at: datetime | None = None, **values: Any) -> GameRecord:
    """Ann has X; Bob, or the computer at a level, has O. The marks were set in reading order, by turns."""
    cells = {mark: [cell for cell, text in enumerate(board.replace(" ", "")) if text == mark] for mark in "XO"}
    order = [cell for pair in zip_longest(cells["X"], cells["O"]) for cell in pair if cell is not None]
    holders = {
        Mark.X: Holder(Mark.X, ANN, None, "ann", False, seen_at, True),
        Mark.O: Holder(Mark.O, None if level else BOB, level, None if level else "bob", False, seen_at, True),
    }
    moves = tuple(MadeMove(cell, now(), None, None) for cell in order)
    made = GameRecord(
        id=1, public_id="abcdefghijkl", board=STANDARD, status=Status.PLAYING, visibility=Visibility.PUBLIC,
        opener=None if level else Person(ANN, "ann", False), wished_mark=None, challenged=None, rematch_of=None,
        rematch=None, rematch_by=None, rematch_status=None, draw_offered_by=None, draw_offered_ply=None,
        draw_is_open=False, winner=None, reason=None, turn_began_at=now(), due_at=None, created_at=now(),
        ended_at=None, version=1 + len(moves), page_version="", holders=holders, moves=moves,
    )  # fmt: skip
    return replace(made, **values)


def open_game(**values: Any) -> GameRecord:
    """Ann's, waiting for a second player."""
    waits: dict[str, Any] = {"status": Status.OPEN, "wished_mark": WishedMark.RANDOM, "holders": {}}
    return game(**waits | values)
