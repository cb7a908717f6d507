"""Backups of either kind of database: made while people play, and checked before they are put back."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import psycopg
from sqlalchemy import inspect, text
from sqlalchemy.exc import DatabaseError

from webapp.clock import now
from webapp.errors import Refusal
from webapp.operations import postgres_backup, sqlite_backup
from webapp.operations.invariants import check, snapshot
from webapp.schema import revision_of, state_of

KEPT = 5  # of the backups made before a change; those that a host named are never touched
SHOWN = 5  # sentences about a broken backup


def back_up(url: str, file: Path) -> None:
    with _told_in_words(f"The backup could not be written to {file}"):
        _kind(url).back_up(url, file)


def back_up_before(change: str, url: str, instance: Path) -> Path:
    """A backup into the instance folder before something that cannot be undone; the newest few are kept."""
    file = _name_before(change, url, instance)
    back_up(url, file)
    _forget_old(file.parent)
    return file


def restore(url: str, file: Path, instance: Path, force: bool) -> Path | None:
    """Check the backup, then make the database what it is. What was there is kept at the path given back."""
    aside = _name_before("restore", url, instance) if _is_in_use(url) else None
    if aside and not force:
        raise Refusal("There are users or games in the database already. With --force the backup replaces them; "
                      "they are kept beside it.")  # fmt: skip
    with _told_in_words(f"{file} could not be restored, and nothing was changed"):
        with _kind(url).opened(url, file) as backup:
            _check(backup, file)
        _kind(url).put_back(url, file, aside)
    if aside:
        _forget_old(aside.parent)
    return aside


def _kind(url: str) -> ModuleType:
    return sqlite_backup if url.startswith("sqlite") else postgres_backup


@contextmanager
def _told_in_words(sentence: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, psycopg.Error, OSError) as error:
        raise Refusal(f"{sentence}: {str(error).strip().rstrip('.')}.") from None


def _check(backup: str, file: Path) -> None:
    revision = revision_of(backup)
    if revision is None:
        raise Refusal(f"{file} is no backup of Noughts. Nothing was changed.")
    if state_of(revision) == "newer":
        raise Refusal(f"{file} was made by a newer version of Noughts. Update this folder first. Nothing was changed.")
    if broken := check(backup):
        shown = "\n".join(map(str, broken[:SHOWN]))
        raise Refusal(f"{file} is damaged, so nothing was changed. {len(broken)} findings, beginning with:\n{shown}")


def _is_in_use(url: str) -> bool:
    """Whether a restore would overwrite anything. What cannot be read may be precious."""
    if url.startswith("sqlite") and not sqlite_backup.path_of(url).exists():
        return False
    try:
        with snapshot(url) as connection:
            if not inspect(connection).has_table("game"):
                return False
            return bool(connection.scalar(text('SELECT EXISTS (SELECT 1 FROM "user") OR EXISTS (SELECT 1 FROM game)')))
    except DatabaseError:
        return True


def _name_before(change: str, url: str, instance: Path) -> Path:
    return instance / "backups" / f"before-{change}-{now():%Y%m%d-%H%M%S-%f}.{_kind(url).ENDING}"


def _forget_old(folder: Path) -> None:
    for old in sorted(folder.glob("before-*"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        old.unlink()
