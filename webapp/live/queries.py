"""What the watcher asks: one statement each, however many pages are open. Read only.

They are asked all the time, so they are compiled once (webapp/prepared.py), and all ids are one parameter, which
is several times cheaper than one for each.
"""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    Integer,
    String,
    any_,
    bindparam,
    cast,
    exists,
    func,
    literal,
    literal_column,
    select,
    union_all,
)
from sqlalchemy.orm import aliased

from webapp.accounts.models import Presence, User, UserSession
from webapp.accounts.presence import HERE_FOR
from webapp.clock import now
from webapp.database import UtcDateTime, reading
from webapp.extensions import db, settings
from webapp.games.models import Game, Seat
from webapp.games.queries import GameRecord, games_where, hidden
from webapp.games.states import Status, Visibility
from webapp.games.waiting import games_waiting
from webapp.games.watching import MOVED_WITHIN, watchable
from webapp.prepared import Prepared

LISTED = 40  # at least as many as the lobby lists
EVERYBODY = 0
Row = tuple[Any, ...]
Among = Callable[[Any], ColumnElement[bool]]


def _among_on_sqlite(column: Any) -> ColumnElement[bool]:
    within: ColumnElement[bool] = column.in_(select(func.json_each(bindparam("ids")).table_valued("value").c.value))
    return within


def _among_on_postgres(column: Any) -> ColumnElement[bool]:
    within: ColumnElement[bool] = column == any_(bindparam("ids", type_=ARRAY(Integer)))
    return within


def _asked(write: Callable[[Among], Any]) -> dict[str, Prepared]:
    """The same question for each kind of database."""
    return {"sqlite": Prepared(write(_among_on_sqlite)), "postgresql": Prepared(write(_among_on_postgres))}


def _rows(question: dict[str, Prepared], ids: Collection[int] = (), **values: Any) -> list[Any]:
    kind = db.engine.dialect.name
    with reading() as connection:
        return question[kind].rows(connection, ids=json.dumps(list(ids)) if kind == "sqlite" else list(ids), **values)


def _write_changed(known: Any) -> Prepared:
    """The database compares what the pages know with what there is: the games that have not changed cost no row.

    The version is `GameRecord.page_version`, in SQL.
    """
    rematch = aliased(Game)
    version = cast(Game.version, String) + func.coalesce("." + cast(rematch.status, String), "")
    table = known.table_valued("key", "value")
    return Prepared(
        select(Game.id, version.label("version"))
        .join(table, Game.id == cast(table.c.key, Integer))
        .outerjoin(rematch, rematch.rematch_of == Game.id)
        .where(table.c.value != version)
    )


_CHANGED = {
    "sqlite": _write_changed(func.json_each(bindparam("known"))),
    "postgresql": _write_changed(func.json_each_text(cast(bindparam("known", type_=String), JSON))),
}


def changed_versions(known: dict[int, str]) -> dict[int, str]:
    """Of these games and the versions that are known of them, those that have another by now."""
    with reading() as connection:
        return dict(_CHANGED[db.engine.dialect.name].rows(connection, known=json.dumps(known)))


_AGES = _asked(
    lambda among: (
        select(Game.id, Game.created_at, Game.turn_began_at, Presence.seen_at)
        .outerjoin(Seat, Seat.game_id == Game.id)
        .outerjoin(Presence, Presence.user_id == Seat.user_id)
        .where(among(Game.id))
        .order_by(Game.id, Seat.mark)
    )
)


def ages(game_ids: Collection[int]) -> dict[int, list[int]]:
    """How many of the thresholds have passed since a game was made, its turn began and its players were last seen.

    It changes when time alone changes a page: somebody counts as away or as gone, or has waited long. Who is gone is
    told from the later of two of these moments (agreements.is_gone), so one of them passes a threshold just then.
    """
    moments: dict[int, list[datetime]] = defaultdict(list)
    for game_id, created_at, turn_began_at, seen_at in _rows(_AGES, game_ids):
        moments[game_id] += [created_at, turn_began_at or created_at, seen_at or created_at]
    thresholds = _thresholds()
    return {game_id: _passed(since, thresholds) for game_id, since in moments.items()}


def age_of(game: GameRecord) -> list[int]:
    """The same for a game that is read already."""
    seen = [game.holders[mark].seen_at for mark in sorted(game.holders)] or [None]
    made = game.created_at
    since = [moment for seen_at in seen for moment in (made, game.turn_began_at or made, seen_at or made)]
    return _passed(since, _thresholds())


def _passed(since: list[datetime], thresholds: list[timedelta]) -> list[int]:
    moment = now()
    return [bisect_left(thresholds, moment - begun) for begun in since]


def _thresholds() -> list[timedelta]:
    now = settings()
    seconds = (now.offer_computer_seconds, now.gone_seconds, now.gone_seconds_without_scripts)
    return sorted([HERE_FOR, *(timedelta(seconds=one) for one in seconds)])


def _write_lobby_games(among: Among) -> Any:
    to_all = (Game.status == Status.OPEN, Game.visibility == Visibility.PUBLIC, Game.challenged_id.is_(None))
    mine = (Seat.result.is_(None), Game.status == Status.PLAYING, among(Seat.user_id))
    of_game = (Game.id, Game.version)
    parts: list[Any] = [
        select(literal(EVERYBODY).label("user_id"), *of_game).where(*to_all).order_by(Game.id).limit(LISTED),
        select(Seat.user_id, *of_game).join(Seat, Seat.game_id == Game.id).where(*mine),
        select(Game.opened_by, *of_game).where(Game.status == Status.OPEN, among(Game.opened_by)),
        select(Game.challenged_id, *of_game).where(Game.status == Status.OPEN, among(Game.challenged_id)),
    ]
    return union_all(*(select(part.subquery()) for part in parts))


_LOBBY_GAMES = _asked(_write_lobby_games)


def lobby_games(user_ids: Collection[int]) -> dict[int, set[Row]]:
    """What each of these people should see at once: the games open to everybody (under 0), and their own."""
    found: dict[int, set[Row]] = defaultdict(set)
    for user_id, *game in _rows(_LOBBY_GAMES, user_ids):
        found[user_id].add(tuple(game))
    return found


def lobby_of(user_id: int | None, games: dict[int, set[Row]]) -> set[Row]:
    return games.get(EVERYBODY, set()) | games.get(user_id or EVERYBODY, set())


_here_since, _moved_since = (bindparam(name, type_=UtcDateTime) for name in ("here_since", "moved_since"))
_watched = watchable(_moved_since, _here_since, LISTED).subquery()
_here = select((-Presence.user_id).label("id"), literal(0).label("version")).where(Presence.seen_at > _here_since)
_SCENE = _asked(lambda _: union_all(select(_watched), _here))


def lobby_scene() -> set[Row]:
    """What may come a little later: the games that can be watched, and the people who are here."""
    moment = now()
    return {tuple(row) for row in _rows(_SCENE, here_since=moment - HERE_FOR, moved_since=moment - MOVED_WITHIN)}


def _write_waiting(among: Among) -> Any:
    """One row for each user, who may have any number of games: a few of them, as one text."""
    join = func.group_concat if among is _among_on_sqlite else func.string_agg
    turns, calls = (part.correlate(User).subquery() for part in games_waiting(User.id))
    joined = [select(join(part.c.public_id, literal_column("','"))).scalar_subquery() for part in (turns, calls)]
    return select(User.id, joined[0].label("turns"), joined[1].label("calls")).where(among(User.id))


_WAITING = _asked(_write_waiting)


def waiting_games(user_ids: Collection[int]) -> dict[int, list[str]]:
    """The public ids of the games that wait for each of these people."""
    rows = _rows(_WAITING, user_ids)
    return {row.id: [one for text in (row.turns, row.calls) if text for one in text.split(",")] for row in rows}


def hidden_games(asked: Collection[tuple[int | None, int | None]]) -> set[tuple[int, int | None]]:
    """Of these pairs of a game and a viewer, those of which the one may not be seen by the other."""
    ids = {game_id for game_id, _ in asked}
    games = {game.id: game for game in games_where(Game.id.in_(ids))}
    return hidden([(games[game_id], viewer) for game_id, viewer in asked if game_id])


def _write_ended(asked: Any) -> Prepared:
    """The database looks for those that are not there: as long as all sessions last, it gives no row."""
    seen_since, begun_since = (bindparam(name, type_=UtcDateTime) for name in ("seen_since", "begun_since"))
    is_recent = (UserSession.last_seen_at > seen_since, UserSession.created_at > begun_since)
    is_live = exists().where(UserSession.id == asked.c.value, *is_recent)
    return Prepared(select(asked.c.value.label("id")).where(~is_live))


_ENDED = {
    "sqlite": _write_ended(func.json_each(bindparam("ids")).table_valued("value")),
    "postgresql": _write_ended(
        func.unnest(bindparam("ids", type_=ARRAY(Integer))).table_valued("value").render_derived()
    ),
}


def ended_sessions(session_ids: Collection[int]) -> set[int]:
    """Of these, those that were ended or have lasted too long."""
    moment, given = now(), settings()
    limits = {
        "seen_since": moment - timedelta(days=given.session_idle_days),
        "begun_since": moment - timedelta(days=given.session_days),
    }
    return {row.id for row in _rows(_ENDED, session_ids, **limits)}
