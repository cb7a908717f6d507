"""The whole database as a plain value, so that a test can say that nothing changed."""

from typing import Any

from flask import Flask
from sqlalchemy import select

from webapp.extensions import db

Rows = dict[str, list[dict[str, Any]]]


def all_rows(app: Flask, *left_out: str) -> Rows:
    """Every row of every table, but those left out by name."""
    with app.app_context(), db.engine.connect() as connection:
        return {
            table.name: sorted((dict(row) for row in connection.execute(select(table)).mappings()), key=repr)
            for table in db.metadata.sorted_tables
            if table.name not in left_out
        }


def rows_of(app: Flask, table: str) -> list[dict[str, Any]]:
    return all_rows(app)[table]
