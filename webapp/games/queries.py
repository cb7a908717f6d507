"""Questions about games. Read only; a game comes whole, in one statement, as a plain value."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import User
from webapp.errors import NotThere
from webapp.extensions import db
from webapp.games.models import PLAYING, Game, Move, Seat, Tally
from webapp.tictactoe import Board, Mark, Position, replay


@dataclass(frozen=True)
class Holder:
    """Who sits in a seat: a user (with a name, a guest's None, or deleted) or the computer at a level."""

    mark: Mark
    user_id: int | None
    level: str | None
    name: str | None
    is_deleted: bool


@dataclass(frozen=True)
class MadeMove:
    cell: int
    nodes: int | None
    microseconds: int | None


@dataclass(frozen=True)
class GameRecord:
    """A game as it stands in the database at one moment."""

    id: int
    public_id: str
    board: Board
    status: str
    visibility: str
    winner: str | None
    reason: str | None
    created_at: datetime
    ended_at: datetime | None
    version: int
    holders: dict[Mark, Holder]
    moves: tuple[MadeMove, ...]

    @cached_property
    def position(self) -> Position:
        return replay([move.cell for move in self.moves], self.board)

    @property
    def is_over(self) -> bool:
        return self.status != PLAYING

    def mark_of(self, user_id: int | None) -> Mark | None:
        """The mark that the user plays, None for a spectator."""
        held = (mark for mark, holder in self.holders.items() if holder.user_id == user_id)
        return next(held, None) if user_id is not None else None


_x_seat, _o_seat = aliased(Seat), aliased(Seat)
_x_user, _o_user = aliased(User), aliased(User)
_GAME = (
    select(
        Game.id, Game.public_id, Game.rows, Game.columns, Game.in_a_row, Game.status, Game.visibility,
        Game.winner, Game.reason, Game.created_at, Game.ended_at, Game.version,
        _x_seat.user_id.label("x_user_id"), _x_seat.level.label("x_level"),
        _x_user.name.label("x_name"), _x_user.deleted_at.label("x_deleted_at"),
        _o_seat.user_id.label("o_user_id"), _o_seat.level.label("o_level"),
        _o_user.name.label("o_name"), _o_user.deleted_at.label("o_deleted_at"),
        Move.cell, Move.nodes, Move.microseconds,
    )
    .join(_x_seat, (_x_seat.game_id == Game.id) & (_x_seat.mark == "X"))
    .join(_o_seat, (_o_seat.game_id == Game.id) & (_o_seat.mark == "O"))
    .outerjoin(_x_user, _x_user.id == _x_seat.user_id)
    .outerjoin(_o_user, _o_user.id == _o_seat.user_id)
    .outerjoin(Move, Move.game_id == Game.id)
    .order_by(Move.ply)
)  # fmt: skip


def game_seen_by(user_id: int | None, public_id: str) -> GameRecord:
    """The game, if this person may see it: permission is decided here, where the game is loaded."""
    rows = db.session.execute(_GAME.where(Game.public_id == public_id)).all()
    if not rows:
        raise NotThere("There is no such game, or it is not yours to see.")
    game = _record(rows)
    if game.mark_of(user_id) is None:
        raise NotThere("There is no such game, or it is not yours to see.")
    return game


def _record(rows: Any) -> GameRecord:
    first = rows[0]
    return GameRecord(
        first.id,
        first.public_id,
        Board(first.rows, first.columns, first.in_a_row),
        first.status,
        first.visibility,
        first.winner,
        first.reason,
        first.created_at,
        first.ended_at,
        first.version,
        {Mark.X: _holder(first, Mark.X), Mark.O: _holder(first, Mark.O)},
        tuple(MadeMove(row.cell, row.nodes, row.microseconds) for row in rows if row.cell is not None),
    )


def _holder(row: Any, mark: Mark) -> Holder:
    one = row._mapping
    side = mark.lower()
    return Holder(
        mark,
        one[f"{side}_user_id"],
        one[f"{side}_level"],
        one[f"{side}_name"],
        one[f"{side}_deleted_at"] is not None,
    )


def unfinished_game(user_id: int | None) -> GameRecord | None:
    """The newest game that this user has begun and not finished."""
    if user_id is None:
        return None
    newest = select(func.max(Seat.game_id)).where(Seat.user_id == user_id, Seat.result.is_(None)).scalar_subquery()
    rows = db.session.execute(_GAME.where(Game.id == newest)).all()
    return _record(rows) if rows else None


@dataclass(frozen=True)
class Record:
    """Wins, draws and losses."""

    won: int
    drawn: int
    lost: int

    @property
    def total(self) -> int:
        return self.won + self.drawn + self.lost


def record_against(user_id: int, opponent: Holder) -> Record:
    against = Tally.level == opponent.level if opponent.level else Tally.opponent_id == opponent.user_id
    sums = [func.coalesce(func.sum(column), 0) for column in (Tally.won, Tally.drawn, Tally.lost)]
    return Record(*tuple(db.session.execute(select(*sums).where(Tally.user_id == user_id, against)).one()))
