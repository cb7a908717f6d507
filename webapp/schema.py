"""Is the database as new as the code? Told without Flask and without the migration machinery.

`python -m webapp.schema` prints one word: current, behind (or not there yet), newer, or copying.
"""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import psycopg

from webapp.config import ROOT, BadSetting, database_url, plain_url, read_settings


def known_revisions() -> list[str]:
    """The revisions that the code knows, oldest first: the numbers before the migrations' names."""
    return sorted(path.name.split("_")[0] for path in (ROOT / "migrations" / "versions").glob("[0-9]*_*.py"))


COPYING = "copying"  # the revision of a database into which another is being copied


def state_of(revision: str | None) -> str:
    revisions = known_revisions()
    if revision == COPYING:
        return COPYING
    if revision is None or revision in revisions[:-1]:
        return "behind"
    return "current" if revision == revisions[-1] else "newer"


def revision_of(url: str) -> str | None:
    """The revision that the database at `url` is at, None if there is no database yet."""
    if url.startswith("sqlite"):
        return _revision_of_file(Path(url.removeprefix("sqlite:///")))
    with psycopg.connect(plain_url(url), connect_timeout=5) as connection:
        try:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except psycopg.errors.UndefinedTable:
            return None
    return row[0] if row else None


def _revision_of_file(path: Path) -> str | None:
    if not path.exists():
        return None
    with closing(sqlite3.connect(path)) as connection:
        try:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError as trouble:
            if "no such table" not in str(trouble):  # as on a full disk, or of a file that one may not read
                raise
            return None
    return row[0] if row else None


def check_writable(url: str) -> None:
    """A site on a file that it may only read would answer nothing but 503."""
    path = Path(url.removeprefix("sqlite:///"))
    if url.startswith("sqlite") and os.access(path, os.R_OK) and not os.access(path, os.W_OK):
        raise BadSetting(f"The database {path} can be read but not written to. Give it to the user who runs the site "
                         f"(chown), and type 'chmod u+w {path}'.")  # fmt: skip


if __name__ == "__main__":
    try:
        url = database_url(read_settings())
        check_writable(url)
        print(state_of(revision_of(url)))  # noqa: T201
    except BadSetting as refusal:
        sys.exit(str(refusal))
    except (psycopg.OperationalError, sqlite3.DatabaseError) as failure:
        sys.exit(f"The database cannot be read: {' '.join(str(failure).split())}")  # of several lines
