"""Which games are on whose lists: defined once, for the lobby's page and for the watcher of it. Read only.

A user is given as an id, as a parameter, or as a column of the statement around: so one statement can ask for many.
"""

from typing import Any

from sqlalchemy import Select, select

from webapp.games.models import Game, Seat
from webapp.games.states import Status, Visibility

LISTED = 20
Listed = Select[int, int]  # the id and the version of each game
IS_OPEN_TO_ALL = (
    Game.status == Status.OPEN, Game.visibility == Visibility.PUBLIC, Game.challenged_id.is_(None),
    Game.classroom_id.is_(None),
)  # fmt: skip
# Or between a person and an agent; those of an agent against a reference player are looked at with them.
WAITS_FOR_SOMEBODY = Game.opened_by.is_not(None) | Game.arranged
_GAMES: Listed = select(Game.id, Game.version)


def open_to_all() -> Listed:
    """The longest waiting first."""
    return _GAMES.where(*IS_OPEN_TO_ALL).order_by(Game.id).limit(LISTED)


def unfinished_of(user: Any, limit: Any = LISTED) -> Listed:
    """Begun and not finished, the newest first."""
    is_unfinished = (Seat.user_id == user, Seat.result.is_(None), Game.status == Status.PLAYING)
    with_seat = _GAMES.join(Seat, Seat.game_id == Game.id).where(*is_unfinished)
    return with_seat.order_by(Seat.game_id.desc()).limit(limit)


def lists_of(user: Any) -> list[Listed]:
    """What concerns this user: unfinished games, the open one, those that they are called to, and their turns."""
    opened = _GAMES.where(Game.status == Status.OPEN, Game.opened_by == user).limit(1)
    waits_for = [_GAMES.where(column == user) for column in (Game.called_id, Game.to_move_id)]
    return [unfinished_of(user), opened, *(waiting.order_by(Game.id).limit(LISTED) for waiting in waits_for)]
