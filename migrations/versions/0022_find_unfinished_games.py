"""find unfinished games

SQLite without statistics took the index of all games of a user for the few unfinished ones. With the result among its
columns, the index of these is the better one by its look alone.

Follows: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = '0022'
down_revision = '0021'
UNFINISHED = {'sqlite_where': sa.text('result IS NULL'), 'postgresql_where': sa.text('result IS NULL')}


def upgrade() -> None:
    op.drop_index('ix_seat_unfinished', 'seat', **UNFINISHED)
    op.create_index('ix_seat_unfinished', 'seat', ['user_id', 'result', 'game_id'], **UNFINISHED)


def downgrade() -> None:
    op.drop_index('ix_seat_unfinished', 'seat', **UNFINISHED)
    op.create_index('ix_seat_unfinished', 'seat', ['user_id', 'game_id'], **UNFINISHED)
