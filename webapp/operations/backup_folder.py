"""The folder of the backups that the site makes by itself: how they are named, and which are kept. Standard library."""

import re
import time
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TypeVar

DAILY, WEEKLY, FAULTY = 7, 4, 2
NAME = re.compile(r"daily-(\d{8})-\d{6}\.(?:db|dump)\Z")
DRAFT_SECONDS = 2 * 86400.0
Key = TypeVar("Key")


def name_of(moment: datetime, ending: str) -> str:
    return f"daily-{moment:%Y%m%d-%H%M%S}.{ending}"


def name_of_faulty(name: str) -> str:
    return name.replace("daily-", "faulty-", 1)


def day_of(name: str) -> date | None:
    """None for a file that is not ours to judge."""
    found = NAME.match(name)
    try:
        return datetime.strptime(found[1], "%Y%m%d").date() if found else None
    except ValueError:
        return None


def outdated(names: Iterable[str], today: date) -> list[str]:
    """Those to delete: all but the newest of each of seven days, and of each of four weeks before these.

    What a clock that was wrong named after a day to come is left alone, and takes nobody's place.
    """
    days = {name: day for name in names if (day := day_of(name)) and day <= today + timedelta(days=1)}
    newest_first = sorted(days, reverse=True)
    daily = _first_of_each((days[name], name) for name in newest_first)[:DAILY]
    before = [name for name in newest_first if days[name] < min(days[kept] for kept in daily)] if daily else []
    weekly = _first_of_each((days[name].isocalendar()[:2], name) for name in before)[:WEEKLY]
    return [name for name in newest_first if name not in (*daily, *weekly)]


def _first_of_each(keyed: Iterable[tuple[Key, str]]) -> list[str]:
    first: dict[Key, str] = {}
    for key, name in keyed:
        first.setdefault(key, name)
    return list(first.values())


def thin_out(folder: Path, today: date) -> None:
    """Delete what is outdated, and what a process that was killed has left unfinished."""
    for name in outdated((path.name for path in folder.iterdir()), today):
        (folder / name).unlink()
    for old in sorted(folder.glob("faulty-*"))[:-FAULTY]:
        old.unlink()
    for draft in folder.glob("daily-*.part*"):
        if time.time() - draft.stat().st_mtime > DRAFT_SECONDS:
            draft.unlink(missing_ok=True)
