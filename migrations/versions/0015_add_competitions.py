"""add competitions

Follows: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = '0015'
down_revision = '0014'

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column('game', sa.Column('arranged', sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column('game', sa.Column('opening_plies', sa.Integer(), nullable=False, server_default='0'))
    add_competition()
    add_entry()
    add_game()


def downgrade() -> None:
    for table in ('competition_game', 'competition_entry', 'competition'):
        op.drop_table(table)
    op.drop_column('game', 'opening_plies')
    op.drop_column('game', 'arranged')


def add_competition() -> None:
    op.create_table(
        'competition',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('public_id', sa.String(16), nullable=False),
        sa.Column('name', sa.String(80), nullable=False),
        sa.Column('kind', sa.String(10), nullable=False),
        sa.Column('classroom_id', sa.Integer(), nullable=True),
        sa.Column('made_by', sa.Integer(), nullable=False),
        sa.Column('entrants', sa.String(10), nullable=False),
        sa.Column('created_at', MOMENT, nullable=False),
        *(sa.Column(name, MOMENT, nullable=True) for name in ('enters_from', 'enters_until', 'starts_at')),
        *(sa.Column(name, MOMENT, nullable=True) for name in ('started_at', 'ends_at', 'ended_at')),
        sa.Column('format', sa.String(12), nullable=False),
        sa.Column('rounds', sa.Integer(), nullable=False),
        sa.Column('round_minutes', sa.Integer(), nullable=True),
        sa.Column('round', sa.Integer(), server_default='0', nullable=False),
        sa.Column('round_ends_at', MOMENT, nullable=True),
        sa.Column('bank_seconds', sa.Integer(), nullable=True),
        sa.Column('start_seconds', sa.Integer(), nullable=True),
        sa.Column('state', sa.String(10), nullable=False),
        sa.Column('version', sa.Integer(), nullable=False),
        key('competition', 'classroom_id', 'classroom', ondelete='CASCADE'),
        key('competition', 'made_by', 'user'),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_competition')),
        sa.UniqueConstraint('public_id', name=op.f('uq_competition_public_id')),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f('ix_competition_classroom_id'), 'competition', ['classroom_id'])
    op.create_index(op.f('ix_competition_made_by'), 'competition', ['made_by'])
    partial_index('ix_competition_state', 'competition', ['state', 'id'], 'ended_at IS NULL')


def add_entry() -> None:
    table = 'competition_entry'
    op.create_table(
        table,
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('competition_id', sa.Integer(), nullable=False),
        sa.Column('user_id', sa.Integer(), nullable=True),
        sa.Column('reference', sa.String(20), nullable=True),
        sa.Column('number', sa.Integer(), nullable=True),
        sa.Column('program_version', sa.Integer(), server_default='1', nullable=False),
        sa.Column('replaced_by', sa.Integer(), nullable=True),
        sa.Column('entered_at', MOMENT, nullable=False),
        sa.Column('withdrawn_at', MOMENT, nullable=True),
        sa.CheckConstraint('(user_id IS NULL) <> (reference IS NULL)', name=op.f('ck_competition_entry_one_player')),
        key(table, 'competition_id', 'competition', ondelete='CASCADE'),
        key(table, 'replaced_by', 'competition_entry', ondelete='CASCADE'),
        key(table, 'user_id', 'user'),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_competition_entry')),
        *(
            sa.UniqueConstraint(
                'competition_id', player, 'program_version', name=op.f(f'uq_{table}_competition_id_{player}_program_version')
            )
            for player in ('reference', 'user_id')
        ),
    )
    op.create_index(op.f('ix_competition_entry_user_id'), table, ['user_id'])


def add_game() -> None:
    table = 'competition_game'
    op.create_table(
        table,
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('competition_id', sa.Integer(), nullable=False),
        sa.Column('round', sa.Integer(), nullable=False),
        sa.Column('x_entry_id', sa.Integer(), nullable=False),
        sa.Column('o_entry_id', sa.Integer(), nullable=True),
        sa.Column('opening', sa.String(80), server_default='', nullable=False),
        sa.Column('seed', sa.Integer(), nullable=True),
        sa.Column('state', sa.String(10), nullable=False),
        sa.Column('game_id', sa.Integer(), nullable=True),
        sa.Column('score', sa.String(10), nullable=True),
        sa.Column('fault', sa.String(10), nullable=True),
        sa.Column('fault_words', sa.String(300), server_default='', nullable=False),
        *(sa.Column(f'{mark}_microseconds', sa.BigInteger(), nullable=True) for mark in 'xo'),
        *(sa.Column(f'{mark}_nodes', sa.BigInteger(), nullable=True) for mark in 'xo'),
        sa.Column('started_at', MOMENT, nullable=True),
        sa.Column('ended_at', MOMENT, nullable=True),
        key(table, 'competition_id', 'competition', ondelete='CASCADE'),
        key(table, 'game_id', 'game', ondelete='SET NULL'),
        key(table, 'o_entry_id', 'competition_entry', ondelete='CASCADE'),
        key(table, 'x_entry_id', 'competition_entry', ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_competition_game')),
        sa.UniqueConstraint('game_id', name=op.f('uq_competition_game_game_id')),
    )
    op.create_index('ix_competition_game_round', table, ['competition_id', 'round', 'id'])
    for column in ('o_entry_id', 'x_entry_id'):
        op.create_index(op.f(f'ix_competition_game_{column}'), table, [column])
    partial_index('ix_competition_game_left', table, ['competition_id', 'state', 'id'], 'score IS NULL')


def key(table: str, column: str, parent: str, ondelete: str | None = None) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f'{parent}.id'], name=op.f(f'fk_{table}_{column}_{parent}'), ondelete=ondelete
    )


def partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
