"""Everything that is kept about one person, as plain values. Read only."""

from datetime import datetime
from typing import Any

from sqlalchemy import select

from webapp.accounts.models import User, UserSession
from webapp.extensions import db
from webapp.games.models import Game, Move, Seat, Tally


def everything_about(user_id: int) -> dict[str, Any]:
    user = db.session.get_one(User, user_id)
    return {
        "name": user.name,
        "created_at": _text(user.created_at),
        "last_seen_at": _text(user.last_seen_at),
        "sessions": _sessions(user_id),
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
    cells: dict[int, list[int]] = {}
    mine = select(Seat.game_id).where(Seat.user_id == user_id)
    for game_id, cell in db.session.execute(
        select(Move.game_id, Move.cell).where(Move.game_id.in_(mine)).order_by(Move.game_id, Move.ply)
    ):
        cells.setdefault(game_id, []).append(cell)
    rows = db.session.execute(
        select(Game, Seat.mark, Seat.result).join(Seat).where(Seat.user_id == user_id).order_by(Game.id)
    )
    return [
        {
            "id": game.public_id,
            "board": f"{game.rows}x{game.columns}, {game.in_a_row} in a row",
            "mark": mark,
            "result": result,
            "reason": game.reason,
            "cells": cells.get(game.id, []),
            "created_at": _text(game.created_at),
            "ended_at": _text(game.ended_at),
        }
        for game, mark, result in rows
    ]
