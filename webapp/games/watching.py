"""Which games there are to watch: public ones in which somebody is here, or was a moment ago. Read only."""

from datetime import timedelta
from typing import Any

from sqlalchemy import Select, exists, or_, select

from webapp.accounts.models import Presence
from webapp.games.models import Game, Seat
from webapp.games.states import Status, Visibility

MOVED_WITHIN = timedelta(minutes=5)
LOOKED_AT = 100  # of those that moved last: however many games were left, no more than this are looked through


def watchable(moved_since: Any, here_since: Any, listed: Any) -> Select[tuple[int, int]]:
    """The id and the version of each, the one that moved last first. Values or parameters of a statement."""
    last_moved = (
        select(Game.id, Game.version, Game.turn_began_at)
        .where(Game.status == Status.PLAYING, Game.visibility == Visibility.PUBLIC)
        .where(Game.opening_plies == 0)  # those of programs in a competition are many, and shown there
        .order_by(Game.turn_began_at.desc())
        .limit(LOOKED_AT)
        .subquery()
    )
    is_player = (Seat.game_id == last_moved.c.id, Presence.user_id == Seat.user_id)
    has_somebody = exists().where(*is_player, Presence.seen_at > here_since)
    return (
        select(last_moved.c.id, last_moved.c.version)
        .where(or_(last_moved.c.turn_began_at > moved_since, has_somebody))
        .order_by(last_moved.c.turn_began_at.desc())
        .limit(listed)
    )
