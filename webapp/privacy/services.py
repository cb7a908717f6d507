"""Deleting accounts and guests. Knows no Flask request."""

from contextlib import suppress
from datetime import timedelta

from sqlalchemy import delete, func, select, update

from webapp.accounts.models import KnownBrowser, Presence, User, UserSession
from webapp.clock import now
from webapp.database import begin_writing
from webapp.errors import Refusal
from webapp.extensions import db, settings
from webapp.games import agreements, meeting
from webapp.games.models import OPEN, PLAYING, Game, Seat, Tally
from webapp.games.queries import games_where
from webapp.games.services import resign

AT_ONCE = 200


def delete_account(user_id: int) -> None:
    """Games between people stay for the other under "deleted player"; all else goes. The name stays taken."""
    _leave_games(user_id)
    begin_writing()
    _delete_computer_games([user_id])
    for table in (UserSession, KnownBrowser, Presence, Tally):
        db.session.execute(delete(table).where(table.user_id == user_id))
    gone = {"name": None, "password_hash": None, "deleted_at": now()}
    db.session.execute(update(User).where(User.id == user_id).values(gone))
    db.session.commit()


def _leave_games(user_id: int) -> None:
    """Nobody is left waiting for a person who is gone."""
    seats = select(Seat.game_id).where(Seat.user_id == user_id, Seat.result.is_(None))
    playing = (Game.status == PLAYING) & Game.opened_by.is_not(None) & Game.id.in_(seats)
    waiting = (Game.status == OPEN) & ((Game.opened_by == user_id) | (Game.challenged_id == user_id))
    for game in games_where(playing | waiting):
        with suppress(Refusal):  # the other was quicker, so that it is over or no longer ours
            if game.status == PLAYING:
                (agreements.abort if agreements.can_abort(game) else resign)(user_id, game.public_id)
            elif game.opener and game.opener.id == user_id:
                meeting.withdraw(user_id, game.public_id)
            else:
                meeting.decline(user_id, game.public_id, "other")


def _delete_computer_games(user_ids: list[int]) -> None:
    """Games without another human in them; their moves and seats go with them."""
    mine = select(Seat.game_id).where(Seat.user_id.in_(user_ids))
    alone = (
        select(Seat.game_id)
        .where(Seat.game_id.in_(mine), Seat.user_id.is_not(None))
        .group_by(Seat.game_id)
        .having(func.count() == 1)
    )
    db.session.execute(delete(Game).where(Game.id.in_(alone)))


def purge_guests() -> int:
    """Delete guests who were not seen for a week, in small units so that nobody who plays has to wait."""
    before = now() - timedelta(days=settings().guest_days)
    is_old = (User.name_key.is_(None), User.last_seen_at < before)
    old = select(User.id).where(*is_old).limit(AT_ONCE).with_for_update()  # none signs up in between
    count = 0
    while True:
        begin_writing()
        guests = list(db.session.scalars(old))
        if guests:
            _delete_computer_games(guests)
            db.session.execute(delete(User).where(User.id.in_(guests)))
        db.session.commit()
        count += len(guests)
        if len(guests) < AT_ONCE:
            return count
