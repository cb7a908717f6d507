"""coach games

Follows: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = '0013'
down_revision = '0012'


def upgrade() -> None:
    for table in ('game', 'tally'):
        op.add_column(table, sa.Column('coached', sa.Boolean(), nullable=False, server_default=sa.false()))
    index_tallies('shape', 'coached')
    op.create_table(
        'taken_back',
        sa.Column('game_id', sa.Integer(), nullable=False),
        sa.Column('version', sa.Integer(), nullable=False),
        sa.Column('ply', sa.Integer(), nullable=False),
        sa.Column('cell', sa.Integer(), nullable=False),
        sa.Column('made_at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('nodes', sa.Integer(), nullable=True),
        sa.Column('microseconds', sa.Integer(), nullable=True),
        sa.Column('taken_at', sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(['game_id'], ['game.id'], name=op.f('fk_taken_back_game_id_game'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('game_id', 'version', 'ply', name=op.f('pk_taken_back')),
    )


def downgrade() -> None:
    """Without the coach its games cannot be told from others, so they count with them."""
    op.drop_table('taken_back')
    sums = ', '.join(f'{name} = {name} + (SELECT coalesce(sum({name}), 0) {APART})' for name in COUNTS)
    op.execute(f'UPDATE tally SET {sums} WHERE NOT coached')  # noqa: S608
    op.execute(f'DELETE FROM tally WHERE coached AND EXISTS (SELECT 1 {PLAIN})')  # noqa: S608
    index_tallies('shape')
    for table in ('tally', 'game'):
        op.drop_column(table, 'coached')


COUNTS = ('won', 'lost', 'drawn', 'decisions', 'kept')
SAME = ' AND '.join(f'other.{name} = tally.{name}' for name in ('user_id', 'level', 'mark', 'shape'))
APART, PLAIN = (f'FROM tally other WHERE {kind} AND {SAME}' for kind in ('other.coached', 'NOT other.coached'))


def index_tallies(*columns: str) -> None:
    op.drop_index('uq_tally_level', 'tally')
    where = sa.text('level IS NOT NULL')
    op.create_index(
        'uq_tally_level', 'tally', ['user_id', 'level', 'mark', *columns],
        unique=True, sqlite_where=where, postgresql_where=where,
    )
