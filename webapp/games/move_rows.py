"""The rows of moves: added as they are played, and taken back. Within a unit of `changes`, or of a game that begins."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Integer, bindparam, delete, insert, select

from webapp.clock import now
from webapp.database import UtcDateTime
from webapp.games.game_record import GameRecord
from webapp.games.models import Move, TakenBack
from webapp.measured import measured
from webapp.prepared import Prepared

MoveRow = dict[str, Any]
_ADD_MOVE = Prepared(
    insert(Move).values(
        {name: bindparam(name) for name in ("game_id", "ply", "cell", "made_at", "nodes", "microseconds")}
    )
)


def add_moves(connection: Connection, game_id: int, moves: Sequence[MoveRow]) -> None:
    _ADD_MOVE.run_all(connection, [{"game_id": game_id, **move} for move in moves])
    measured().moves(len(moves))


_TAKEN = (Move.game_id == bindparam("of_game"), Move.ply >= bindparam("from_ply"))
_OF_MOVE = (Move.game_id, Move.ply, Move.cell, Move.made_at, Move.nodes, Move.microseconds)
_KEEP_TAKEN = Prepared(
    insert(TakenBack).from_select(
        [*(column.key for column in _OF_MOVE), "version", "taken_at"],
        select(*_OF_MOVE, bindparam("version", type_=Integer), bindparam("moment", type_=UtcDateTime)).where(*_TAKEN),
    )
)
_DELETE_TAKEN = Prepared(delete(Move).where(*_TAKEN))


def take_back(connection: Connection, game: GameRecord, from_ply: int) -> None:
    """The moves from this ply on stand no longer, and stay recorded as taken back."""
    _KEEP_TAKEN.run(connection, of_game=game.id, from_ply=from_ply, version=game.version, moment=now())
    _DELETE_TAKEN.run(connection, of_game=game.id, from_ply=from_ply)
