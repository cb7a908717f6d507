"""add classrooms

Follows: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = '0007'
down_revision = '0006'

TABLES = ['classroom', 'set_up_token', 'enrolment', 'lesson', 'log_in_code', 'question', 'question_answer']
ON_USERS = ['is_instructor', 'may_change_name']


def upgrade() -> None:
    for name in ON_USERS:
        op.add_column('user', sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        'classroom',
        sa.Column('id', sa.Integer(), primary_key=True),
        sa.Column('public_id', sa.String(16), nullable=False, unique=True),
        sa.Column('name', sa.String(80), nullable=False),
        sa.Column('term', sa.String(40), nullable=False),
        moment('created_at'),
        moment('archived_at', nullable=True),
        sa.Column('join_code', sa.String(16), nullable=False, unique=True),
        sa.Column('join_is_open', sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column('seat_limit', sa.Integer(), nullable=False),
        sa.Column('only_members', sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column('allows_watching', sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column('allows_coach', sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column('levels', sa.String(100)),
        sa.Column('has_leaderboard', sa.Boolean(), nullable=False, server_default=sa.true()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        'set_up_token',
        sa.Column('id', sa.Integer(), primary_key=True),
        sa.Column('token_hash', sa.String(64), nullable=False, unique=True),
        moment('created_at'),
    )
    op.create_table(
        'enrolment',
        sa.Column('id', sa.Integer(), primary_key=True),
        sa.Column('classroom_id', sa.Integer(), within('classroom.id'), nullable=False, index=True),
        sa.Column('user_id', sa.Integer(), within('user.id'), nullable=False, index=True),
        sa.Column('role', sa.String(10), nullable=False),
        sa.Column('real_name', sa.String(100), nullable=False),
        sa.Column('external_id', sa.String(100), nullable=False),
        sa.Column('email', sa.String(254), nullable=False),
        sa.Column('section', sa.String(100), nullable=False),
        sa.Column('made_for_classroom', sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column('on_leaderboard', sa.Boolean(), nullable=False, server_default=sa.true()),
        moment('joined_at'),
        moment('removed_at', nullable=True),
        one_at_a_time('uq_enrolment_present', 'removed_at', 'classroom_id', 'user_id'),
    )
    op.create_table(
        'lesson',
        sa.Column('id', sa.Integer(), primary_key=True),
        sa.Column('classroom_id', sa.Integer(), within('classroom.id'), nullable=False, index=True),
        moment('began_at'),
        moment('ended_at', nullable=True),
        sa.Column('first_game_id', sa.Integer(), nullable=False),
        one_at_a_time('uq_lesson_present', 'ended_at', 'classroom_id'),
    )
    op.create_table(
        'log_in_code',
        sa.Column('user_id', sa.Integer(), within('user.id'), primary_key=True),
        sa.Column('classroom_id', sa.Integer(), within('classroom.id'), nullable=False, index=True),
        sa.Column('code_hash', sa.String(200), nullable=False),
        moment('expires_at', index=True),
        moment('used_at', nullable=True),
    )
    op.create_table(
        'question',
        sa.Column('id', sa.Integer(), primary_key=True),
        sa.Column('lesson_id', sa.Integer(), within('lesson.id'), nullable=False, index=True),
        sa.Column('position', sa.String(32), nullable=False),
        sa.Column('to_move', sa.String(1), nullable=False),
        moment('asked_at'),
        moment('closed_at', nullable=True),
        one_at_a_time('uq_question_present', 'closed_at', 'lesson_id'),
    )
    op.create_table(
        'question_answer',
        sa.Column('question_id', sa.Integer(), within('question.id'), primary_key=True),
        sa.Column('user_id', sa.Integer(), within('user.id'), primary_key=True, index=True),
        sa.Column('cell', sa.Integer(), nullable=False),
        moment('answered_at'),
    )


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)
    for name in ON_USERS:
        op.drop_column('user', name)


def moment(name: str, nullable: bool = False, index: bool = False) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable, index=index)


def within(parent: str) -> sa.ForeignKey:
    return sa.ForeignKey(parent, ondelete='CASCADE')


def one_at_a_time(name: str, end: str, *columns: str) -> sa.Index:
    where = sa.text(f'{end} IS NULL')
    return sa.Index(name, *columns, unique=True, sqlite_where=where, postgresql_where=where)
