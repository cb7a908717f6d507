"""agents for a class

Follows: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = '0023'
down_revision = '0022'


def upgrade() -> None:
    op.add_column('agent', sa.Column('for_class', sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column('agent', 'for_class')
