"""How a database tells that something was committed, by whichever process. One connection, held by the watcher."""

import time
from typing import Any, Protocol

import psycopg
from psycopg.conninfo import make_conninfo
from sqlalchemy.pool import PoolProxiedConnection

from webapp.config import direct_url, plain_url
from webapp.extensions import db, settings


class Commits(Protocol):
    def wait(self, rest: float) -> bool:
        """Sleep so many seconds; whether anything was committed since the last time."""

    def close(self) -> None: ...


def commits_of_database() -> Commits:
    """Within an app's context. The connection is the watcher's own: it never goes back into the pool."""
    if db.engine.dialect.name == "postgresql":
        return PostgresCommits(plain_url(direct_url(settings())))
    return SqliteCommits(db.engine.raw_connection())


class SqliteCommits:
    """SQLite counts the commits of all other connections; one that is never inside a BEGIN sees the count."""

    def __init__(self, connection: PoolProxiedConnection) -> None:
        self._own = connection  # SQLAlchemy closes the driver's connection with this object, so it is kept
        self._connection: Any = connection.driver_connection
        connection.detach()
        self._version = self._ask()

    def _ask(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def wait(self, rest: float) -> bool:
        time.sleep(rest)
        before, self._version = self._version, self._ask()
        return self._version != before

    def close(self) -> None:
        self._own.close()


class PostgresCommits:
    """Whoever changes a game sends NOTIFY in the same transaction (database.announce_change)."""

    PATIENCE = 0.25  # for the rest of the watcher's work; a notification comes at once

    def __init__(self, url: str) -> None:
        """Not out of the pool, which may lead through a pooler: LISTEN belongs to one session of the server."""
        # It may say nothing for hours, until whatever stands between has forgotten it: that is noticed in a minute.
        noticed = make_conninfo(url, connect_timeout=5, keepalives_idle=30, keepalives_interval=10, keepalives_count=3)
        self._connection = psycopg.connect(noticed, autocommit=True)
        self._connection.execute("LISTEN noughts")

    def wait(self, rest: float) -> bool:
        time.sleep(rest)  # what comes in one burst is told once
        heard = any(True for _ in self._connection.notifies(timeout=self.PATIENCE, stop_after=1))
        list(self._connection.notifies(timeout=0))
        return heard

    def close(self) -> None:
        self._connection.close()
