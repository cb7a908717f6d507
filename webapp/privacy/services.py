"""Deleting accounts and guests. Knows no Flask request."""

from datetime import timedelta

from flask import current_app
from sqlalchemy import delete, func, select, update

from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.clock import now
from webapp.database import begin_writing
from webapp.extensions import db
from webapp.games.models import Game, Seat, Tally

AT_ONCE = 200


def delete_account(user_id: int) -> None:
    """Games between people stay for the other under "deleted player"; all else goes. The name stays taken."""
    begin_writing()
    _delete_computer_games([user_id])
    for table in (UserSession, KnownBrowser, Tally):
        db.session.execute(delete(table).where(table.user_id == user_id))
    gone = {"name": None, "password_hash": None, "deleted_at": now()}
    db.session.execute(update(User).where(User.id == user_id).values(gone))
    db.session.commit()


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
    before = now() - timedelta(days=current_app.config["NOUGHTS_GUEST_DAYS"])
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
