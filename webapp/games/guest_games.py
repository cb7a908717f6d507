"""The games of a guest: how many there are, and how they become an account's. Knows no Flask request.

A guest plays the computer only, so nobody else's totals speak of them.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select, update

from webapp.accounts.locking import lock_users
from webapp.accounts.models import User
from webapp.accounts.personal import holdings
from webapp.database import announce_change, reading, writing
from webapp.games import tallies
from webapp.games.models import Game, Mistake, Seat, Tally
from webapp.games.states import Status


@dataclass(frozen=True)
class GuestGames:
    finished: int
    unfinished: int
    others: tuple[str, ...] = ()  # what else there is, in words

    @property
    def word(self) -> str:
        return "games" if self.finished or self.unfinished else "answers"

    @property
    def is_anything(self) -> bool:
        return bool(self.finished or self.unfinished or self.others)


def games_of_guest(guest_id: int) -> GuestGames:
    finished = func.coalesce(func.sum(Tally.won + Tally.lost + Tally.drawn), 0)
    going_on = (Seat.user_id == guest_id, Seat.result.is_(None), Game.status == Status.PLAYING)
    with reading() as connection:
        others = (holding.of_guest(connection, guest_id) for holding in holdings())
        return GuestGames(
            connection.scalar(select(finished).where(Tally.user_id == guest_id)) or 0,
            connection.scalar(select(func.count()).select_from(Seat).join(Game).where(*going_on)) or 0,
            tuple(filter(None, others)),
        )


def take_guest_games(user_id: int, guest_id: int) -> None:
    """Seats, the copies of who held the other mark, mistakes and totals, all in one unit; nothing is left of the guest.

    Nothing happens if it was done already, or if the guest signed up in the meantime.
    """
    with writing() as connection:
        if lock_users(connection, {user_id, guest_id}) != {user_id, guest_id} or not _is_guest(connection, guest_id):
            return
        theirs = select(Seat.game_id).where(Seat.user_id == guest_id)
        # A move of the guest that is under way was decided on the version from before, and is refused.
        going_on = (Game.id.in_(theirs), Game.status == Status.PLAYING)
        connection.execute(update(Game).where(*going_on).values(version=Game.version + 1))
        copies = (Seat.game_id.in_(theirs), Seat.opponent_id == guest_id)
        connection.execute(update(Seat).where(*copies).values(opponent_id=user_id))
        for table in (Seat, Mistake):
            connection.execute(update(table).where(table.user_id == guest_id).values(user_id=user_id))
        tallies.add_to(connection, user_id, guest_id)
        for holding in holdings():
            holding.hand_over(connection, guest_id, user_id)
        connection.execute(delete(User).where(User.id == guest_id))
        announce_change(connection)


def _is_guest(connection: Connection, user_id: int) -> bool:
    return connection.scalar(select(User.id).where(User.id == user_id, User.name_key.is_(None))) is not None
