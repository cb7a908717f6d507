"""Who wants to know that a game has ended. Games know none of them: a higher package hands its function to create_app.

Each is called within the unit that ends the game: what it writes stands if the result stands.
"""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from flask import current_app
from sqlalchemy import Connection

from webapp.games.states import Result

ENDINGS = "noughts_endings"


class EndedSeat(NamedTuple):
    """Of a user; who has deleted the account has none."""

    user_id: int
    opponent_id: int | None
    opponent_level: str | None
    result: Result
    decisions: int
    kept: int
    moves: int


class EndedGame(NamedTuple):
    """A finished game; one that was cancelled counts nowhere, and nobody hears of it."""

    id: int
    ended_at: datetime
    coached: bool
    seats: tuple[EndedSeat, ...]


Ending = Callable[[Connection, EndedGame], None]


def announce_end(connection: Connection, game: EndedGame) -> None:
    endings: list[Ending] = current_app.extensions.get(ENDINGS, [])
    for ending in endings:
        ending(connection, game)
