"""number each session once

Follows: 0025
"""

from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Nothing but the keyword; PostgreSQL never gives a number of a sequence twice."""
    with op.batch_alter_table("session", recreate=_on_sqlite(), table_kwargs={"sqlite_autoincrement": True}):
        pass


def downgrade() -> None:
    with op.batch_alter_table("session", recreate=_on_sqlite()):
        pass


def _on_sqlite() -> str:
    return "always" if op.get_bind().dialect.name == "sqlite" else "never"
