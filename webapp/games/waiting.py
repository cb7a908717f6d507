"""Which games wait for somebody: their turns, challenges to them, and games of theirs that were joined. Read only.

The database tells of each game who is to move and who is called to the board (Game.to_move_id, Game.called_id), so
that the games of one user are found by an index, and no more of them are read than are told.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select

from webapp.games.models import Game

TOLD = 20  # more than these are "20+"


@dataclass(frozen=True)
class Waiting:
    """As a page tells it."""

    count: str
    words: str  # after the count
    game: str | None  # the one game, if there is only one
    classroom: str | None = None  # that waits for an answer


def games_waiting(user_id: Any) -> list[Select[str]]:
    """The public ids of the games whose turn is this user's, and of those to which they are called."""
    waits_for = (Game.to_move_id, Game.called_id)
    # Two more than are told: one of them may be the game on the page.
    return [select(Game.public_id).where(column == user_id).order_by(Game.id).limit(TOLD + 2) for column in waits_for]


def told(public_ids: Iterable[str], but: str | None = None, classroom: str | None = None) -> Waiting:
    """The game or classroom on the page itself is not told of: its page says how it stands."""
    games = [public_id for public_id in public_ids if public_id != but]
    count = str(len(games)) if len(games) <= TOLD else f"{TOLD}+"
    words = "game waits for you" if len(games) == 1 else "games wait for you"
    return Waiting(count, words, games[0] if len(games) == 1 else None, classroom if classroom != but else None)
