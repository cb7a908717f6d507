"""How a database tells that something was committed, by whichever process. One connection, held by the watcher."""

import time
from typing import Any, Protocol

from sqlalchemy.pool import PoolProxiedConnection

from webapp.extensions import db


class Commits(Protocol):
    def wait(self, rest: float) -> bool:
        """Sleep so many seconds; whether anything was committed since the last time."""

    def close(self) -> None: ...


def commits_of_database() -> Commits:
    """Within an app's context. The connection is the watcher's own: it never goes back into the pool."""
    kind = PostgresCommits if db.engine.dialect.name == "postgresql" else SqliteCommits
    return kind(db.engine.raw_connection())


def _driver(connection: PoolProxiedConnection) -> Any:
    """The driver's connection. SQLAlchemy closes it with its own object, so that one is kept as well."""
    driver = connection.driver_connection
    connection.detach()
    return driver


class SqliteCommits:
    """SQLite counts the commits of all other connections; one that is never inside a BEGIN sees the count."""

    def __init__(self, connection: PoolProxiedConnection) -> None:
        self._own, self._connection = connection, _driver(connection)
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

    def __init__(self, connection: PoolProxiedConnection) -> None:
        self._own, self._connection = connection, _driver(connection)
        self._connection.autocommit = True
        self._connection.execute("LISTEN noughts")

    def wait(self, rest: float) -> bool:
        time.sleep(rest)  # what comes in one burst is told once
        heard = any(True for _ in self._connection.notifies(timeout=self.PATIENCE, stop_after=1))
        list(self._connection.notifies(timeout=0))
        return heard

    def close(self) -> None:
        self._own.close()
