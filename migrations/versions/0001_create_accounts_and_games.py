"""create accounts and games

Follows: nothing
"""

import sqlalchemy as sa
from alembic import op

revision = '0001'
down_revision = None


def upgrade() -> None:
    op.create_table('game',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('public_id', sa.String(length=16), nullable=False),
    sa.Column('rows', sa.Integer(), nullable=False),
    sa.Column('columns', sa.Integer(), nullable=False),
    sa.Column('in_a_row', sa.Integer(), nullable=False),
    sa.Column('status', sa.String(length=10), nullable=False),
    sa.Column('visibility', sa.String(length=10), nullable=False),
    sa.Column('winner', sa.String(length=1), nullable=True),
    sa.Column('reason', sa.String(length=10), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('ended_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('version', sa.Integer(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_game')),
    sa.UniqueConstraint('public_id', name=op.f('uq_game_public_id')),
    sqlite_autoincrement=True
    )
    op.create_table('throttle',
    sa.Column('key', sa.String(length=120), nullable=False),
    sa.Column('count', sa.Integer(), nullable=False),
    sa.Column('ends_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('key', name=op.f('pk_throttle'))
    )
    with op.batch_alter_table('throttle', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_throttle_ends_at'), ['ends_at'], unique=False)

    op.create_table('user',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('name', sa.String(length=20), nullable=True),
    sa.Column('name_key', sa.String(length=20), nullable=True),
    sa.Column('password_hash', sa.String(length=200), nullable=True),
    sa.Column('must_change_password', sa.Boolean(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('last_seen_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('deleted_at', sa.DateTime(timezone=True), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_user')),
    sa.UniqueConstraint('name_key', name=op.f('uq_user_name_key')),
    sqlite_autoincrement=True
    )
    with op.batch_alter_table('user', schema=None) as batch_op:
        batch_op.create_index('ix_user_guest_last_seen_at', ['last_seen_at'], unique=False, sqlite_where=sa.text('name_key IS NULL'), postgresql_where=sa.text('name_key IS NULL'))

    op.create_table('known_browser',
    sa.Column('user_id', sa.Integer(), nullable=False),
    sa.Column('token_hash', sa.String(length=64), nullable=False),
    sa.Column('last_used_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['user_id'], ['user.id'], name=op.f('fk_known_browser_user_id_user'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('user_id', 'token_hash', name=op.f('pk_known_browser'))
    )
    with op.batch_alter_table('known_browser', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_known_browser_last_used_at'), ['last_used_at'], unique=False)

    op.create_table('move',
    sa.Column('game_id', sa.Integer(), nullable=False),
    sa.Column('ply', sa.Integer(), nullable=False),
    sa.Column('cell', sa.Integer(), nullable=False),
    sa.Column('made_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('nodes', sa.Integer(), nullable=True),
    sa.Column('microseconds', sa.Integer(), nullable=True),
    sa.ForeignKeyConstraint(['game_id'], ['game.id'], name=op.f('fk_move_game_id_game'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('game_id', 'ply', name=op.f('pk_move')),
    sa.UniqueConstraint('game_id', 'cell', name=op.f('uq_move_game_id_cell'))
    )
    op.create_table('seat',
    sa.Column('game_id', sa.Integer(), nullable=False),
    sa.Column('mark', sa.String(length=1), nullable=False),
    sa.Column('user_id', sa.Integer(), nullable=True),
    sa.Column('level', sa.String(length=10), nullable=True),
    sa.Column('result', sa.String(length=5), nullable=True),
    sa.CheckConstraint("mark IN ('X', 'O')", name=op.f('ck_seat_mark')),
    sa.CheckConstraint('(user_id IS NULL) <> (level IS NULL)', name=op.f('ck_seat_one_holder')),
    sa.ForeignKeyConstraint(['game_id'], ['game.id'], name=op.f('fk_seat_game_id_game'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['user_id'], ['user.id'], name=op.f('fk_seat_user_id_user')),
    sa.PrimaryKeyConstraint('game_id', 'mark', name=op.f('pk_seat')),
    sa.UniqueConstraint('game_id', 'user_id', name=op.f('uq_seat_game_id_user_id'))
    )
    with op.batch_alter_table('seat', schema=None) as batch_op:
        batch_op.create_index('ix_seat_unfinished', ['user_id', 'game_id'], unique=False, sqlite_where=sa.text('result IS NULL'), postgresql_where=sa.text('result IS NULL'))
        batch_op.create_index('ix_seat_user_id_game_id', ['user_id', 'game_id'], unique=False)

    op.create_table('session',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('token_hash', sa.String(length=64), nullable=False),
    sa.Column('user_id', sa.Integer(), nullable=True),
    sa.Column('data', sa.String(), nullable=False),
    sa.Column('user_agent', sa.String(length=300), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('last_seen_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['user_id'], ['user.id'], name=op.f('fk_session_user_id_user'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_session')),
    sa.UniqueConstraint('token_hash', name=op.f('uq_session_token_hash'))
    )
    with op.batch_alter_table('session', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_session_last_seen_at'), ['last_seen_at'], unique=False)
        batch_op.create_index(batch_op.f('ix_session_user_id'), ['user_id'], unique=False)

    op.create_table('tally',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('user_id', sa.Integer(), nullable=False),
    sa.Column('level', sa.String(length=10), nullable=True),
    sa.Column('opponent_id', sa.Integer(), nullable=True),
    sa.Column('mark', sa.String(length=1), nullable=False),
    sa.Column('won', sa.Integer(), nullable=False),
    sa.Column('lost', sa.Integer(), nullable=False),
    sa.Column('drawn', sa.Integer(), nullable=False),
    sa.CheckConstraint('(opponent_id IS NULL) <> (level IS NULL)', name=op.f('ck_tally_one_opponent')),
    sa.ForeignKeyConstraint(['opponent_id'], ['user.id'], name=op.f('fk_tally_opponent_id_user')),
    sa.ForeignKeyConstraint(['user_id'], ['user.id'], name=op.f('fk_tally_user_id_user'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_tally'))
    )
    with op.batch_alter_table('tally', schema=None) as batch_op:
        batch_op.create_index('uq_tally_level', ['user_id', 'level', 'mark'], unique=True, sqlite_where=sa.text('level IS NOT NULL'), postgresql_where=sa.text('level IS NOT NULL'))
        batch_op.create_index('uq_tally_opponent', ['user_id', 'opponent_id', 'mark'], unique=True, sqlite_where=sa.text('opponent_id IS NOT NULL'), postgresql_where=sa.text('opponent_id IS NOT NULL'))



def downgrade() -> None:
    with op.batch_alter_table('tally', schema=None) as batch_op:
        batch_op.drop_index('uq_tally_opponent', sqlite_where=sa.text('opponent_id IS NOT NULL'), postgresql_where=sa.text('opponent_id IS NOT NULL'))
        batch_op.drop_index('uq_tally_level', sqlite_where=sa.text('level IS NOT NULL'), postgresql_where=sa.text('level IS NOT NULL'))

    op.drop_table('tally')
    with op.batch_alter_table('session', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_session_user_id'))
        batch_op.drop_index(batch_op.f('ix_session_last_seen_at'))

    op.drop_table('session')
    with op.batch_alter_table('seat', schema=None) as batch_op:
        batch_op.drop_index('ix_seat_user_id_game_id')
        batch_op.drop_index('ix_seat_unfinished', sqlite_where=sa.text('result IS NULL'), postgresql_where=sa.text('result IS NULL'))

    op.drop_table('seat')
    op.drop_table('move')
    with op.batch_alter_table('known_browser', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_known_browser_last_used_at'))

    op.drop_table('known_browser')
    with op.batch_alter_table('user', schema=None) as batch_op:
        batch_op.drop_index('ix_user_guest_last_seen_at', sqlite_where=sa.text('name_key IS NULL'), postgresql_where=sa.text('name_key IS NULL'))

    op.drop_table('user')
    with op.batch_alter_table('throttle', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_throttle_ends_at'))

    op.drop_table('throttle')
    op.drop_table('game')
