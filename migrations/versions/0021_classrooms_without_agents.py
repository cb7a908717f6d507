"""classrooms without agents

Follows: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = '0021'
down_revision = '0020'


def upgrade() -> None:
    op.add_column('classroom', sa.Column('allows_agents', sa.Boolean(), nullable=False, server_default=sa.true()))


def downgrade() -> None:
    op.drop_column('classroom', 'allows_agents')
