"""How tests get an empty database: made by the migrations once, copied, and emptied again."""

from collections.abc import Iterator
from contextlib import contextmanager

import flask_migrate
from flask import Flask

from webapp.accounts import presence
from webapp.config import ROOT
from webapp.extensions import db, settings_of

COUNT_FROM_ONE = {
    "sqlite": "DELETE FROM sqlite_sequence",
    "postgresql": "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'",
}


def migrate(app: Flask) -> None:
    """Make the tables, as the migrations do."""
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.upgrade()
        db.engine.dispose()


class KeptApp:
    """An app that is lent to one test after another, each time as if it were new."""

    def __init__(self, app: Flask) -> None:
        self.app, self.is_spoilt = app, False
        self.was = [dict(state) for state in self._state()]

    def _state(self) -> list[dict]:
        return [self.app.config, self.app.view_functions, self.app.extensions]

    @contextmanager
    def lent(self) -> Iterator[Flask]:
        self.app.extensions["noughts_random"].seed(settings_of(self.app).seed)
        presence._written.clear()
        self.is_spoilt = True
        yield self.app
        for state, was in zip(self._state(), self.was, strict=True):
            state.clear()
            state.update(was)
        self._empty()
        self.is_spoilt = False

    def _empty(self) -> None:
        """A test leaves few rows: to delete them is much cheaper than TRUNCATE or another copy."""
        with self.app.app_context(), db.engine.begin() as connection:
            statements = [f'DELETE FROM "{table.name}"' for table in reversed(db.metadata.sorted_tables)]
            statements.append(COUNT_FROM_ONE[connection.dialect.name])
            if connection.dialect.name == "postgresql":
                statements = ["; ".join(statements)]  # to which the server answers once
            for statement in statements:
                connection.exec_driver_sql(statement)

    def close(self) -> None:
        with self.app.app_context():
            db.engine.dispose()
