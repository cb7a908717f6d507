"""judge finished games

Each batch is committed by itself, and a game that is judged says so: whoever is killed here goes on there next time.

Follows: 0008
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import click
import sqlalchemy as sa
from alembic import op

from webapp.games.verdicts import JudgedSide, judged_sides, mistake_row
from webapp.tictactoe import Board, Mark, Refused

revision = '0009'
down_revision = '0008'

IN_BATCH = 1000
TO_JUDGE = '''FROM game WHERE status = 'finished' AND "rows" * "columns" <= 9 AND id > :after
    AND EXISTS (SELECT 1 FROM seat WHERE seat.game_id = game.id AND decisions IS NULL)'''
GAMES = sa.text(f'SELECT id, "rows", "columns", in_a_row {TO_JUDGE} ORDER BY id LIMIT {IN_BATCH}')  # noqa: S608
SEATS = '''SELECT seat.game_id, seat.mark, seat.user_id, other.level, other.user_id AS opponent_id, "user".deleted_at
    FROM seat JOIN seat AS other ON other.game_id = seat.game_id AND other.mark <> seat.mark
    LEFT JOIN "user" ON "user".id = seat.user_id WHERE seat.game_id IN :games'''
MOVES = 'SELECT game_id, cell FROM move WHERE game_id IN :games ORDER BY game_id, ply'
JUDGE_SEAT = 'UPDATE seat SET decisions = :decisions, kept = :kept WHERE game_id = :game_id AND mark = :mark'
MISTAKE = ('game_id', 'ply', 'user_id', 'shape', 'position', 'to_move', 'cell', 'value_before', 'value_after')
ADD_MISTAKE = f"INSERT INTO mistake ({', '.join(MISTAKE)}) VALUES ({', '.join(':' + name for name in MISTAKE)})"  # noqa: S608
SUM = ('UPDATE tally SET decisions = decisions + :decisions, kept = kept + :kept'
       ' WHERE user_id = :user_id AND mark = :mark AND shape = :shape AND ')  # fmt: skip


def upgrade() -> None:
    connection = op.get_bind()
    count = connection.scalar(sa.text(f'SELECT count(*) {TO_JUDGE}'), {'after': 0})  # noqa: S608
    done = 0
    while games := connection.execute(GAMES, {'after': games[-1].id if done else 0}).all():
        judge(connection, games)
        keep(connection)
        done += len(games)
        click.echo(f'Judging the moves of finished games: {done:,} of {count:,} done.')


def keep(connection: sa.Connection) -> None:
    """Commit. PostgreSQL's driver begins the next transaction by itself."""
    connection.exec_driver_sql('COMMIT')
    if connection.dialect.name == 'sqlite':
        connection.exec_driver_sql('BEGIN IMMEDIATE')


def judge(connection: sa.Connection, games: list[Any]) -> None:
    boards = {game.id: Board(*game[1:]) for game in games}
    cells: dict[int, list[int]] = {game_id: [] for game_id in boards}
    for move in of_games(connection, MOVES, boards):
        cells[move.game_id].append(move.cell)
    taught = {game_id: what_is_taught(board, tuple(cells[game_id])) for game_id, board in boards.items()}
    write(connection, of_games(connection, SEATS, boards), taught, boards)


def of_games(connection: sa.Connection, statement: str, games: dict[int, Board]) -> list[Any]:
    listed = sa.text(statement).bindparams(sa.bindparam('games', expanding=True))
    return list(connection.execute(listed, {'games': list(games)}))


@lru_cache(2**14)  # a class plays the same games again and again
def what_is_taught(board: Board, cells: tuple[int, ...]) -> dict[Mark, JudgedSide]:
    try:
        return dict(judged_sides(board, cells))
    except Refused:  # moves that cannot be replayed: the check of the database tells of them
        return {}


def write(
    connection: sa.Connection, seats: list[Any], taught: dict[int, dict[Mark, JudgedSide]], boards: dict[int, Board]
) -> None:
    judged = [(seat, taught[seat.game_id][Mark(seat.mark)]) for seat in seats if taught[seat.game_id]]
    run(connection, JUDGE_SEAT, [
        {'game_id': seat.game_id, 'mark': seat.mark, 'decisions': side.decisions, 'kept': side.kept}
        for seat, side in judged
    ])  # fmt: skip
    run(connection, ADD_MISTAKE, [
        {'game_id': seat.game_id, 'user_id': seat.user_id, **mistake_row(move)}
        for seat, side in judged if seat.user_id is not None and seat.deleted_at is None
        for move in side.mistakes
    ])  # fmt: skip
    for column in ('level', 'opponent_id'):
        run(connection, f'{SUM} {column} = :{column}', list(sums(judged, column, boards)))


def sums(judged: list[tuple[Any, JudgedSide]], column: str, boards: dict[int, Board]) -> Iterator[dict[str, Any]]:
    """What to add to the totals, one row for each user, opponent, mark and shape."""
    decisions, kept = Counter[Any](), Counter[Any]()
    for seat, side in judged:
        if seat.user_id is not None and getattr(seat, column) is not None:
            key = (seat.user_id, getattr(seat, column), seat.mark, boards[seat.game_id].shape)
            decisions[key] += side.decisions
            kept[key] += side.kept
    for key, sum_of_decisions in decisions.items():
        row = dict(zip(('user_id', column, 'mark', 'shape'), key, strict=True))
        yield {**row, 'decisions': sum_of_decisions, 'kept': kept[key]}


def run(connection: sa.Connection, statement: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(sa.text(statement), rows)


def downgrade() -> None:
    """The columns go with the migration before this one."""
