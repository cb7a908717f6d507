"""count games of classrooms

Follows: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = '0012'
down_revision = '0011'


def upgrade() -> None:
    op.create_table(
        'counted_game',
        sa.Column('classroom_id', sa.Integer(), within('classroom.id'), primary_key=True),
        sa.Column('user_id', sa.Integer(), within('user.id'), primary_key=True, index=True),
        sa.Column('game_id', sa.Integer(), within('game.id'), primary_key=True, index=True),
        sa.Column('lesson_id', sa.Integer(), nullable=False),
        sa.Column('day', sa.Date(), nullable=False),
        sa.Column('kind', sa.String(10), nullable=False),
        sa.Index('ix_counted_game_lesson', 'classroom_id', 'lesson_id', 'game_id'),
        sa.Index('ix_counted_game_day', 'classroom_id', 'day'),
    )
    op.create_table(
        'classroom_tally',
        sa.Column('classroom_id', sa.Integer(), within('classroom.id'), primary_key=True),
        sa.Column('user_id', sa.Integer(), within('user.id'), primary_key=True, index=True),
        sa.Column('lesson_id', sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column('day', sa.Date(), primary_key=True),
        sa.Column('kind', sa.String(10), primary_key=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in SUMS),
    )


SUMS = ('won', 'drawn', 'lost', 'decisions', 'kept', 'moves')


def downgrade() -> None:
    op.drop_table('classroom_tally')
    op.drop_table('counted_game')


def within(parent: str) -> sa.ForeignKey:
    return sa.ForeignKey(parent, ondelete='CASCADE')
