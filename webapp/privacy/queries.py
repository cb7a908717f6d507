"""Everything that is kept about one person, as plain values. Read only."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.database import reading, release_connection
from webapp.games.models import Game, Move, Seat, Tally

IN_BATCH = 500


def everything_but_games(user_id: int) -> dict[str, Any]:
    with reading() as connection:
        user = connection.execute(select(User.name, User.created_at, User.last_seen_at).where(User.id == user_id)).one()
        return {
            "name": user.name,
            "created_at": _text(user.created_at),
            "last_seen_at": _text(user.last_seen_at),
            "sessions": _sessions(connection, user_id),
            "known_browsers": _known_browsers(connection, user_id),
            "totals": _totals(connection, user_id),
        }


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _sessions(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    columns = (UserSession.user_agent, UserSession.created_at, UserSession.last_seen_at)
    rows = connection.execute(select(*columns).where(UserSession.user_id == user_id))
    return [
        {"browser": browser, "created_at": _text(created_at), "last_seen_at": _text(seen_at)}
        for browser, created_at, seen_at in rows
    ]


def _known_browsers(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    used = connection.scalars(select(KnownBrowser.last_used_at).where(KnownBrowser.user_id == user_id))
    return [{"last_used_at": _text(moment)} for moment in used]


def _totals(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    columns = (Tally.level, User.name, Tally.mark, Tally.won, Tally.lost, Tally.drawn)
    rows = connection.execute(
        select(*columns).outerjoin(User, User.id == Tally.opponent_id).where(Tally.user_id == user_id)
    )
    return [
        {"against": level or name or "deleted player", "mark": mark, "won": won, "lost": lost, "drawn": drawn}
        for level, name, mark, won, lost, drawn in rows
    ]


def batches_of_games(user_id: int) -> Iterator[list[dict[str, Any]]]:
    """All games, oldest first; between two batches no connection is held, however slowly they are fetched."""
    last = 0
    while rows := _some_games(user_id, after=last):
        moves = _moves([row.id for row in rows])
        release_connection()
        yield [_told(row, moves.get(row.id, [])) for row in rows]
        last = rows[-1].id


_theirs, _opponent = aliased(Seat), aliased(User)
_GAMES = (
    select(
        Game.id, Game.public_id, Game.rows, Game.columns, Game.in_a_row, Game.reason, Game.created_at, Game.ended_at,
        Seat.mark, Seat.result, _theirs.level, _opponent.name,
    )
    .join(Seat, Seat.game_id == Game.id)
    .outerjoin(_theirs, (_theirs.game_id == Game.id) & (_theirs.mark != Seat.mark))
    .outerjoin(_opponent, _opponent.id == _theirs.user_id)
    .order_by(Seat.game_id)
    .limit(IN_BATCH)
)  # fmt: skip


def _some_games(user_id: int, after: int) -> Sequence[Any]:
    with reading() as connection:
        return connection.execute(_GAMES.where(Seat.user_id == user_id, Seat.game_id > after)).all()


def _told(row: Any, moves: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "board": f"{row.rows}x{row.columns}, {row.in_a_row} in a row",
        "mark": row.mark,
        "against": row.level or row.name or "deleted player",
        "result": row.result,
        "reason": row.reason,
        "moves": moves,
        "created_at": _text(row.created_at),
        "ended_at": _text(row.ended_at),
    }


def _moves(game_ids: list[int]) -> dict[int, list[dict[str, Any]]]:
    """By game, in the order of play."""
    theirs = select(Move.game_id, Move.cell, Move.made_at).where(Move.game_id.in_(game_ids))
    moves: dict[int, list[dict[str, Any]]] = {}
    with reading() as connection:
        for game_id, cell, made_at in connection.execute(theirs.order_by(Move.game_id, Move.ply)):
            moves.setdefault(game_id, []).append({"cell": cell, "made_at": _text(made_at)})
    return moves
