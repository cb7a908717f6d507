"""void seats of cancelled games

Follows: 0004
"""

from alembic import op

revision = '0005'
down_revision = '0004'

OTHER = 'FROM seat AS other WHERE other.game_id = seat.game_id AND other.mark <> seat.mark'


def upgrade() -> None:
    op.execute(
        f"UPDATE seat SET result = 'void', opponent_id = (SELECT other.user_id {OTHER})"
        " WHERE result IS NULL AND game_id IN (SELECT id FROM game WHERE status = 'aborted')"
    )


def downgrade() -> None:
    op.execute("UPDATE seat SET result = NULL, opponent_id = NULL WHERE result = 'void'")
