"""add agents

Follows: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = '0018'
down_revision = '0017'

OWNED = sa.text('owner_id IS NOT NULL')


def upgrade() -> None:
    op.add_column('user', sa.Column('owner_id', sa.Integer(), nullable=True))
    op.create_index('ix_user_owner_id', 'user', ['owner_id'], sqlite_where=OWNED, postgresql_where=OWNED)
    op.add_column('game', sa.Column('cause', sa.String(200), nullable=True))
    op.create_table(
        'agent',
        sa.Column('user_id', sa.Integer(), nullable=False),
        sa.Column('owner_id', sa.Integer(), nullable=False),
        sa.Column('token_hash', sa.String(64), nullable=True),
        sa.Column('plays_with', sa.String(80), nullable=False),
        sa.Column('accepts', sa.String(10), nullable=False),
        sa.Column('games_at_once', sa.Integer(), nullable=False),
        sa.Column('wait_number', sa.Integer(), nullable=False),
        sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('last_seen_at', sa.DateTime(timezone=True), nullable=True),
        sa.Column('revoked_at', sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(['user_id'], ['user.id'], name=op.f('fk_agent_user_id_user'), ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['owner_id'], ['user.id'], name=op.f('fk_agent_owner_id_user'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('user_id', name=op.f('pk_agent')),
        sa.UniqueConstraint('token_hash', name=op.f('uq_agent_token_hash')),
    )
    op.create_index(op.f('ix_agent_owner_id'), 'agent', ['owner_id'])


def downgrade() -> None:
    """Without agents theirs are accounts that nobody can open."""
    op.drop_table('agent')
    op.drop_column('game', 'cause')
    op.drop_index('ix_user_owner_id', 'user', sqlite_where=OWNED, postgresql_where=OWNED)
    op.drop_column('user', 'owner_id')
