"""Deleting accounts and guests, in units so small that nobody who plays has to wait. Knows no Flask request.

First, in one unit, a person is marked as deleted and leaves everybody who waits for them: from then on nobody sits
against them. What may be very much, as their games against the computer, goes afterwards. Should the server be
killed in between, `purge` goes on where it stopped.
"""

import logging
from collections.abc import Collection
from datetime import timedelta
from itertools import product
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, or_, select, update

from webapp.accounts.locking import lock_users
from webapp.accounts.models import User
from webapp.accounts.personal import holdings
from webapp.clock import now
from webapp.database import UNREACHABLE, announce_change, reading, writing
from webapp.errors import Refusal
from webapp.extensions import settings

log = logging.getLogger("noughts.deletions")

AT_ONCE = 200  # guests in one unit


def delete_account(user_id: int) -> None:
    """Games between people stay for the other under "deleted player"; all else goes. The name stays taken."""
    deleted: list[int] = []
    while not deleted:
        deleted = _leave(user_id)
    _sweep(deleted)


def _leave(user_id: int) -> list[int]:
    """One unit: leave some of those who wait, and if there are no others, be deleted. Who is."""
    with writing() as connection:
        lock_users(connection, {user_id})
        others = {one for holding in holdings() for one in holding.deleted_with(connection, user_id)}
        leaving = [user_id, *sorted(others)]
        for other in leaving[1:]:
            lock_users(connection, {other})
        for one, holding in product(leaving, holdings()):  # before any game is resigned for what is refused later
            holding.check(connection, one)
        is_free = all(holding.leave(connection, one) for one in leaving for holding in holdings())
        if is_free:
            _mark_as_deleted(connection, leaving)
            announce_change(connection)  # to their pages that listen, and their agents that wait
    return leaving if is_free else []


def _mark_as_deleted(connection: Connection, user_ids: Collection[int]) -> None:
    for table in _tables():
        connection.execute(delete(table).where(table.user_id.in_(user_ids)))
    gone = {"name": None, "password_hash": None, "is_instructor": False, "deleted_at": now()}
    connection.execute(update(User).where(User.id.in_(user_ids), User.deleted_at.is_(None)).values(gone))


def _tables() -> list[type[Any]]:
    return [table for holding in holdings() for table in holding.tables]


def _sweep(user_ids: Collection[int]) -> None:
    for holding in holdings():
        holding.sweep(user_ids)


def purge_guests() -> int:
    """Delete guests who were not seen for as many days as the setting says."""
    before = now() - timedelta(days=settings().guest_days)
    is_old = (User.name_key.is_(None), User.last_seen_at < before, User.deleted_at.is_(None))
    old = select(User.id).where(*is_old).limit(AT_ONCE).with_for_update()  # none signs up in between
    guests = [0]
    while guests:
        with writing() as connection:
            guests = list(connection.scalars(old))
            _mark_as_deleted(connection, guests)
    return _delete_marked_guests()


def _delete_marked_guests() -> int:
    count = 0
    while guests := _users(User.name_key.is_(None), User.deleted_at.is_not(None), limit=AT_ONCE):
        _sweep(guests)
        with writing() as connection:
            connection.execute(delete(User).where(User.id.in_(guests)))
        count += len(guests)
    return count


def finish_deletions() -> None:
    """Of accounts whose deletion was cut off, or raced with somebody who joined them in a version before this."""
    for user_id in _users(User.name_key.is_not(None), User.deleted_at.is_not(None), _has_something_left()):
        try:
            delete_account(user_id)
        except Refusal as refusal:  # the others need not wait for this one, nor a start of the server
            log.error("The deletion of user %s is not finished: %s", user_id, refusal.sentence)
        except UNREACHABLE:  # no fault of this one's
            raise
        except Exception:
            log.exception("The deletion of user %s is not finished. It is tried again at the next purge.", user_id)


def _users(*conditions: ColumnElement[bool], limit: int | None = None) -> list[int]:
    with reading() as connection:
        return list(connection.scalars(select(User.id).where(*conditions).limit(limit)))


def _has_something_left() -> ColumnElement[bool]:
    rows = [exists().where(table.user_id == User.id) for table in _tables()]
    return or_(*rows, *(condition for holding in holdings() for condition in holding.remains))
