"""count totals by shape

Follows: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = '0006'
down_revision = '0005'

INDEXES = {'uq_tally_level': 'level', 'uq_tally_opponent': 'opponent_id'}


def upgrade() -> None:
    op.add_column('tally', sa.Column('shape', sa.String(8), nullable=False, server_default='3x3x3'))
    index('mark', 'shape')


def downgrade() -> None:
    index('mark')
    op.drop_column('tally', 'shape')


def index(*columns: str) -> None:
    for name, against in INDEXES.items():
        op.drop_index(name, 'tally')
        where = sa.text(f'{against} IS NOT NULL')
        op.create_index(
            name, 'tally', ['user_id', against, *columns], unique=True, sqlite_where=where, postgresql_where=where
        )
