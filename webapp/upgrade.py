"""Create the database or bring it up to date: `python -m webapp.upgrade`. The only place that loads Alembic.

Developers: `flask --app webapp.upgrade db migrate -m "add thing"` drafts a migration from the models.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click
import flask_migrate
import psycopg

from webapp import create_app
from webapp.config import ROOT, direct_url, plain_url, read_settings
from webapp.errors import Refusal
from webapp.extensions import db, settings
from webapp.operations.backup import back_up_before
from webapp.schema import revision_of, state_of

app = create_app({"DATABASE_URL": plain_url(direct_url(read_settings())), "NOUGHTS_LISTEN_URL": ""})
flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"), render_as_batch=True)
LOCK = 0x6E6F7567  # any number, if nobody else takes it in this database


def upgrade() -> None:
    """A database that holds anything is backed up first: a migration cannot be undone."""
    url = db.engine.url.render_as_string(hide_password=False)
    with _one_at_a_time(url):
        revision = revision_of(url)
        if revision is not None and state_of(revision) == "behind":
            _back_up(url, revision)
        flask_migrate.upgrade()


@contextmanager
def _one_at_a_time(url: str) -> Iterator[None]:
    """Several app servers may start at once on one PostgreSQL. On SQLite the migrations take the write lock."""
    if url.startswith("sqlite"):
        yield
        return
    with psycopg.connect(plain_url(url)) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        yield


def _back_up(url: str, revision: str) -> None:
    try:
        file = back_up_before(f"upgrade-of-{revision}", url, settings().instance)
        click.echo(f"The database is being updated. A copy of it from before is in {file}.")
    except Refusal as refusal:
        if url.startswith("sqlite"):
            sys.exit(f"{refusal.sentence} The database was not changed.")
        # PostgreSQL takes a migration whole or not at all, and its host has backups of their own.
        click.echo(f"No backup was made before the update of the database. {refusal.sentence}")


if __name__ == "__main__":
    with app.app_context():
        upgrade()
