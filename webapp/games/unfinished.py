"""How many unfinished games one person may have: enough for anybody who plays, too few to make pages slow."""

from enum import Enum

from sqlalchemy import Connection, bindparam, func, select

from webapp.extensions import settings
from webapp.games.models import Game, Seat
from webapp.games.refusals import TooManyUnfinished
from webapp.games.states import Status
from webapp.prepared import Prepared

_MINE = (
    select(func.count().label("games"))
    .select_from(Seat)
    .join(Game, Game.id == Seat.game_id)
    .where(Seat.user_id == bindparam("user_id"), Seat.result.is_(None), Game.status == Status.PLAYING)
    .where(Game.arranged.is_(False))  # those are begun by the server, and bounded by the competition
)


class Against(Enum):
    COMPUTER = "against the computer"
    PEOPLE = "with other people"


_COUNT = {
    Against.COMPUTER: Prepared(_MINE.where(Game.opened_by.is_(None))),
    Against.PEOPLE: Prepared(_MINE.where(Game.opened_by.is_not(None))),
}


def check_unfinished(connection: Connection, user_id: int, against: Against) -> None:
    """Within a unit that has locked the user: so the limit is exact, however many begin at once."""
    [row] = _COUNT[against].rows(connection, user_id=user_id)
    if row.games >= settings().unfinished_games:
        raise TooManyUnfinished(row.games, against.value)
