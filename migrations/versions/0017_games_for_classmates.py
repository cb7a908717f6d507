"""games for classmates

Follows: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = '0017'
down_revision = '0016'


def upgrade() -> None:
    op.add_column('game', sa.Column('classroom_id', sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column('game', 'classroom_id')
