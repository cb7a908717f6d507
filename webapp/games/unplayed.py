"""Games that nobody joined and that were cancelled or declined are deleted after a while: they stand in no history and
count nowhere, but each post that opens one leaves a row. Knows no Flask request.
"""

from collections.abc import Iterator
from datetime import timedelta

from sqlalchemy import delete, select

from webapp.clock import now
from webapp.database import reading, writing
from webapp.games.models import Game
from webapp.games.states import Status

KEPT_FOR = timedelta(days=7)  # whoever asked may read for so long how it ended
AT_ONCE = 200  # games in one unit


def purge_unplayed() -> int:
    """How many. They are searched for without the lock; none of them changes any more."""
    count = 0
    for some in _unplayed():
        with writing() as connection:
            count += connection.execute(delete(Game).where(Game.id.in_(some))).rowcount
    return count


def _unplayed() -> Iterator[list[int]]:
    """In the order of their ids, so that all games are looked through once and not once for each unit."""
    is_old = (Game.status.in_((Status.WITHDRAWN, Status.DECLINED)), Game.ended_at < now() - KEPT_FOR)
    some = [0]
    while some:
        next_ones = select(Game.id).where(*is_old, Game.id > some[-1]).order_by(Game.id).limit(AT_ONCE)
        with reading() as connection:
            some = list(connection.scalars(next_ones))
        if some:
            yield some
