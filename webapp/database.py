"""How we talk to SQLite and PostgreSQL: `reading()` and `writing()`, for every statement of the site; and times.

Both run in autocommit, and a unit that writes begins and ends its transaction itself. Left to its driver, SQLite
lets two posts at once both win, and fails at once when a transaction reads first and writes after somebody else.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

import psycopg
from flask import current_app, g
from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    Connection,
    CursorResult,
    DateTime,
    Dialect,
    Integer,
    String,
    UpdateBase,
    any_,
    bindparam,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError, PendingRollbackError, TimeoutError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.pool import PoolProxiedConnection
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

from webapp.extensions import Model, db
from webapp.measured import measured
from webapp.write_queue import WriteQueue

# PendingRollbackError: what a unit hears whose connection was lost a statement before.
UNREACHABLE = (
    OperationalError, TimeoutError, PendingRollbackError, sqlite3.OperationalError, psycopg.OperationalError,
)  # fmt: skip
QUEUE, AUTOCOMMIT, BEGIN = "noughts_write_queue", "noughts_autocommit_engine", "noughts_begin"


class CommitUnanswered(psycopg.OperationalError):
    """PostgreSQL went away while it committed: what the unit wrote is all there afterwards, or nothing of it."""


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, always aware and in UTC, on both databases alike (SQLite itself keeps no time zone)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else _in_utc(value)


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class Word(TypeDecorator[StrEnum]):
    """One of a closed set of words: a member of its enum in Python, the word itself in the database."""

    impl = String
    cache_ok = True

    def __init__(self, kind: type[StrEnum], length: int) -> None:
        super().__init__(length)
        self.kind = kind

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else self.kind(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.kind(value)


def reading() -> AbstractContextManager[Connection]:
    """For statements that only read: each stands alone and sees what was committed last."""
    return nullcontext(_connection())


@contextmanager
def writing() -> Iterator[Connection]:
    """A unit that writes: all of it or nothing. On SQLite it takes the one write lock now: no searching or hashing
    inside. One that is opened within another joins it.
    """
    connection = _connection()
    if g.get("is_writing"):
        yield connection
        return
    check_file(connection)
    queue: WriteQueue | None = current_app.extensions[QUEUE]
    driver, begun = connection.connection, time.perf_counter()
    with queue.turn() if queue else nullcontext():
        g.is_writing = True
        try:
            driver.cursor().execute(current_app.extensions[BEGIN])
            measured().write_lock_wait(time.perf_counter() - begun)
            yield connection
            _commit(driver)
        except BaseException:
            if not _is_lost(connection):  # else its unit is gone with it
                driver.rollback()
            raise
        finally:
            g.is_writing = False


def _commit(driver: PoolProxiedConnection) -> None:
    try:
        driver.cursor().execute("COMMIT")
    except psycopg.OperationalError as trouble:
        if getattr(driver.driver_connection, "closed", False):
            raise CommitUnanswered(str(trouble)) from trouble
        raise


def _connection() -> Connection:
    """One for everything that a request does, taken from the pool once; another if it was lost between two units."""
    known: Connection | None = g.get("connection")
    if known is not None and _is_lost(known) and not g.get("is_writing"):
        release_connection()
        known = None
    if known is None:
        known = current_app.extensions[AUTOCOMMIT].connect()
        try:
            check_file(known)
        except sqlite3.OperationalError:
            known.close()
            raise
        g.connection = known
    return known


def check_file(connection: Connection) -> None:
    """On SQLite: is the file still there that we would read and write?"""
    info = connection.connection.info
    if "file" in info:
        info["file"].check(info)


def release_connection() -> None:
    """Give it back to the pool before something slow that others need not wait for. Never within a unit that writes:
    what follows would stand alone, on another connection.
    """
    if g.get("is_writing"):
        raise RuntimeError("The connection is released within a unit that writes. Do it before writing(), or after it.")
    release_at_end()


def release_at_end(_failure: BaseException | None = None) -> None:
    """At the end of a request too, whatever became of it."""
    if "connection" in g:
        connection: Connection = g.pop("connection")
        if _is_lost(connection):
            connection.invalidate()  # the pool would try to roll it back, and write a traceback for each
        connection.close()


def _is_lost(connection: Connection) -> bool:
    """PostgreSQL has gone away under it; SQLAlchemy does not see that of what `Prepared` runs."""
    return connection.invalidated or getattr(connection.connection.driver_connection, "closed", False)


def announce_change(connection: Connection) -> None:
    """Within a unit that writes: wake those who wait for news. SQLite tells them by itself (live/commits.py)."""
    if connection.dialect.name == "postgresql":
        connection.connection.cursor().execute("NOTIFY noughts")


def added_id(connection: Connection, statement: UpdateBase) -> int:
    """Run an INSERT of one row in this unit; the id that it got."""
    key = cast(CursorResult[Any], connection.execute(statement)).inserted_primary_key
    assert key is not None  # noqa: S101 - an INSERT of one row always has one
    return int(key[0])


def insert_or_update(table: type[Model]) -> Any:
    """An INSERT that can say ON CONFLICT. Both databases know the same words; SQLAlchemy has them once for each."""
    return (sqlite if db.engine.dialect.name == "sqlite" else postgresql).insert(table)


def among(column: Any, name: str) -> ColumnElement[bool]:
    """`column IN :name` for any number of ids, as one parameter, which is several times cheaper than one for each.

    The databases have no words in common for it: a `Prepared` with such a condition comes as a function.
    """
    within: ColumnElement[bool]
    if db.engine.dialect.name == "sqlite":
        ids = func.json_each(bindparam(name, type_=JSON)).table_valued("value")
        within = column.in_(select(ids.c.value))
    else:
        within = column == any_(bindparam(name, type_=ARRAY(Integer)))
    return within


class RowsAsJson(FunctionElement[list[list[Any]]]):
    """In place of the columns of a subquery: all its rows as one list of lists, in no order; None if there are none.

    What belongs to a row then comes with it, as the moves with their game, instead of the row again with each of them.
    A time comes as text, for `from_json`.
    """

    name = "rows_as_json"
    type = JSON()
    inherit_cache = True


@compiles(RowsAsJson, "sqlite")
def _of_sqlite(element: RowsAsJson, compiler: SQLCompiler, **more: Any) -> str:
    return f"json_group_array(json_array({compiler.process(element.clauses, **more)}))"


@compiles(RowsAsJson, "postgresql")
def _of_postgresql(element: RowsAsJson, compiler: SQLCompiler, **more: Any) -> str:
    return f"json_agg(json_build_array({compiler.process(element.clauses, **more)}))"


def from_json(moment: str) -> datetime:
    """As UtcDateTime reads it: each database writes it into JSON in its own way."""
    return _in_utc(datetime.fromisoformat(moment))
