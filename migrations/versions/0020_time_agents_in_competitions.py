"""time agents in competitions

Follows: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = '0020'
down_revision = '0019'

LEFT = sa.text('score IS NULL')


def upgrade() -> None:
    op.add_column('game', sa.Column('seed', sa.Integer(), nullable=True))
    op.add_column('competition_entry', sa.Column('answered_at', sa.DateTime(timezone=True), nullable=True))
    for mark in 'xo':
        op.add_column('competition_game', sa.Column(f'{mark}_first', sa.BigInteger(), nullable=True))
    op.create_index(
        'ix_competition_game_of_two', 'competition_game', ['x_entry_id', 'o_entry_id', 'state'],
        sqlite_where=LEFT, postgresql_where=LEFT,
    )  # fmt: skip


def downgrade() -> None:
    op.drop_index('ix_competition_game_of_two', 'competition_game', sqlite_where=LEFT, postgresql_where=LEFT)
    for mark in 'xo':
        op.drop_column('competition_game', f'{mark}_first')
    op.drop_column('competition_entry', 'answered_at')
    op.drop_column('game', 'seed')
