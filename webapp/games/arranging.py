"""Games that the server begins with both seats taken, for a competition. Within a unit of who arranges them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from random import Random
from typing import Any

from sqlalchemy import Connection, insert

from webapp.clock import now
from webapp.database import added_id, announce_change
from webapp.games.models import Game, Seat
from webapp.games.move_rows import MoveRow, add_moves
from webapp.games.services import answer_of, luck, move_row, new_public_id
from webapp.games.states import Visibility
from webapp.tictactoe import STANDARD, Board, Mark, mover, replay


@dataclass(frozen=True)
class Arranged:
    """A game to begin: who holds which mark (a user's id, or the name of a level), and the moves that are made."""

    holders: Mapping[Mark, int | str]
    visibility: Visibility
    due_at: datetime | None
    opening: Sequence[int] = ()
    moves: Sequence[MoveRow] = ()  # the opening, and the computer's first move if it is to move then
    board: Board = STANDARD
    seed: int | None = None
    public_id: str = field(default_factory=new_public_id)


def arranged(
    holders: Mapping[Mark, int | str], visibility: Visibility, due_at: datetime | None, random: Random,
    opening: Sequence[int] = (), board: Board = STANDARD, seed: int | None = None,
) -> Arranged:  # fmt: skip
    """Searched for without the lock. An opening after which the game is over is a mistake of who chose it."""
    position, moves = replay(list(opening), board), [move_row(ply, cell) for ply, cell in enumerate(opening)]
    level = holders[position.to_move]
    if isinstance(level, str):
        moves += answer_of(position, level, luck(seed, len(moves), random), ply=len(moves))
    return Arranged(holders, visibility, due_at, opening, moves, board, seed)


def begin(connection: Connection, game: Arranged) -> int:
    """Its id. The users in it are locked already, and none of them is deleted."""
    game_id = added_id(connection, insert(Game).values(_values(game)))
    connection.execute(insert(Seat), [_seat(game_id, mark, holder) for mark, holder in game.holders.items()])
    add_moves(connection, game_id, game.moves)
    announce_change(connection)
    return game_id


def _values(game: Arranged) -> dict[str, Any]:
    to_move, moment = game.holders[mover(len(game.moves))], now()
    is_between_people = all(isinstance(holder, int) for holder in game.holders.values())
    return {
        "public_id": game.public_id, "visibility": game.visibility, "arranged": True, "version": len(game.moves),
        "opening_plies": len(game.opening), "seed": game.seed, "due_at": game.due_at, "turn_began_at": moment,
        "created_at": moment, "to_move_id": to_move if is_between_people else None, **asdict(game.board),
    }  # fmt: skip


def _seat(game_id: int, mark: Mark, holder: int | str) -> dict[str, Any]:
    user_id, level = (holder, None) if isinstance(holder, int) else (None, holder)
    return {"game_id": game_id, "mark": mark.value, "user_id": user_id, "level": level}
