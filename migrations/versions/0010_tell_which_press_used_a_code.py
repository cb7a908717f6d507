"""tell which press used a code

Follows: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = '0010'
down_revision = '0009'


def upgrade() -> None:
    op.add_column('log_in_code', sa.Column('used_in', sa.String(64), nullable=True))


def downgrade() -> None:
    op.drop_column('log_in_code', 'used_in')
