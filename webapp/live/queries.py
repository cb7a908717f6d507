"""What the watcher asks: one statement each, however many pages are open. Read only.

They are asked all the time, so they are compiled once (webapp/prepared.py), and all ids are one parameter.
"""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    Executable,
    Integer,
    ScalarSelect,
    String,
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
from webapp.database import UtcDateTime, among, reading
from webapp.extensions import db, settings
from webapp.games.game_record import GameRecord
from webapp.games.lists import LISTED, Listed, lists_of, open_to_all
from webapp.games.models import Game, Seat
from webapp.games.queries import games_where, hidden
from webapp.games.versions import page_version
from webapp.games.waiting import games_waiting
from webapp.games.watching import MOVED_WITHIN, watchable
from webapp.prepared import Prepared

EVERYBODY = 0
Row = tuple[Any, ...]


def _rows(question: Prepared, ids: Collection[int] = (), **values: Any) -> list[Any]:
    with reading() as connection:
        return question.rows(connection, ids=list(ids), **values)


def _write_changed(known: Any) -> Prepared:
    """The database compares what the pages know with what there is: the games that have not changed cost no row."""
    rematch = aliased(Game)
    version = page_version(Game, rematch)
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


_AGES = Prepared(
    lambda: (
        select(Game.id, Game.created_at, Game.turn_began_at, Presence.seen_at)
        .outerjoin(Seat, Seat.game_id == Game.id)
        .outerjoin(Presence, Presence.user_id == Seat.user_id)
        .where(among(Game.id, "ids"))
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


def _as_text(column: ColumnElement[str]) -> ScalarSelect[str]:
    """A column of one user's list as one text: so there is one row for each user, however many games they have."""
    join = func.group_concat if db.engine.dialect.name == "sqlite" else func.string_agg
    return select(join(column, literal_column("','"))).scalar_subquery()


def _games_in(text: str | None) -> list[str]:
    return text.split(",") if text else []


def _write_lobby_games() -> Executable:
    """For each user what is on their own lists, and under EVERYBODY what is open to all."""

    def as_text(*lists: Listed) -> ScalarSelect[str]:
        game = union_all(*(select(one.correlate(User).subquery()) for one in lists)).subquery().c
        return _as_text(cast(game.id, String) + "." + cast(game.version, String))

    return union_all(
        select(literal(EVERYBODY).label("user_id"), as_text(open_to_all()).label("games")),
        select(User.id, as_text(*lists_of(User.id))).where(among(User.id, "ids")),
    )


_LOBBY_GAMES = Prepared(_write_lobby_games)


class LobbyVersions:
    """What each of these people should see at once in the lobby, as a text that changes with it."""

    def __init__(self, user_ids: Collection[int]) -> None:
        rows = _rows(_LOBBY_GAMES, user_ids)
        self._of = {row.user_id: " ".join(sorted(_games_in(row.games))) for row in rows}

    def of(self, user_id: int | None) -> str:
        return self._of[EVERYBODY] + "|" + self._of.get(user_id or EVERYBODY, "")


_here_since, _moved_since = (bindparam(name, type_=UtcDateTime) for name in ("here_since", "moved_since"))
_watched = watchable(_moved_since, _here_since, LISTED).subquery()
_here = select((-Presence.user_id).label("id"), literal(0).label("version")).where(Presence.seen_at > _here_since)
_SLOW_STATE = Prepared(union_all(select(_watched), _here))


def lobby_slow_state() -> set[Row]:
    """What may come a little later: the games that can be watched, and the people who are here."""
    moment = now()
    return {tuple(row) for row in _rows(_SLOW_STATE, here_since=moment - HERE_FOR, moved_since=moment - MOVED_WITHIN)}


def _write_waiting() -> Executable:
    waiting = union_all(*(select(part.correlate(User).subquery()) for part in games_waiting(User.id))).subquery()
    return select(User.id, _as_text(waiting.c.public_id).label("games")).where(among(User.id, "ids"))


_WAITING = Prepared(_write_waiting)


def waiting_games(user_ids: Collection[int]) -> dict[int, list[str]]:
    """The public ids of the games that wait for each of these people."""
    rows = _rows(_WAITING, user_ids)
    return {row.id: _games_in(row.games) for row in rows}


def hidden_games(asked: Collection[tuple[int | None, int | None]]) -> set[tuple[int, int | None]]:
    """Of these pairs of a game and a viewer, those of which the one may not be seen by the other. A game may be deleted
    at this moment, with the account of who played it.
    """
    ids = {game_id for game_id, _ in asked}
    games = {game.id: game for game in games_where(Game.id.in_(ids))}
    return hidden([(games[game_id], viewer) for game_id, viewer in asked if game_id in games])


def _write_ended() -> Executable:
    """The database looks for those that are not there: as long as all sessions last, it gives no row."""
    if db.engine.dialect.name == "sqlite":
        asked = func.json_each(bindparam("ids", type_=JSON)).table_valued("value")
    else:
        asked = func.unnest(bindparam("ids", type_=ARRAY(Integer))).table_valued("value").render_derived()
    seen_since, begun_since = (bindparam(name, type_=UtcDateTime) for name in ("seen_since", "begun_since"))
    is_recent = (UserSession.last_seen_at > seen_since, UserSession.created_at > begun_since)
    is_live = exists().where(UserSession.id == asked.c.value, *is_recent)
    return select(asked.c.value.label("id")).where(~is_live)


_ENDED = Prepared(_write_ended)


def ended_sessions(session_ids: Collection[int]) -> set[int]:
    """Of these, those that were ended or have lasted too long."""
    moment, given = now(), settings()
    limits = {
        "seen_since": moment - timedelta(days=given.session_idle_days),
        "begun_since": moment - timedelta(days=given.session_days),
    }
    return {row.id for row in _rows(_ENDED, session_ids, **limits)}
