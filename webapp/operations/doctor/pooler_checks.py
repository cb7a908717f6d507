"""PostgreSQL behind a pooler: is the way past it set, does it lead past it, and to the same database?"""

from typing import Any

import psycopg
from sqlalchemy import Connection

from webapp.config import Settings, direct_url, is_pooled, plain_url
from webapp.operations.doctor.findings import Finding, Findings, good, mend

PATIENCE = 5  # seconds
# The session that answers, and which database of which server: one that has started at this very moment.
WHO_ANSWERS = (
    "SELECT pg_backend_pid(), (SELECT oid FROM pg_database WHERE datname = current_database()), "
    "pg_postmaster_start_time()"
)


def pooler_findings(connection: Connection, known: Settings) -> Findings:
    driver: Any = connection.connection.driver_connection
    there = driver.execute(WHO_ANSWERS).fetchone()
    if is_pooled(known):
        yield _past_pooler(known, there[1:])
    elif is_through_pooler(driver, there[0]):
        yield mend("DATABASE_URL leads through a pooler such as pgbouncer, and NOUGHTS_LISTEN_URL is not set, so pages "
                   "fail. Set it to the same database past the pooler.")  # fmt: skip


def is_through_pooler(driver: "psycopg.Connection[Any]", answered_by: int) -> bool:
    """A pooler tells a number of its own when one connects; PostgreSQL that of the session."""
    return driver.info.backend_pid != answered_by


def _past_pooler(known: Settings, wanted: tuple[Any, ...]) -> Finding:
    try:
        with psycopg.connect(plain_url(direct_url(known)), connect_timeout=PATIENCE) as driver:
            answered_by, *there = driver.execute(WHO_ANSWERS).fetchone() or ()
            if is_through_pooler(driver, answered_by):
                return mend("NOUGHTS_LISTEN_URL leads through a pooler, so open pages are told no news. Let it lead to "
                            "PostgreSQL itself.")  # fmt: skip
    except psycopg.Error as trouble:
        reason = " ".join(str(trouble).split()).rstrip(".?")
        return mend(f"The database cannot be used at NOUGHTS_LISTEN_URL, so open pages are told no news, and no backup "
                    f"can be made: {reason}.")  # fmt: skip
    if tuple(there) != wanted:
        return mend("NOUGHTS_LISTEN_URL leads to another database than DATABASE_URL, so what is backed up and updated "
                    "is not what people play on. Let both lead to the same one.")  # fmt: skip
    return good("NOUGHTS_LISTEN_URL leads to the same database, past the pooler.")
