"""How SQLAlchemy's engine is set up for each kind of database: its pool, its locks and their time limits."""

import sqlite3
from typing import Any

import psycopg
from flask import Flask
from sqlalchemy import Connection, Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from webapp.config import is_pooled
from webapp.database import AUTOCOMMIT, BEGIN, QUEUE, check_file, release_at_end
from webapp.database_file import DatabaseFile
from webapp.extensions import settings_of
from webapp.write_queue import WriteQueue

BUSY_SECONDS = 5


def engine_options(url: str, is_pooled: bool = False) -> dict[str, Any]:
    """A pool with room for every thread of a worker; what people sent stays out of errors, and so of logs."""
    options: dict[str, Any] = {"pool_size": 16, "max_overflow": 48, "pool_timeout": BUSY_SECONDS}
    options["hide_parameters"] = True
    if url.startswith("sqlite"):
        options["connect_args"] = {"timeout": BUSY_SECONDS}
    else:
        options["pool_pre_ping"] = True
        if is_pooled:  # a statement that was prepared in one session of the server is unknown in the next
            options["connect_args"] = {"prepare_threshold": None}
    return options


def prepare(app: Flask, engine: Engine) -> None:
    app.teardown_appcontext(release_at_end)
    app.extensions[QUEUE], app.extensions[BEGIN] = None, "BEGIN"
    is_sqlite = engine.dialect.name == "sqlite"
    autocommit = {"begins": False} if is_sqlite else {"isolation_level": "AUTOCOMMIT"}
    app.extensions[AUTOCOMMIT] = engine.execution_options(**autocommit)  # the same pool
    if is_sqlite:
        path = str(engine.url.database)
        file = DatabaseFile(path)
        app.extensions[QUEUE] = WriteQueue(path, BUSY_SECONDS)
        app.extensions[BEGIN] = "BEGIN IMMEDIATE"
        event.listen(engine, "do_connect", lambda *_: file.before_connecting())
        event.listen(engine, "connect", lambda connection, record: _prepare_sqlite_connection(connection, record, file))
        event.listen(engine, "begin", _begin_on_sqlite)
    elif is_pooled(settings_of(app)):
        app.extensions[BEGIN] = f"BEGIN; SET LOCAL {_lock_timeout()}"  # nothing that outlives the transaction
    else:
        event.listen(engine, "connect", _prepare_postgres_connection)


def _prepare_sqlite_connection(
    connection: sqlite3.Connection, record: ConnectionPoolEntry, file: DatabaseFile
) -> None:
    record.info["file"] = file
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # NORMAL loses acknowledged moves in a power cut
    connection.execute("PRAGMA foreign_keys = ON")
    # KiB of pages that each connection keeps for itself; with the usual 2,000 a worker's threads fill 100 MB by and by,
    # with what the system keeps in memory anyway.
    connection.execute("PRAGMA cache_size = -512")
    file.after_connecting(connection, record.info)


def _prepare_postgres_connection(connection: psycopg.Connection[Any], _record: object) -> None:
    connection.autocommit = True  # what is set in a transaction goes with it if it is rolled back
    connection.execute(f"SET {_lock_timeout()}")
    connection.autocommit = False


def _lock_timeout() -> str:
    """By itself PostgreSQL waits for a lock without end, and with it every thread of the server."""
    return f"lock_timeout = {int(BUSY_SECONDS * 1000)}"


def _begin_on_sqlite(connection: Connection) -> None:
    """For tools that open a connection by themselves, as the migrations do: the driver begins nothing."""
    if connection.get_execution_options().get("begins", True):
        check_file(connection)
        connection.exec_driver_sql("BEGIN")
