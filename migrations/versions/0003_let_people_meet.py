"""let people meet

Follows: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = '0003'
down_revision = '0002'

KEPT = {'sqlite_autoincrement': True}  # it is not seen when the table is copied


def upgrade() -> None:
    op.create_table('presence',
    sa.Column('user_id', sa.Integer(), nullable=False),
    sa.Column('seen_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('by_stream', sa.Boolean(), nullable=False),
    sa.ForeignKeyConstraint(['user_id'], ['user.id'], name=op.f('fk_presence_user_id_user'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('user_id', name=op.f('pk_presence'))
    )
    with op.batch_alter_table('presence', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_presence_seen_at'), ['seen_at'], unique=False)

    with op.batch_alter_table('game', table_kwargs=KEPT) as batch_op:
        batch_op.add_column(sa.Column('opened_by', sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column('wished_mark', sa.String(length=6), nullable=True))
        batch_op.add_column(sa.Column('challenged_id', sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column('rematch_of', sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column('draw_offered_by', sa.String(length=1), nullable=True))
        batch_op.add_column(sa.Column('draw_offered_ply', sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column('draw_is_open', sa.Boolean(), server_default=sa.false(), nullable=False))
        batch_op.add_column(sa.Column('due_at', sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index('ix_game_challenged_id', ['challenged_id'], unique=False, sqlite_where=sa.text('challenged_id IS NOT NULL'), postgresql_where=sa.text('challenged_id IS NOT NULL'))
        batch_op.create_index('ix_game_due_at', ['due_at'], unique=False, sqlite_where=sa.text('due_at IS NOT NULL'), postgresql_where=sa.text('due_at IS NOT NULL'))
        batch_op.create_index('ix_game_open', ['visibility', 'id'], unique=False, sqlite_where=sa.text("status = 'open'"), postgresql_where=sa.text("status = 'open'"))
        batch_op.create_index('ix_game_opened_by', ['opened_by'], unique=False, sqlite_where=sa.text('opened_by IS NOT NULL'), postgresql_where=sa.text('opened_by IS NOT NULL'))
        batch_op.create_index('ix_game_watched', ['id'], unique=False, sqlite_where=sa.text("status = 'playing' AND visibility = 'public'"), postgresql_where=sa.text("status = 'playing' AND visibility = 'public'"))
        batch_op.create_index('uq_game_one_open_each', ['opened_by'], unique=True, sqlite_where=sa.text("status = 'open'"), postgresql_where=sa.text("status = 'open'"))
        batch_op.create_unique_constraint(batch_op.f('uq_game_rematch_of'), ['rematch_of'])
        batch_op.create_foreign_key(batch_op.f('fk_game_opened_by_user'), 'user', ['opened_by'], ['id'])
        batch_op.create_foreign_key(batch_op.f('fk_game_challenged_id_user'), 'user', ['challenged_id'], ['id'])
        batch_op.create_foreign_key(batch_op.f('fk_game_rematch_of_game'), 'game', ['rematch_of'], ['id'], ondelete='SET NULL')


def downgrade() -> None:
    with op.batch_alter_table('game', table_kwargs=KEPT) as batch_op:
        batch_op.drop_constraint(batch_op.f('fk_game_rematch_of_game'), type_='foreignkey')
        batch_op.drop_constraint(batch_op.f('fk_game_challenged_id_user'), type_='foreignkey')
        batch_op.drop_constraint(batch_op.f('fk_game_opened_by_user'), type_='foreignkey')
        batch_op.drop_constraint(batch_op.f('uq_game_rematch_of'), type_='unique')
        batch_op.drop_index('uq_game_one_open_each', sqlite_where=sa.text("status = 'open'"), postgresql_where=sa.text("status = 'open'"))
        batch_op.drop_index('ix_game_watched', sqlite_where=sa.text("status = 'playing' AND visibility = 'public'"), postgresql_where=sa.text("status = 'playing' AND visibility = 'public'"))
        batch_op.drop_index('ix_game_opened_by', sqlite_where=sa.text('opened_by IS NOT NULL'), postgresql_where=sa.text('opened_by IS NOT NULL'))
        batch_op.drop_index('ix_game_open', sqlite_where=sa.text("status = 'open'"), postgresql_where=sa.text("status = 'open'"))
        batch_op.drop_index('ix_game_due_at', sqlite_where=sa.text('due_at IS NOT NULL'), postgresql_where=sa.text('due_at IS NOT NULL'))
        batch_op.drop_index('ix_game_challenged_id', sqlite_where=sa.text('challenged_id IS NOT NULL'), postgresql_where=sa.text('challenged_id IS NOT NULL'))
        batch_op.drop_column('due_at')
        batch_op.drop_column('draw_is_open')
        batch_op.drop_column('draw_offered_ply')
        batch_op.drop_column('draw_offered_by')
        batch_op.drop_column('rematch_of')
        batch_op.drop_column('challenged_id')
        batch_op.drop_column('wished_mark')
        batch_op.drop_column('opened_by')

    with op.batch_alter_table('presence', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_presence_seen_at'))

    op.drop_table('presence')
