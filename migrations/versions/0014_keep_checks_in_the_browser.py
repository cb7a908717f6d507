"""keep checks in the browser

Follows: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = '0014'
down_revision = '0013'


def upgrade() -> None:
    op.create_table(
        'self_check',
        sa.Column('user_id', sa.Integer(), nullable=False),
        sa.Column('lab', sa.String(20), nullable=False),
        sa.Column('passed', sa.Integer(), nullable=False),
        sa.Column('tests', sa.Integer(), nullable=False),
        sa.Column('wrong', sa.String(60), nullable=False),
        sa.Column('mistake', sa.String(60), nullable=False),
        sa.Column('checked_at', sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(['user_id'], ['user.id'], name=op.f('fk_self_check_user_id_user'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('user_id', 'lab', name=op.f('pk_self_check')),
    )


def downgrade() -> None:
    op.drop_table('self_check')
