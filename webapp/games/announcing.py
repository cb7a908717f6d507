"""Who wants to know that a game has ended, or of each move in one that was arranged. Games know none of them: a higher
package hands its function to create_app.

Each is called within the unit that writes the move or the end: what it writes stands if that stands.
"""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from flask import current_app
from sqlalchemy import Connection

from webapp.games.game_record import GameRecord
from webapp.games.move_rows import MoveRow
from webapp.games.states import EndReason, Result
from webapp.tictactoe import Mark

AFTER_END, AFTER_ARRANGED = "noughts_after_end", "noughts_after_arranged"
MOVES = "noughts_moves_of_arranged"


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
    """A finished game. One that was cancelled counts nowhere, and nobody hears of it; but of an arranged one that
    nobody began in time, who arranged it does.
    """

    id: int
    ended_at: datetime
    coached: bool
    seats: tuple[EndedSeat, ...]
    arranged: bool = False
    is_finished: bool = True
    reason: EndReason | None = None
    winner: Mark | None = None
    moves_made: int = 0  # by the players
    cause: str | None = None  # in words, where a program did not lose on the board


AfterEnd = Callable[[Connection, EndedGame], None]


def announce_move(connection: Connection, game: GameRecord, move: MoveRow) -> None:
    """A player's move in an arranged game, as it stood before."""
    for follow in current_app.extensions.get(MOVES, []):
        follow(connection, game, move)


def announce_end(connection: Connection, game: EndedGame) -> None:
    after: list[AfterEnd] = current_app.extensions.get(AFTER_END, [])
    for follow in after:
        follow(connection, game)


def after_arranged_game(game_id: int) -> None:
    """When the unit that ended an arranged game is over: for what is slow, and may be done by the next who looks."""
    for follow in current_app.extensions.get(AFTER_ARRANGED, []):
        follow(game_id)
