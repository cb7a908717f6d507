"""Backups of either kind of database: made while people play, and checked before they are put back."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import psycopg
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DatabaseError

from webapp.clock import now
from webapp.errors import Refusal
from webapp.operations import postgres_backup, sqlite_backup
from webapp.operations.broken import Broken
from webapp.operations.checksum import is_as_written
from webapp.operations.invariants import check, findings, snapshot
from webapp.schema import COPYING, revision_of, state_of

KEPT = 5  # of the backups made before a change; those that a host named are never touched
KINDS = (sqlite_backup, postgres_backup)
GoOn = Callable[[list[Broken]], bool]


def back_up(url: str, file: Path) -> list[Broken]:
    """Copy the database into the file; what the check finds in it. The file is there even if it finds something."""
    found: list[Broken] = []

    def look(connection: Connection) -> None:
        found.extend(findings(connection))

    with _told_in_words(f"The backup could not be written to {file}"):
        _kind(url).back_up(url, file, look)
    return found


def back_up_before(change: str, url: str, instance: Path) -> Path:
    """A backup into the instance folder before something that cannot be undone; the newest few are kept."""
    file = _name_before(change, url, instance)
    with _told_in_words(f"The backup could not be written to {file}"):
        _kind(url).back_up(url, file)
    _forget_old(file.parent)
    return file


def restore(url: str, file: Path, instance: Path, force: bool, go_on: GoOn = lambda found: False) -> Path | None:
    """Check the backup, then make the database what it is. What was there is kept at the path given back.

    If the check finds anything, `go_on` is shown it and decides.
    """
    aside = _name_before("restore", url, instance) if _is_in_use(url) else None
    if aside and not force:
        raise Refusal("There are users or games in the database already. With --force the backup replaces them; "
                      "they are kept beside it.")  # fmt: skip
    with _told_in_words(f"{file} cannot be read, so nothing was changed"):
        _check_kind(url, file)
        _ask(file, go_on, _changed(file))  # first: of a file that was changed nothing should be run unasked
        _ask(file, go_on, _content(url, file))
    with _told_in_words(f"{file} could not be restored, and nothing was changed"):
        _kind(url).put_back(url, file, aside)
    if aside:
        _forget_old(aside.parent)
    return aside


def check_backup(url: str, file: Path) -> list[Broken]:
    """What is wrong in a backup; refused if it is none. A dump of PostgreSQL is looked at beside the one at `url`."""
    with _told_in_words(f"{file} cannot be read"):
        return _changed(file) + _content(url, file)


def check_served(url: str) -> list[Broken]:
    """What is wrong in the database itself; refused of one that is not all there. Raises if it does not answer."""
    try:
        is_unfinished = revision_of(url) == COPYING
    except sqlite3.DatabaseError:
        is_unfinished = False  # the check finds what is wrong with the file
    if is_unfinished:
        raise Refusal("The database is a copy that was never finished. Make a new, empty one and run copy-database "
                      "again.")  # fmt: skip
    return check(url)


def _changed(file: Path) -> list[Broken]:
    is_changed = is_as_written(file) is False
    return [Broken("I19", "its checksum is wrong, so it is not as it was written")] if is_changed else []


def _content(url: str, file: Path) -> list[Broken]:
    with (_kind_of_file(file) or _kind(url)).opened(url, file) as backup:
        _check_revision(backup, file)
        return check(backup)


def _ask(file: Path, go_on: GoOn, found: list[Broken]) -> None:
    if found and not go_on(found):
        raise Refusal(f"{file} is damaged, so nothing was changed. The lines above say why: {len(found)} in all. "
                      "With --despite-findings it is restored as it is.")  # fmt: skip


def ending_of(url: str) -> str:
    """What a backup's name ends with."""
    return str(_kind(url).ENDING)


def _kind(url: str) -> ModuleType:
    return sqlite_backup if url.startswith("sqlite") else postgres_backup


@contextmanager
def _told_in_words(sentence: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Refusal(f"{sentence}: {error.strerror or error}.") from None
    except (sqlite3.Error, psycopg.Error, UnicodeDecodeError) as error:
        raise Refusal(f"{sentence}: {str(error).strip().rstrip('.')}.") from None


def _kind_of_file(file: Path) -> ModuleType | None:
    with file.open("rb") as backup:
        begins = backup.read(16)
    return next((kind for kind in KINDS if begins.startswith(kind.MAGIC)), None)


def _check_kind(url: str, file: Path) -> None:
    """Each kind of database is restored from its own backups only."""
    kind = _kind_of_file(file)
    if kind not in (None, _kind(url)):
        raise Refusal(f"{file} is a backup of {kind.NAME}, and this site uses {_kind(url).NAME}. Nothing was changed.")


def _check_revision(backup: str, file: Path) -> None:
    revision = revision_of(backup)
    if revision is None:
        raise Refusal(f"{file} is no backup of Noughts. Nothing was changed.")
    if revision == COPYING:
        raise Refusal(f"{file} is a copy that copy-database never finished. Nothing was changed.")
    if state_of(revision) == "newer":
        raise Refusal(f"{file} was made by a newer version of Noughts. Update this folder first. Nothing was changed.")


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
    return instance / "backups" / f"before-{change}-{now():%Y%m%d-%H%M%S-%f}.{ending_of(url)}"


def _forget_old(folder: Path) -> None:
    for old in sorted(folder.glob("before-*"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        old.unlink()
