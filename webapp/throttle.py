"""Limits on how often something may be tried, exact for all workers: one statement counts and tells."""

import hashlib
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, Executable, Insert, String, bindparam, case, delete, or_, select
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime, insert_or_update, reading, writing
from webapp.errors import TooMany
from webapp.extensions import Model
from webapp.measured import measured
from webapp.prepared import Prepared

WINDOW = timedelta(minutes=15)
SLACK = timedelta(minutes=1)  # between the clocks of two machines, or for who looked at the clock and then had to wait


class Limit(NamedTuple):
    """Of what is counted under `key`, so many are let through in a quarter of an hour."""

    key: str
    most: int
    sentence: str


class Throttle(Model):
    """What was tried is kept as a hash only: people type their password where their name belongs."""

    __tablename__ = "throttle"

    key: Mapped[str] = mapped_column(String(120), primary_key=True)
    count: Mapped[int]
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


_IS_OVER = or_(
    Throttle.ends_at <= bindparam("moment"),
    Throttle.ends_at > bindparam("latest"),  # further ahead than a window can reach: set by a clock that was wrong
)
_COUNT = Prepared(select(Throttle.count, Throttle.ends_at).where(Throttle.key == bindparam("hidden"), ~_IS_OVER))
_FORGET = Prepared(delete(Throttle).where(Throttle.key == bindparam("hidden")))
_PURGE = Prepared(delete(Throttle).where(_IS_OVER))


def _adding_one() -> Executable:
    new = insert_or_update(Throttle).values(key=bindparam("hidden"), count=1, ends_at=bindparam("end"))
    changed = {
        "count": case((_IS_OVER, 1), else_=Throttle.count + 1),
        "ends_at": case((_IS_OVER, new.excluded.ends_at), else_=Throttle.ends_at),
    }
    updating: Insert = new.on_conflict_do_update(index_elements=[Throttle.key], set_=changed)
    return updating.returning(Throttle.count, Throttle.ends_at)


_ADD_ONE = Prepared(_adding_one)


def count_tries(*limits: Limit) -> None:
    """Count one try for each limit, in one unit; the first that is passed refuses it, and those after it count nothing.

    With the narrow one first, who is past it does not use up the wide one. With the wide one first, who is past it adds
    no row to the table, whatever names are tried: so at log-in.

    Who is past one already is refused by a look, without the write lock that others wait for.
    """
    for limit in limits:
        check_count(limit)
    moment = now()
    with writing() as connection:
        for limit in limits:
            count, ends_at = _add_one(connection, limit, moment)
            if count > limit.most:
                break
    _refuse_beyond(limit, count, ends_at - moment)


def count_within(connection: Connection, limit: Limit) -> None:
    """Count within a unit that writes: what is rolled back, as by the refusal itself, does not count."""
    moment = now()
    count, ends_at = _add_one(connection, limit, moment)
    _refuse_beyond(limit, count, ends_at - moment)


def check_count(limit: Limit) -> None:
    """Refuse one more before it costs anything, and count nothing."""
    moment = now()
    with reading() as connection:
        rows = _COUNT.rows(connection, hidden=_hidden(limit.key), **_times(moment))
    count, ends_at = rows[0] if rows else (0, moment + WINDOW)
    _refuse_beyond(limit, count + 1, ends_at - moment)


def _add_one(connection: Connection, limit: Limit, moment: datetime) -> tuple[int, datetime]:
    """How many there are now, and when they are forgotten."""
    (row,) = _ADD_ONE.rows(connection, hidden=_hidden(limit.key), end=moment + WINDOW, **_times(moment))
    return row.count, row.ends_at


def _times(moment: datetime) -> dict[str, datetime]:
    return {"moment": moment, "latest": moment + WINDOW + SLACK}


def _refuse_beyond(limit: Limit, count: int, time_left: timedelta) -> None:
    if count > limit.most:
        measured().limit_hit()
        seconds = max(1, int(time_left.total_seconds()))
        raise TooMany(f"{limit.sentence} Try again in {_minutes(seconds)}.", seconds)


def _hidden(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _minutes(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def forget_tries(connection: Connection, *keys: str) -> None:
    """Start the counts under these keys afresh: the tries ended well, or what was guessed is no more."""
    _FORGET.run_all(connection, [{"hidden": _hidden(key)} for key in keys])


def purge_tries() -> int:
    with writing() as connection:
        return _PURGE.run(connection, **_times(now()))
