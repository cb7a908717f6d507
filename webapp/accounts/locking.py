"""Whoever is about to get a seat or a result is kept from being deleted until that is written. Knows no request."""

from collections.abc import Collection

from sqlalchemy import Connection, bindparam, select

from webapp.accounts.models import User
from webapp.prepared import Prepared

# Locked in one order everywhere, and before any game: so nobody waits crosswise. NO KEY UPDATE shuts out others who
# lock, and lets through those who only refer to the user by a foreign key.
_LOCK = Prepared(
    select(User.id)
    .where(User.id.in_([bindparam("one"), bindparam("other")]), User.deleted_at.is_(None))
    .order_by(User.id)
    .with_for_update(key_share=True)
)


def lock_users(connection: Connection, user_ids: Collection[int]) -> set[int]:
    """Those of these one or two users who are not deleted: they stay so until the unit ends.

    SQLite knows no locks on rows: there a unit that writes is alone.
    """
    if not user_ids:
        return set()
    one, other = min(user_ids), max(user_ids)
    return {row.id for row in _LOCK.rows(connection, one=one, other=other)}


def lock_all(connection: Connection, user_ids: Collection[int]) -> set[int]:
    """The same for any number, in the same order."""
    users = select(User.id).where(User.id.in_(user_ids), User.deleted_at.is_(None)).order_by(User.id)
    return set(connection.scalars(users.with_for_update(key_share=True)))
