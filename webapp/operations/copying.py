"""Move house: copy a whole database from SQLite to PostgreSQL or back, and check that the copy is the same.

The copy is made by the tables that the code knows, so both sides speak of the same version. Until everything has been
compared, the target's revision is a word that no version knows: whoever starts the site on it is told so.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Column, Connection, Engine, MetaData, NullPool, Table, create_engine, func, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import AddConstraint, DropConstraint

from webapp.config import BadSetting, database_url, read_settings
from webapp.errors import Refusal
from webapp.extensions import db
from webapp.operations.invariants import snapshot
from webapp.operations.sqlite_backup import path_of
from webapp.private_files import make_private_file
from webapp.schema import COPYING, known_revisions, revision_of, state_of

BATCH = 5000
Tell = Callable[[str], None]


class CannotCopy(Refusal):
    """Why nothing was copied, or why the copy is not to be used."""


def copy_database(source: str, target: str, tell: Tell) -> None:
    """Both are URLs, or files of SQLite."""
    with _told_in_words("The database to copy from cannot be read"):
        source = url_of(source)
        _check_source(source)
    with _told_in_words("The database to copy to cannot be used"):
        engine = _checked_target(url_of(target))
    with _told_in_words("The copy was cut short, so it is not to be used"):
        _copy(source, engine, tell)


@contextmanager
def _told_in_words(sentence: str) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, psycopg.Error, SQLAlchemyError, BadSetting) as error:
        reason = " ".join(str(getattr(error, "orig", error)).split()).rstrip(".?")
        raise CannotCopy(f"{sentence}: {reason}. The original is as it was.") from None


def _copy(source: str, engine: Engine, tell: Tell) -> None:
    tables = db.metadata.sorted_tables
    with snapshot(source) as old, _loading(engine) as new:
        _begin(new, db.metadata)
        for number, table in enumerate(tables, 1):
            _copy_table(old, new, table, partial(_tell, tell, f"{number} of {len(tables)}"))
        _set_counters(old, new, tables)
        tell("Comparing every row of both ...")
        _compare(old, new, tables)
        new.execute(text("UPDATE alembic_version SET version_num = :newest"), {"newest": known_revisions()[-1]})
        new.commit()


def _tell(tell: Tell, place: str, words: str) -> None:
    tell(f"{place}: {words}")


def url_of(place: str) -> str:
    """A URL means what it means in the settings; a file is one in the folder where the command is typed."""
    url = place if "://" in place else f"sqlite:///{Path(place).absolute()}"
    return database_url(read_settings(given={"DATABASE_URL": url}))


def _check_source(url: str) -> None:
    revision = revision_of(url)
    if revision is None:
        raise CannotCopy("There is no database of Noughts to copy from. Check the first address. Nothing was copied.")
    if revision == COPYING:
        raise CannotCopy("The database to copy from is itself a copy that was never finished. Nothing was copied.")
    if state_of(revision) == "newer":
        raise CannotCopy("The database to copy from was made by a newer version of Noughts. Update this folder first. "
                         "Nothing was copied.")  # fmt: skip
    if revision != known_revisions()[-1]:
        raise CannotCopy(
            "The database to copy from is not of this version. Start the site on it once, so that it is updated, and "
            "copy it then. Nothing was copied."
        )


def _checked_target(url: str) -> Engine:
    if url.startswith("sqlite"):
        make_private_file(path_of(url))  # it will hold password hashes
    is_used = revision_of(url) is not None  # first, because it waits seconds for a server where an engine waits minutes
    engine = create_engine(url, poolclass=NullPool)
    if is_used or inspect(engine).get_table_names():
        raise CannotCopy(
            "The database to copy to is not empty. Make a new, empty one and copy into that. Nothing was copied."
        )
    return engine


@contextmanager
def _loading(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        yield connection
    engine.dispose()


def _begin(new: Connection, metadata: MetaData) -> None:
    """First of all the target says what it is: whatever happens then, nobody takes it for a database to use."""
    new.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    new.execute(text("INSERT INTO alembic_version VALUES (:copying)"), {"copying": COPYING})
    new.commit()
    metadata.create_all(new)
    new.commit()


def _copy_table(old: Connection, new: Connection, table: Table, tell: Tell) -> None:
    total, done = old.scalar(select(func.count()).select_from(table)) or 0, 0
    tell(f"{table.name}, {total:,} rows")
    with _own_references_last(new, table):
        for rows in _batches(_rows(old, table)):
            _add(new, table, rows)
            new.commit()
            done += len(rows)
            if done < total:
                tell(f"{table.name}, {done:,} of {total:,} rows")


@contextmanager
def _own_references_last(new: Connection, table: Table) -> Iterator[None]:
    """A row may name one of its own table that comes in a later batch, so PostgreSQL checks that when all are there.
    SQLite checks nothing unless it is asked to.
    """
    is_checked = new.dialect.name != "sqlite"
    own = [key for key in table.foreign_key_constraints if is_checked and key.referred_table is table]
    for key in own:
        new.execute(DropConstraint(key))
    yield
    for key in own:
        new.execute(AddConstraint(key, isolate_from_table=False))
    new.commit()


def _rows(connection: Connection, table: Table) -> Iterator[Sequence[Any]]:
    statement = select(table).order_by(*table.primary_key)
    yield from connection.execute(statement, execution_options={"yield_per": BATCH})


def _batches(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


def _add(new: Connection, table: Table, rows: list[Sequence[Any]]) -> None:
    if new.dialect.name == "sqlite":
        new.execute(table.insert(), [row._mapping for row in rows])  # type: ignore[attr-defined]
        return
    # COPY takes several rows for the time of one INSERT.
    name = new.dialect.identifier_preparer.format_table(table)
    columns = ", ".join(new.dialect.identifier_preparer.format_column(column) for column in table.columns)
    writers = [_writer(column, new) for column in table.columns]
    with new.connection.cursor().copy(f"COPY {name} ({columns}) FROM STDIN") as stream:
        for row in rows:
            stream.write_row([writer(value) for writer, value in zip(writers, row, strict=True)])


def _writer(column: Column[Any], connection: Connection) -> Callable[[Any], Any]:
    found = column.type.dialect_impl(connection.dialect).bind_processor(connection.dialect)
    return found or (lambda value: value)


def _set_counters(old: Connection, new: Connection, tables: Sequence[Table]) -> None:
    """The next id is one that was never given on the old side either: ids of deleted rows are not given again."""
    for table in tables:
        column = table.autoincrement_column
        if column is not None and list(table.primary_key) == [column]:
            last = max(_last_given(old, table), old.scalar(select(func.max(column))) or 0)
            if last:
                _set_counter(new, table, column, last)
    new.commit()


def _last_given(old: Connection, table: Table) -> int:
    if old.dialect.name == "sqlite":
        if not inspect(old).has_table("sqlite_sequence"):
            return 0
        return old.scalar(text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}) or 0
    name = old.scalar(text("SELECT pg_get_serial_sequence(:name, 'id')"), {"name": f'"{table.name}"'})
    row = old.execute(text(f"SELECT last_value, is_called FROM {name}")).one()  # noqa: S608 - its word # nosec B608
    return int(row.last_value) if row.is_called else 0


def _set_counter(new: Connection, table: Table, column: Column[Any], last: int) -> None:
    if new.dialect.name != "sqlite":
        statement = text("SELECT setval(pg_get_serial_sequence(:name, :column), :last)")
        new.execute(statement, {"name": f'"{table.name}"', "column": column.name, "last": last})
    elif table.dialect_options["sqlite"]["autoincrement"]:
        new.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table.name})
        values = {"name": table.name, "last": last}
        new.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), values)


def _compare(old: Connection, new: Connection, tables: Sequence[Table]) -> None:
    for table in tables:
        if checksum(old, table) != checksum(new, table):
            raise CannotCopy(
                f"The copy differs from the original in the table {table.name}, so it is not to be used. The original "
                "is as it was. Make a new, empty database and copy again."
            )


def checksum(connection: Connection, table: Table) -> tuple[int, str]:
    """How many rows there are, and the sum of their SHA-256, in any order: the two kinds sort texts differently."""
    count, total = 0, 0
    for row in connection.execute(select(table), execution_options={"yield_per": BATCH}):
        told = json.dumps([None if value is None else str(value) for value in row])
        total += int.from_bytes(hashlib.sha256(told.encode()).digest())
        count += 1
    return count, f"{total % 2**256:064x}"
