"""From every version that there was to the next one, on a full database: no row is lost, and none is spoilt."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import Connection, inspect, text

from tests.operations.full_database import fill_every_table
from webapp.config import ROOT
from webapp.extensions import db
from webapp.operations.invariants import check
from webapp.schema import known_revisions

# What a migration is there to change; everything else stays to the letter.
CHANGED = {"0005": {"seat"}, "0009": {"seat", "tally"}}
Key = tuple[Any, ...]
Contents = dict[str, dict[Key, dict[str, Any]]]


def contents(connection: Connection) -> Contents:
    """Each table's rows by their primary key."""
    return {table: dict(_rows(connection, table)) for table in inspect(connection).get_table_names()}


def _rows(connection: Connection, table: str) -> Iterator[tuple[Key, dict[str, Any]]]:
    names = inspect(connection).get_pk_constraint(table)["constrained_columns"]
    for row in connection.execute(text(f'SELECT * FROM "{table}"')).mappings():
        yield tuple(row[name] for name in names), dict(row)


def assert_nothing_is_lost(before: Contents, after: Contents, revision: str) -> None:
    for table in before.keys() - {"alembic_version"}:
        assert before[table].keys() <= after[table].keys(), f"{revision} loses rows of {table}"
        if table not in CHANGED.get(revision, ()):
            kept = {key: {name: after[table][key][name] for name in row} for key, row in before[table].items()}
            assert kept == before[table], f"{revision} changes rows of {table}"


@pytest.mark.long
@pytest.mark.slow
def test_no_upgrade_from_any_version_loses_a_row(app: Flask) -> None:
    """One after the other on the way down: so each begins with a database that holds all that its version knows."""
    fill_every_table(app)
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    revisions = known_revisions()
    with app.app_context():
        with db.engine.connect() as connection:
            assert [table for table, rows in contents(connection).items() if not rows] == []
        for older, newer in reversed(list(pairwise(revisions))):
            flask_migrate.downgrade(revision=older)
            with db.engine.connect() as connection:
                before = contents(connection)
            flask_migrate.upgrade(revision=newer)
            with db.engine.connect() as connection:
                assert_nothing_is_lost(before, contents(connection), newer)
            assert check(app.config["SQLALCHEMY_DATABASE_URI"]) == [], newer
        flask_migrate.upgrade()
    assert check(app.config["SQLALCHEMY_DATABASE_URI"]) == []
    assert app.test_client().get("/").status_code == 200
