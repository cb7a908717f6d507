"""keep practice answers

Follows: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = '0011'
down_revision = '0010'


def upgrade() -> None:
    op.create_table(
        'practice_answer',
        sa.Column('user_id', sa.Integer(), nullable=False),
        sa.Column('kind', sa.String(10), nullable=False),
        sa.Column('question', sa.String(40), nullable=False),
        sa.Column('grade', sa.String(10), nullable=False),
        sa.Column('tries', sa.Integer(), nullable=False),
        sa.Column('answer', sa.String(20), nullable=False),
        sa.Column('is_right', sa.Boolean(), nullable=False),
        sa.Column('answered_at', sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint('tries > 0', name=op.f('ck_practice_answer_tried')),
        sa.ForeignKeyConstraint(['user_id'], ['user.id'], name=op.f('fk_practice_answer_user_id_user'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('user_id', 'kind', 'question', name=op.f('pk_practice_answer')),
    )
    op.create_index('ix_practice_answer_newest', 'practice_answer', ['user_id', 'answered_at'])


def downgrade() -> None:
    op.drop_table('practice_answer')
