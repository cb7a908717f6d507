"""Is the database as new as the code? Told without Flask and without the migration machinery.

`python -m webapp.schema` prints one word: current, behind (or not there yet), newer, or copying.
"""

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
        except sqlite3.OperationalError:
            return None
    return row[0] if row else None


if __name__ == "__main__":
    try:
        print(state_of(revision_of(database_url(read_settings()))))  # noqa: T201
    except BadSetting as refusal:
        sys.exit(str(refusal))
    except (psycopg.OperationalError, sqlite3.DatabaseError) as failure:
        sys.exit(f"The database cannot be read: {str(failure).strip().splitlines()[-1]}")
