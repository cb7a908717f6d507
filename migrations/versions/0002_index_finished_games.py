"""index finished games

Follows: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = '0002'
down_revision = '0001'

INDEXES = {
    'ix_seat_finished': ([], 'user_id IS NOT NULL AND result IS NOT NULL'),
    'ix_seat_against_level': (['opponent_level'], 'user_id IS NOT NULL AND opponent_level IS NOT NULL'),
    'ix_seat_against_user': (['opponent_id'], 'user_id IS NOT NULL AND opponent_id IS NOT NULL'),
}


def upgrade() -> None:
    # Plain ADD COLUMN, not a batch: the table is not copied, however many games there are.
    op.add_column('seat', sa.Column('opponent_id', sa.Integer(), nullable=True))
    op.add_column('seat', sa.Column('opponent_level', sa.String(length=10), nullable=True))
    op.execute(
        'UPDATE seat SET (opponent_id, opponent_level) = (SELECT other.user_id, other.level FROM seat AS other'
        ' WHERE other.game_id = seat.game_id AND other.mark <> seat.mark) WHERE result IS NOT NULL'
    )
    for name, (columns, where) in INDEXES.items():
        op.create_index(name, 'seat', ['user_id', *columns, 'mark', 'result', 'game_id'], unique=False,
                        sqlite_where=sa.text(where), postgresql_where=sa.text(where))
    where = sa.text('opponent_id IS NOT NULL')
    op.create_index('ix_tally_opponent_id', 'tally', ['opponent_id'], unique=False,
                    sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    op.drop_index('ix_tally_opponent_id', 'tally')
    for name in INDEXES:
        op.drop_index(name, 'seat')
    op.drop_column('seat', 'opponent_level')
    op.drop_column('seat', 'opponent_id')
