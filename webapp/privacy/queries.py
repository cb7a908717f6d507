"""Everything that is kept about one person, as plain values. Read only."""

from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import aliased

from webapp.accounts.models import KnownBrowser, User, UserSession
from webapp.extensions import db
from webapp.games.models import Game, Move, Seat, Tally


def everything_about(user_id: int) -> dict[str, Any]:
    user = db.session.get_one(User, user_id)
    return {
        "name": user.name,
        "created_at": _text(user.created_at),
        "last_seen_at": _text(user.last_seen_at),
        "sessions": _sessions(user_id),
        "known_browsers": _known_browsers(user_id),
        "totals": _totals(user_id),
        "games": _games(user_id),
    }


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _sessions(user_id: int) -> list[dict[str, Any]]:
    rows = db.session.scalars(select(UserSession).where(UserSession.user_id == user_id))
    return [
        {"browser": row.user_agent, "created_at": _text(row.created_at), "last_seen_at": _text(row.last_seen_at)}
        for row in rows
    ]


def _known_browsers(user_id: int) -> list[dict[str, Any]]:
    used = db.session.scalars(select(KnownBrowser.last_used_at).where(KnownBrowser.user_id == user_id))
    return [{"last_used_at": _text(moment)} for moment in used]


def _totals(user_id: int) -> list[dict[str, Any]]:
    rows = db.session.execute(
        select(Tally, User.name).outerjoin(User, User.id == Tally.opponent_id).where(Tally.user_id == user_id)
    )
    return [
        {"against": tally.level or name or "deleted player", "mark": tally.mark}
        | {"won": tally.won, "lost": tally.lost, "drawn": tally.drawn}
        for tally, name in rows
    ]


def _games(user_id: int) -> list[dict[str, Any]]:
    moves = _moves(user_id)
    theirs, opponent = aliased(Seat), aliased(User)
    rows = db.session.execute(
        select(Game, Seat.mark, Seat.result, theirs.level, opponent.name)
        .join(Seat, Seat.game_id == Game.id)
        .outerjoin(theirs, (theirs.game_id == Game.id) & (theirs.mark != Seat.mark))
        .outerjoin(opponent, opponent.id == theirs.user_id)
        .where(Seat.user_id == user_id)
        .order_by(Game.id)
    )
    return [
        {
            "id": game.public_id,
            "board": f"{game.rows}x{game.columns}, {game.in_a_row} in a row",
            "mark": mark,
            "against": level or name or "deleted player",
            "result": result,
            "reason": game.reason,
            "moves": moves.get(game.id, []),
            "created_at": _text(game.created_at),
            "ended_at": _text(game.ended_at),
        }
        for game, mark, result, level, name in rows
    ]


def _moves(user_id: int) -> dict[int, list[dict[str, Any]]]:
    """The moves of all games of the user, by game, in the order of play."""
    mine = select(Seat.game_id).where(Seat.user_id == user_id)
    rows = select(Move.game_id, Move.cell, Move.made_at).where(Move.game_id.in_(mine))
    moves: dict[int, list[dict[str, Any]]] = {}
    for game_id, cell, made_at in db.session.execute(rows.order_by(Move.game_id, Move.ply)):
        moves.setdefault(game_id, []).append({"cell": cell, "made_at": _text(made_at)})
    return moves
