"""How Alembic runs the migrations: on the app's own engine, with SQLite's foreign keys asleep.

A batch migration copies a table and drops the old one. With foreign_keys=ON the drop would take every child
row along (ON DELETE CASCADE), so the keys are turned off first; inside a transaction that would do nothing.
"""

from alembic import context

import webapp.throttle  # noqa: F401 - its table belongs to the metadata
from webapp.database import UtcDateTime
from webapp.extensions import db


def run() -> None:
    with db.engine.connect().execution_options(begins=False) as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        if is_sqlite:
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        context.configure(
            connection=connection, target_metadata=db.metadata, render_as_batch=True, compare_type=True,
            process_revision_directives=number_the_revision, render_item=render_plain_types,
        )
        with context.begin_transaction():
            context.run_migrations()
        if is_sqlite:
            connection.commit()
            _check_children(connection)
            connection.exec_driver_sql("PRAGMA foreign_keys = ON")


def _check_children(connection) -> None:
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if orphans:
        raise RuntimeError(f"The migration left rows without their parents: {orphans[:5]}")


def number_the_revision(context, revision, directives) -> None:
    """Revisions are numbered, so that files sort in order and anybody can see which is newest."""
    if directives:
        head = max((int(known) for known in context.script.get_heads()), default=0) if context.script else 0
        directives[0].rev_id = f"{head + 1:04}"


def render_plain_types(kind, item, _context):
    """A migration must not change when our own types do, so it names those of SQLAlchemy."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UtcDateTime) else False


run()
