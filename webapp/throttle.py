"""Limits on how often something may be tried, exact for all workers: one statement counts and tells."""

import hashlib
from datetime import datetime, timedelta

from sqlalchemy import String, case, delete
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime, insert_or_update, single_statements
from webapp.errors import TooMany
from webapp.extensions import Model

WINDOW = timedelta(minutes=15)


class Throttle(Model):
    """What was tried is kept as a hash only: people type their password where their name belongs."""

    __tablename__ = "throttle"

    key: Mapped[str] = mapped_column(String(120), primary_key=True)
    count: Mapped[int]
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


def count_try(key: str, limit: int, sentence: str) -> None:
    """Count one try under `key`; beyond `limit` in a quarter of an hour it is refused with the sentence."""
    moment = now()
    new = insert_or_update(Throttle).values(key=_hidden(key), count=1, ends_at=moment + WINDOW)
    is_over = Throttle.ends_at <= moment
    statement = new.on_conflict_do_update(
        index_elements=[Throttle.key],
        set_={
            "count": case((is_over, 1), else_=Throttle.count + 1),
            "ends_at": case((is_over, new.excluded.ends_at), else_=Throttle.ends_at),
        },
    ).returning(Throttle.count, Throttle.ends_at)
    with single_statements() as connection:
        count, ends_at = connection.execute(statement).one()
    if count > limit:
        seconds = max(1, int((ends_at - moment).total_seconds()))
        raise TooMany(f"{sentence} Try again in {_minutes(seconds)}.", seconds)


def _hidden(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _minutes(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def forget_tries(key: str) -> None:
    """Start the count under `key` afresh: the tries ended well."""
    with single_statements() as connection:
        connection.execute(delete(Throttle).where(Throttle.key == _hidden(key)))


def purge_tries() -> int:
    with single_statements() as connection:
        return connection.execute(delete(Throttle).where(Throttle.ends_at <= now())).rowcount
