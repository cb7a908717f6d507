"""The time of day, asked for in one place so that tests can set it. Standard library only."""

from collections.abc import Callable
from datetime import UTC, datetime


def _real() -> datetime:
    return datetime.now(UTC)


_source: Callable[[], datetime] = _real


def now() -> datetime:
    return _source()


def set_source(source: Callable[[], datetime] | None) -> None:
    """For tests: tell the time by `source`, or again by the machine with None."""
    global _source
    _source = source or _real
