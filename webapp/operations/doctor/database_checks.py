"""The database: does it answer, is it current and whole, has it room for us, and does its clock agree with ours?"""

import sqlite3
from datetime import datetime, timedelta
from typing import Any

import psycopg
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DatabaseError

from webapp.accounts.models import UserSession
from webapp.classrooms.set_up import has_instructor
from webapp.clock import now
from webapp.config import is_pooled
from webapp.database import UNREACHABLE, reading
from webapp.extensions import db, settings
from webapp.games.models import Game
from webapp.operations.doctor.findings import Finding, Findings, Weight, consider, good, mend
from webapp.operations.doctor.pooler_checks import pooler_findings
from webapp.operations.sqlite_backup import path_of
from webapp.schema import revision_of, state_of
from webapp.serving.front import THREADS

OLDEST_SQLITE, OLDEST_POSTGRES = (3, 35), 13
OF_WORKER = THREADS + 2  # connections that one may hold: for its threads, its watcher and its news
FEW_CONNECTIONS = 5
TO_CHECK = {
    "sqlite": "Check who may read and write its file. If it is damaged, restore a backup.",
    "postgresql": "Check DATABASE_URL, and that PostgreSQL runs there.",
}
AHEAD, APART = timedelta(minutes=1), timedelta(seconds=2)
NOT_CURRENT = {
    "behind": "The database is older than this version of Noughts. Stop the site and type 'python3 run.py "
    "upgrade-database'.",
    "newer": "The database was made by a newer version of Noughts. Update this folder to that version, or restore a "
    "backup from before.",
    "copying": "The database is a copy that was never finished. Make a new, empty one and run copy-database again.",
}


def database_findings() -> Findings:
    url = db.engine.url.render_as_string(hide_password=False)
    if url.startswith("sqlite") and not path_of(url).exists():
        return [consider("There is no database yet. The first start of the site makes it.")]
    try:
        state = state_of(revision_of(url))
        if state != "current":
            return [mend(NOT_CURRENT[state])]
        with reading() as connection:
            found = list(_of_kind(connection))
            is_sound = not any(finding.weight == Weight.MEND for finding in found)
            return [*found, *_clocks(connection), *_newest_rows(connection), *_instructor()] if is_sound else found
    except (*UNREACHABLE, DatabaseError, sqlite3.DatabaseError, psycopg.Error) as trouble:
        reason = " ".join(str(getattr(trouble, "orig", trouble)).split()).rstrip(".?")
        return [mend(f"The database cannot be used: {reason}. {TO_CHECK[db.engine.dialect.name]}")]


def _of_kind(connection: Connection) -> Findings:
    if connection.dialect.name == "sqlite":
        return [_sqlite_version(sqlite3.sqlite_version_info), *_whole_file(connection)]
    of_pooler = list(pooler_findings(connection, settings()))
    of_server = () if is_pooled(settings()) or of_pooler else _connections(connection)  # a pooler shares out its own
    return [_postgres_version(connection), *_whole_server(connection), *of_pooler, *of_server]


def _sqlite_version(version: tuple[int, ...]) -> Finding:
    told = "SQLite " + ".".join(map(str, version))
    if version < OLDEST_SQLITE:
        return mend(f"The database is {told}, which is too old. Use a Python that comes with SQLite 3.35 or newer.")
    return good(f"The database answers and is up to date ({told}).")


def _whole_file(connection: Connection) -> Findings:
    """Quicker than integrity_check: it does not compare the indexes with their tables."""
    (first, *_), *_ = connection.exec_driver_sql("PRAGMA quick_check(1)").fetchall()
    if first != "ok":
        yield mend(f"The database is damaged: {' '.join(str(first).split())}. Stop the site and restore a backup.")
    elif connection.exec_driver_sql("PRAGMA foreign_key_check").fetchone():
        yield mend("In the database rows are missing. 'python3 run.py check-database' tells which.")
    else:
        yield good("The database is whole.")


def _postgres_version(connection: Connection) -> Finding:
    version = str(connection.scalar(text("SHOW server_version"))).split()[0]
    if int(version.split(".")[0]) < OLDEST_POSTGRES:
        return mend(f"PostgreSQL {version} is too old. Noughts needs {OLDEST_POSTGRES} or newer.")
    return good(f"The database answers and is up to date (PostgreSQL {version}).")


def _whole_server(connection: Connection) -> Findings:
    failures = "SELECT coalesce(sum(checksum_failures), 0) FROM pg_stat_database WHERE datname = current_database()"
    invalid = "SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid LIMIT 1"
    if connection.scalar(text(failures)):
        yield mend("PostgreSQL has found damaged pages in the database (checksum failures). Look at its disk, and "
                   "restore a backup.")  # fmt: skip
    elif index := connection.scalar(text(invalid)):
        yield mend(f"The index {index} in the database is not valid. Type 'REINDEX INDEX {index}' in psql.")
    else:
        yield good("PostgreSQL reports no damage.")


def _connections(connection: Connection) -> Findings:
    most, used = connection.execute(text(
        "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int, "
        "(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')"
    )).one()  # fmt: skip
    yield connections_finding(most, used, wanted=settings().workers * OF_WORKER)


def connections_finding(most: int, used: int, wanted: int) -> Finding:
    if most - used < FEW_CONNECTIONS:
        return mend(f"PostgreSQL has {most - used} of {most} connections left. Raise max_connections there, or start "
                    "fewer workers.")  # fmt: skip
    if most < wanted:
        return consider(f"PostgreSQL allows {most} connections, and all workers of this server can need {wanted} when "
                        "many people come at once. Raise max_connections there, or put a pooler between.")  # fmt: skip
    return good(f"PostgreSQL has {most - used} of {most} connections left.")


def _clocks(connection: Connection) -> Findings:
    """SQLite has none of its own."""
    if connection.dialect.name == "sqlite":
        return
    theirs: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    apart = abs(theirs - now())
    if apart > APART:
        yield mend(f"The clocks of this machine and of PostgreSQL are {apart.total_seconds():.0f} seconds apart. Let "
                   "both be set by the network (NTP).")  # fmt: skip
    else:
        yield good("The clocks of this machine and of PostgreSQL agree.")


def _newest_rows(connection: Connection) -> Findings:
    newest: list[Any] = [
        connection.scalar(select(Game.created_at).order_by(Game.id.desc()).limit(1)),
        connection.scalar(select(UserSession.last_seen_at).order_by(UserSession.last_seen_at.desc()).limit(1)),
    ]
    ahead = max((moment - now() for moment in newest if moment), default=timedelta())
    if ahead > AHEAD:
        yield mend(f"The newest rows of the database are {ahead.total_seconds() / 60:.0f} minutes ahead of the clock. "
                   "Either it is wrong now, or it was wrong then: let it be set by the network (NTP).")  # fmt: skip
    else:
        yield good("The clock is not behind the newest rows of the database.")


def _instructor() -> Findings:
    if has_instructor():
        yield good("There is an instructor.")
    else:
        yield consider("There is no instructor yet. 'python3 run.py setup-link' prints a link that makes one.")
