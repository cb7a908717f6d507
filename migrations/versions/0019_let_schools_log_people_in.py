"""let schools log people in

Follows: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = '0019'
down_revision = '0018'


def upgrade() -> None:
    op.create_table(
        'external_identity',
        sa.Column('issuer', sa.String(300), nullable=False),
        sa.Column('subject', sa.String(255), nullable=False),
        sa.Column('user_id', sa.Integer(), nullable=False),
        sa.Column('joined_at', sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ['user_id'], ['user.id'], name=op.f('fk_external_identity_user_id_user'), ondelete='CASCADE'
        ),
        sa.PrimaryKeyConstraint('issuer', 'subject', name=op.f('pk_external_identity')),
    )
    op.create_index(op.f('ix_external_identity_user_id'), 'external_identity', ['user_id'])


def downgrade() -> None:
    op.drop_table('external_identity')
