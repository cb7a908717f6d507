"""What the watcher asks: one statement each, however many pages are open. Read only."""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from flask import current_app
from sqlalchemy import ARRAY, ColumnElement, Integer, any_, bindparam, func, literal, select, union_all
from sqlalchemy.orm import InstrumentedAttribute, aliased

from webapp.accounts.models import Presence, UserSession
from webapp.accounts.presence import HERE_FOR
from webapp.clock import now
from webapp.database import single_statements
from webapp.extensions import db
from webapp.games.models import OPEN, PLAYING, PUBLIC, Game, Seat
from webapp.games.queries import GameRecord

LISTED = 40  # at least as many as the lobby lists
EVERYBODY = 0
Row = tuple[Any, ...]

_rematch = aliased(Game)


def version_of(game: GameRecord) -> str:
    return _version(game.version, game.rematch_status)


def _version(version: int, rematch_status: str | None) -> str:
    """As the page carries it in data-version: a rematch is another game, and changes this page all the same."""
    return f"{version}.{rematch_status}" if rematch_status else str(version)


def versions(game_ids: Collection[int]) -> dict[int, str]:
    columns = (Game.id, Game.version, _rematch.status)
    rematches = select(*columns).outerjoin(_rematch, _rematch.rematch_of == Game.id)
    rows = _rows(rematches.where(_among(Game.id)), game_ids)
    return {game_id: _version(version, status) for game_id, version, status in rows}


def ages(game_ids: Collection[int]) -> dict[int, list[int]]:
    """How many of the thresholds have passed since each game was made and since its players were last seen.

    It changes when time alone changes a page: somebody counts as away or as gone, or has waited long.
    """
    seats = select(Game.id, Game.created_at, Presence.seen_at).outerjoin(Seat, Seat.game_id == Game.id)
    people = seats.outerjoin(Presence, Presence.user_id == Seat.user_id).order_by(Game.id, Seat.mark)
    thresholds, moment = _thresholds(), now()
    found: dict[int, list[int]] = defaultdict(list)
    for game_id, created_at, seen_at in _rows(people.where(_among(Game.id)), game_ids):
        found[game_id] += [bisect_left(thresholds, moment - begun) for begun in (created_at, seen_at or created_at)]
    return found


def _thresholds() -> list[timedelta]:
    names = ("NOUGHTS_OFFER_COMPUTER_SECONDS", "NOUGHTS_GONE_SECONDS", "NOUGHTS_GONE_SECONDS_WITHOUT_SCRIPTS")
    return sorted([HERE_FOR, *(timedelta(seconds=current_app.config[name]) for name in names)])


def lobby_games(user_ids: Collection[int]) -> dict[int, set[Row]]:
    """What each of these people should see at once: the games open to everybody (under 0), and their own."""
    to_all = (Game.status == OPEN, Game.visibility == PUBLIC, Game.challenged_id.is_(None))
    mine = (Seat.result.is_(None), Game.status == PLAYING, _among(Seat.user_id))
    of_game = (Game.id, Game.version)
    parts: list[Any] = [
        select(literal(EVERYBODY).label("user_id"), *of_game).where(*to_all).order_by(Game.id).limit(LISTED),
        select(Seat.user_id, *of_game).join(Seat, Seat.game_id == Game.id).where(*mine),
        select(Game.opened_by, *of_game).where(Game.status == OPEN, _among(Game.opened_by)),
        select(Game.challenged_id, *of_game).where(Game.status == OPEN, _among(Game.challenged_id)),
    ]
    found: dict[int, set[Row]] = defaultdict(set)
    for user_id, *game in _rows(union_all(*(select(part.subquery()) for part in parts)), user_ids):
        found[user_id].add(tuple(game))
    return found


def lobby_of(user_id: int | None, games: dict[int, set[Row]]) -> set[Row]:
    return games.get(EVERYBODY, set()) | games.get(user_id or EVERYBODY, set())


def lobby_scene() -> set[Row]:
    """What may come a little later: the games that can be watched, and the people who are here."""
    in_play = select(Game.id, Game.version).where(Game.status == PLAYING, Game.visibility == PUBLIC)
    here = select(-Presence.user_id, literal(0)).where(Presence.seen_at > now() - HERE_FOR)
    watched = select(in_play.order_by(Game.id.desc()).limit(LISTED).subquery())
    return {tuple(row) for row in _rows(union_all(watched, here))}


def live_sessions(session_ids: Collection[int]) -> set[int]:
    return {row[0] for row in _rows(select(UserSession.id).where(_among(UserSession.id)), session_ids)}


def _among(column: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    """One parameter for all ids: several times cheaper than one for each, and this is asked all the time."""
    if db.engine.dialect.name == "postgresql":
        return column == any_(bindparam("ids", type_=ARRAY(Integer)))
    return column.in_(select(func.json_each(bindparam("ids")).table_valued("value").c.value))


def _rows(statement: Any, ids: Collection[int] | None = None) -> list[Row]:
    is_postgres = db.engine.dialect.name == "postgresql"
    given = {} if ids is None else {"ids": list(ids) if is_postgres else json.dumps(list(ids))}
    with single_statements() as connection:
        return [tuple(row) for row in connection.execute(statement, given)]
