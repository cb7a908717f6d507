"""record daily backups

Follows: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = '0016'
down_revision = '0015'


def upgrade() -> None:
    op.create_table(
        'daily_backup',
        sa.Column('day', sa.Date(), nullable=False),
        sa.Column('claimed_at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('finished_at', sa.DateTime(timezone=True), nullable=True),
        sa.Column('file', sa.String(60), nullable=True),
        sa.PrimaryKeyConstraint('day', name=op.f('pk_daily_backup')),
    )


def downgrade() -> None:
    op.drop_table('daily_backup')
