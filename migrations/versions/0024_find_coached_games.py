"""find coached games

Follows: 0023
"""

import sqlalchemy as sa
from alembic import op

revision = '0024'
down_revision = '0023'
INDEXES = [
    ('ix_seat_coached', 'result', ''),
    ('ix_seat_coached_against_level', 'opponent_level', ''),
    ('ix_seat_mistaken_coached', 'result', ' AND kept < decisions'),
    ('ix_seat_mistaken_coached_against_level', 'opponent_level', ' AND kept < decisions'),
]


def upgrade() -> None:
    op.add_column('seat', sa.Column('coached', sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute('UPDATE seat SET coached = true WHERE game_id IN (SELECT id FROM game WHERE coached)')
    for name, column, more in INDEXES:
        first = [] if column == 'result' else [column]
        where = f'user_id IS NOT NULL AND {column} IS NOT NULL{more} AND coached'
        op.create_index(
            name, 'seat', ['user_id', 'coached', *first, 'mark', 'result', 'game_id'],
            sqlite_where=sa.text(f'{where} = 1'), postgresql_where=sa.text(where),
        )


def downgrade() -> None:
    for name, _, _ in INDEXES:
        op.drop_index(name, 'seat')
    op.drop_column('seat', 'coached')
