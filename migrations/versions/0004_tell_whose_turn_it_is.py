"""tell whose turn it is

Follows: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = '0004'
down_revision = '0003'

WATCHED = "status = 'playing' AND visibility = 'public'"
MOVES_OF_GAME = 'FROM move WHERE move.game_id = game.id'
MARK_TO_MOVE = f"CASE (SELECT count(*) {MOVES_OF_GAME}) % 2 WHEN 0 THEN 'X' ELSE 'O' END"


def _index(name: str, column: str, where: str, *others: str) -> None:
    op.create_index(name, 'game', [column, *others], unique=False,
                    sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    # Plain ADD COLUMN, not a batch: the table is not copied, however many games there are.
    op.add_column('game', sa.Column('to_move_id', sa.Integer(), nullable=True))
    op.add_column('game', sa.Column('called_id', sa.Integer(), nullable=True))
    op.add_column('game', sa.Column('turn_began_at', sa.DateTime(timezone=True), nullable=True))
    op.execute(
        f'UPDATE game SET turn_began_at = coalesce((SELECT max(made_at) {MOVES_OF_GAME}), created_at),'
        f' to_move_id = (SELECT user_id FROM seat WHERE seat.game_id = game.id AND mark = {MARK_TO_MOVE})'
        " WHERE status = 'playing'"
        ' AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.game_id = game.id AND level IS NOT NULL)'
    )
    op.execute("UPDATE game SET called_id = challenged_id WHERE status = 'open'")
    op.execute(
        "UPDATE game SET called_id = opened_by WHERE status = 'playing' AND opened_by <> to_move_id"
        f' AND NOT EXISTS (SELECT 1 {MOVES_OF_GAME})'
    )
    _index('ix_game_to_move_id', 'to_move_id', 'to_move_id IS NOT NULL', 'id')
    _index('ix_game_called_id', 'called_id', 'called_id IS NOT NULL', 'id')
    op.drop_index('ix_game_watched', 'game')
    _index('ix_game_watched', 'turn_began_at', WATCHED)


def downgrade() -> None:
    op.drop_index('ix_game_watched', 'game')
    _index('ix_game_watched', 'id', WATCHED)
    op.drop_index('ix_game_called_id', 'game')
    op.drop_index('ix_game_to_move_id', 'game')
    for column in ('turn_began_at', 'called_id', 'to_move_id'):
        op.drop_column('game', column)
