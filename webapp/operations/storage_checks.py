"""Is the database whole (I19), does it keep secrets secret (I20) and names apart (I22)? Each kind in its way.

PostgreSQL has no cheap integrity_check of its own; there the foreign keys are looked at, and every row is read
by the other checks anyway.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy import column as sql_column
from sqlalchemy import table as sql_table

from webapp.operations.broken import Broken

SHA256 = re.compile(r"[0-9a-f]{64}\Z")
HASHES = {
    "session": "token_hash", "known_browser": "token_hash", "set_up_token": "token_hash", "log_in_code": "code_hash",
    "agent": "token_hash",
}  # fmt: skip
SECRET = re.compile("token|password|secret", re.IGNORECASE)


def broken_storage(connection: Connection) -> Iterator[Broken]:
    if connection.dialect.name == "sqlite":
        for (sentence,) in connection.exec_driver_sql("PRAGMA integrity_check").fetchall():
            if sentence != "ok":
                yield Broken("I19", sentence)
        for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall():
            yield Broken("I19", f"row {row} of {table} has no row in {parent}")
    else:
        yield from _orphans(connection)


def _orphans(connection: Connection) -> Iterator[Broken]:
    quote = connection.dialect.identifier_preparer.quote
    for table in inspect(connection).get_table_names():
        for key in inspect(connection).get_foreign_keys(table):
            (column,), parent, (target,) = key["constrained_columns"], key["referred_table"], key["referred_columns"]
            statement = (
                f"SELECT count(*) FROM {quote(table)} child LEFT JOIN {quote(parent)} parent "  # noqa: S608 - own names # nosec B608
                f"ON parent.{quote(target)} = child.{quote(column)} "
                f"WHERE child.{quote(column)} IS NOT NULL AND parent.{quote(target)} IS NULL"
            )
            if count := connection.scalar(text(statement)):
                yield Broken("I19", f"{count} rows of {table} have no row in {parent}")


def broken_tokens(connection: Connection) -> Iterator[Broken]:
    """Only hashes are stored: a value of another form may be the secret itself. The value is never shown."""
    there = inspect(connection).get_table_names()  # a backup of an older version has fewer
    for table, column in ((table, column) for table, column in HASHES.items() if table in there):
        hashes: list[str] = list(connection.scalars(select(sql_column(column)).select_from(sql_table(table))))
        for token_hash in hashes:
            if token_hash is not None and not SHA256.match(token_hash):
                yield Broken("I20", f"{table} has a {column} that is no SHA-256")
    for (data,) in connection.execute(text("SELECT data FROM session")):
        if any(SECRET.search(key) for key in _keys(json.loads(data))):
            yield Broken("I20", "session has a token in its data")
    for user, password_hash in connection.execute(text('SELECT id, password_hash FROM "user"')):
        if password_hash is not None and not password_hash.startswith("$argon2id$"):
            yield Broken("I20", f"the password of user {user} is not hashed by argon2")


def broken_names(connection: Connection) -> Iterator[Broken]:
    """The key is unique by the database; so is the name as long as the key is what the name is in lower case."""
    for (user,) in connection.execute(text('SELECT id FROM "user" WHERE name IS NOT NULL AND name_key <> lower(name)')):
        yield Broken("I22", f"the key of user {user} is not the name in lower case")


def _keys(value: Any) -> Iterator[str]:
    """Under which names something is kept, at any depth. The texts themselves may quote what somebody typed."""
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys(inner)
