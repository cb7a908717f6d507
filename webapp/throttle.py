"""Limits on how often something may be tried, exact for all workers: one statement counts and tells."""

import hashlib
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, String, case, delete, or_, select
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime, insert_or_update, reading, writing
from webapp.errors import TooMany
from webapp.extensions import Model
from webapp.measured import measured

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


def network_of(address: str | None) -> str:
    """What limits count by: an IPv4 address, or the IPv6 network that one customer gets whole."""
    try:
        found = ip_address((address or "?").partition("%")[0])
    except ValueError:  # as from a socket in the file system
        return address or "?"
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)


def count_tries(*limits: Limit) -> None:
    """Count one try for each limit, in one unit; if one of them is passed, it is refused and counts all the same."""
    moment = now()
    with writing() as connection:
        counted = [connection.execute(_add_one(limit.key, moment)).one() for limit in limits]
    for limit, (count, ends_at) in zip(limits, counted, strict=True):
        _refuse_beyond(limit, count, ends_at - moment)


def count_within(connection: Connection, limit: Limit) -> None:
    """Count within a unit that writes: what is rolled back, as by the refusal itself, does not count."""
    moment = now()
    count, ends_at = connection.execute(_add_one(limit.key, moment)).one()
    _refuse_beyond(limit, count, ends_at - moment)


def check_count(limit: Limit) -> None:
    """Refuse one more before it costs anything, and count nothing."""
    moment = now()
    present = select(Throttle.count, Throttle.ends_at).where(Throttle.key == _hidden(limit.key), ~_is_over(moment))
    with reading() as connection:
        count, ends_at = connection.execute(present).one_or_none() or (0, moment + WINDOW)
    _refuse_beyond(limit, count + 1, ends_at - moment)


def _add_one(key: str, moment: datetime) -> Any:
    new = insert_or_update(Throttle).values(key=_hidden(key), count=1, ends_at=moment + WINDOW)
    is_over = _is_over(moment)
    return new.on_conflict_do_update(
        index_elements=[Throttle.key],
        set_={
            "count": case((is_over, 1), else_=Throttle.count + 1),
            "ends_at": case((is_over, new.excluded.ends_at), else_=Throttle.ends_at),
        },
    ).returning(Throttle.count, Throttle.ends_at)


def _refuse_beyond(limit: Limit, count: int, time_left: timedelta) -> None:
    if count > limit.most:
        measured().limit_hit()
        seconds = max(1, int(time_left.total_seconds()))
        raise TooMany(f"{limit.sentence} Try again in {_minutes(seconds)}.", seconds)


def _is_over(moment: datetime) -> ColumnElement[bool]:
    """An end further ahead than a window can reach was set by a clock that was wrong."""
    return or_(Throttle.ends_at <= moment, Throttle.ends_at > moment + WINDOW + SLACK)


def _hidden(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _minutes(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def forget_tries(connection: Connection, *keys: str) -> None:
    """Start the counts under these keys afresh: the tries ended well, or what was guessed is no more."""
    connection.execute(delete(Throttle).where(Throttle.key.in_([_hidden(key) for key in keys])))


def purge_tries() -> int:
    with writing() as connection:
        return connection.execute(delete(Throttle).where(_is_over(now()))).rowcount
