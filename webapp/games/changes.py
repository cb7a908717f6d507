"""The one door through which a game changes: moves, the end with its results and totals, and all else.

A change is decided on what was read, without the write lock, and written with `WHERE version = ?`. If somebody
else was quicker, no row changes, and it is read again and decided afresh.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import bindparam, insert, update

from webapp.clock import now
from webapp.database import announce_change, begin_writing, changed_rows
from webapp.extensions import db
from webapp.games import tallies
from webapp.games.models import DRAWN, FINISHED, LOST, OPEN, WITHDRAWN, WON, Game, Move, Seat
from webapp.games.queries import GameRecord, game_seen_by
from webapp.tictactoe import Mark

_END_OF_SEAT = update(Seat.__table__).where(  # type: ignore[arg-type]  # a mapped class's table is a Table
    Seat.game_id == bindparam("of_game"), Seat.mark == bindparam("of_mark")
)

MoveRow = dict[str, Any]


class SomebodyWasQuicker(Exception):
    """The version that we decided on is no longer the present one."""


@dataclass(frozen=True)
class End:
    """How a game ends. Only a finished one counts; one that was aborted or withdrawn counts nowhere."""

    reason: str
    winner: Mark | None = None
    status: str = FINISHED


@dataclass(frozen=True)
class Change:
    moves: Sequence[MoveRow] = ()
    end: End | None = None
    values: Mapping[str, Any] = field(default_factory=dict)  # further columns of the game
    seats: Sequence[dict[str, Any]] = ()  # of a game that begins
    joined_by: int | None = None  # whose own open game is withdrawn, because a player waits in one place only


def change_game(user_id: int, public_id: str, decide: Callable[[GameRecord], Change | None]) -> None:
    """Load the game as this user may see it, decide, write. None means that what is asked for is done already."""
    while True:
        game = game_seen_by(user_id, public_id)
        db.session.rollback()
        change = decide(game)
        if change is None:
            return None
        try:
            return write(game, change)
        except SomebodyWasQuicker:
            continue


def write(game: GameRecord, change: Change) -> None:
    values = {"version": game.version + 1, **change.values}
    if change.end is not None:
        end = change.end
        ended = {"status": end.status, "winner": end.winner, "reason": end.reason}
        values |= {**ended, "ended_at": now(), "due_at": None, "draw_is_open": False}
    begin_writing()
    if not changed_rows(update(Game).where(Game.id == game.id, Game.version == game.version).values(values)):
        db.session.rollback()
        raise SomebodyWasQuicker
    if change.seats:
        db.session.execute(insert(Seat), [{"game_id": game.id, **seat} for seat in change.seats])
    if change.joined_by is not None:
        withdraw_open_game_of(change.joined_by)
    add_moves(game.id, change.moves)
    if change.end is not None and change.end.status == FINISHED:
        _write_results(game, change.end.winner)
    announce_change()
    db.session.commit()


def withdraw_open_game_of(user_id: int) -> None:
    """Within a unit that writes: nobody is waited for any more in the game that this user has open."""
    gone = {"status": WITHDRAWN, "reason": "replaced", "ended_at": now(), "due_at": None, "rematch_of": None}
    mine = (Game.opened_by == user_id, Game.status == OPEN)
    db.session.execute(update(Game).where(*mine).values(version=Game.version + 1, **gone))


def add_moves(game_id: int, moves: Sequence[MoveRow]) -> None:
    if moves:
        db.session.execute(insert(Move), [{"game_id": game_id, **move} for move in moves])


def _write_results(game: GameRecord, winner: Mark | None) -> None:
    results = {mark: DRAWN if winner is None else WON if mark == winner else LOST for mark in game.holders}
    rows = [_seat_at_the_end(game, mark, result) for mark, result in results.items()]
    db.session.connection().execute(_END_OF_SEAT, rows)
    tallies.count(game.holders, results)


def _seat_at_the_end(game: GameRecord, mark: Mark, result: str) -> dict[str, Any]:
    opponent = game.holders[mark.other]
    copy = {"opponent_id": opponent.user_id, "opponent_level": opponent.level}
    return {"of_game": game.id, "of_mark": mark.value, "result": result, **copy}
