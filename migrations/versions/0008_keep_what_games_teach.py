"""keep what games teach

Follows: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = '0008'
down_revision = '0007'

# By name: the column that narrows the search first.
MISTAKEN = {
    'ix_seat_mistaken': 'result',
    'ix_seat_mistaken_against_level': 'opponent_level',
    'ix_seat_mistaken_against_user': 'opponent_id',
}


def upgrade() -> None:
    for name in ('decisions', 'kept'):
        op.add_column('seat', sa.Column(name, sa.Integer(), nullable=True))
        op.add_column('tally', sa.Column(name, sa.Integer(), nullable=False, server_default='0'))
    for name, column in MISTAKEN.items():
        where = sa.text(f'user_id IS NOT NULL AND {column} IS NOT NULL AND kept < decisions')
        first = [] if column == 'result' else [column]
        columns = ['user_id', *first, 'mark', 'result', 'game_id']
        op.create_index(name, 'seat', columns, sqlite_where=where, postgresql_where=where)
    create_mistakes()


def create_mistakes() -> None:
    op.create_table(
        'mistake',
        sa.Column('game_id', sa.Integer(), sa.ForeignKey('game.id', ondelete='CASCADE'), primary_key=True),
        sa.Column('ply', sa.Integer(), primary_key=True),
        sa.Column('user_id', sa.Integer(), sa.ForeignKey('user.id', ondelete='CASCADE'), nullable=False),
        sa.Column('shape', sa.String(8), nullable=False),
        sa.Column('position', sa.String(9), nullable=False),
        sa.Column('to_move', sa.String(1), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ('cell', 'value_before', 'value_after')),
    )
    op.create_index('ix_mistake_newest', 'mistake', ['user_id', 'game_id', 'ply'])
    op.create_index('ix_mistake_folded', 'mistake', ['user_id', 'shape', 'position', 'to_move', 'cell'])


def downgrade() -> None:
    op.drop_table('mistake')
    for name in MISTAKEN:
        op.drop_index(name, 'seat')
    for table in ('tally', 'seat'):
        for name in ('kept', 'decisions'):
            op.drop_column(table, name)
