"""Questions about games. Read only; a game comes whole, in one statement, as a plain value."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Integer, bindparam, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import Presence, User
from webapp.database import RowsAsJson, from_json, reading
from webapp.errors import NotThere, Refusal
from webapp.games.game_record import GameRecord, Holder, MadeMove, Person, TakenBackMove, board_of
from webapp.games.lists import unfinished_of
from webapp.games.models import Game, Move, Seat, TakenBack
from webapp.games.permissions import admitted, outsiders, unwatched
from webapp.games.refusals import LinkTooLate, LinkWithdrawn
from webapp.games.versions import page_version
from webapp.prepared import Prepared
from webapp.tictactoe import Mark

_x_seat, _o_seat = aliased(Seat), aliased(Seat)
_x_user, _o_user, _opener, _challenged = aliased(User), aliased(User), aliased(User), aliased(User)
_x_presence, _o_presence = aliased(Presence), aliased(Presence)
_x_owner, _o_owner, _openers_owner, _challengeds_owner = aliased(User), aliased(User), aliased(User), aliased(User)
_rematch = aliased(Game)


def _columns_of(
    side: str, seat: type[Seat], user: type[User], presence: type[Presence], owner: type[User]
) -> list[ColumnElement[Any]]:
    columns = {
        "user_id": seat.user_id, "level": seat.level, "name": user.name, "deleted_at": user.deleted_at,
        "seen_at": presence.seen_at, "by_stream": presence.by_stream, "agent_of": owner.name,
        "owner_id": user.owner_id,
    }  # fmt: skip
    return [column.label(f"{side}_{name}") for name, column in columns.items()]


_MOVES = (
    select(RowsAsJson(Move.ply, Move.cell, Move.made_at, Move.nodes, Move.microseconds))
    .where(Move.game_id == Game.id)
    .correlate(Game)
    .scalar_subquery()
)
_GAME = (
    select(
        Game.id, Game.public_id, Game.rows, Game.columns, Game.in_a_row, Game.status, Game.visibility,
        Game.opened_by, Game.wished_mark, Game.challenged_id, Game.rematch_of,
        Game.draw_offered_by, Game.draw_offered_ply, Game.draw_is_open,
        Game.winner, Game.reason, Game.turn_began_at, Game.due_at, Game.created_at, Game.ended_at, Game.version,
        Game.coached, Game.arranged, Game.opening_plies, Game.classroom_id, Game.seed, Game.cause,
        *_columns_of("x", _x_seat, _x_user, _x_presence, _x_owner),
        *_columns_of("o", _o_seat, _o_user, _o_presence, _o_owner),
        _opener.name.label("opener_name"), _opener.deleted_at.label("opener_deleted_at"),
        _challenged.name.label("challenged_name"), _challenged.deleted_at.label("challenged_deleted_at"),
        _openers_owner.name.label("opener_agent_of"), _challengeds_owner.name.label("challenged_agent_of"),
        _rematch.public_id.label("rematch"), _rematch.opened_by.label("rematch_by"),
        _rematch.status.label("rematch_status"), page_version(Game, _rematch).label("page_version"),
        _MOVES.label("moves"),
    )
    .outerjoin(_x_seat, (_x_seat.game_id == Game.id) & (_x_seat.mark == Mark.X))
    .outerjoin(_o_seat, (_o_seat.game_id == Game.id) & (_o_seat.mark == Mark.O))
    .outerjoin(_x_user, _x_user.id == _x_seat.user_id)
    .outerjoin(_o_user, _o_user.id == _o_seat.user_id)
    .outerjoin(_x_presence, _x_presence.user_id == _x_seat.user_id)
    .outerjoin(_o_presence, _o_presence.user_id == _o_seat.user_id)
    .outerjoin(_opener, _opener.id == Game.opened_by)
    .outerjoin(_challenged, _challenged.id == Game.challenged_id)
    .outerjoin(_x_owner, _x_owner.id == _x_user.owner_id)
    .outerjoin(_o_owner, _o_owner.id == _o_user.owner_id)
    .outerjoin(_openers_owner, _openers_owner.id == _opener.owner_id)
    .outerjoin(_challengeds_owner, _challengeds_owner.id == _challenged.owner_id)
    .outerjoin(_rematch, _rematch.rematch_of == Game.id)
    .order_by(Game.id)
)  # fmt: skip


_ONE_GAME = Prepared(_GAME.where(Game.public_id == bindparam("public_id")))


def game_seen_by(user_id: int | None, public_id: str) -> GameRecord:
    """The game, if this person may see it: permission is decided here, where the game is loaded."""
    with reading() as connection:
        rows = _ONE_GAME.rows(connection, public_id=public_id)
    game = _record(rows[0]) if rows else None
    if game is None or hidden([(game, user_id)]):
        raise _why_unseen(game)
    return _with_taken_back(game) if game.coached else game


_TAKEN_BACK = Prepared(
    select(TakenBack.version, TakenBack.ply, TakenBack.cell)
    .where(TakenBack.game_id == bindparam("game_id"))
    .order_by(TakenBack.version, TakenBack.ply)
)


def _with_taken_back(game: GameRecord) -> GameRecord:
    with reading() as connection:
        rows = _TAKEN_BACK.rows(connection, game_id=game.id)
    return replace(game, taken_back=tuple(TakenBackMove(*row) for row in rows))


def hidden(asked: Collection[tuple[GameRecord, int | None]]) -> set[tuple[int, int | None]]:
    """The ids of those games and viewers of which the one may not be seen by the other."""
    watching = [(game, viewer) for game, viewer in asked if not game.mark_of(viewer) and viewer not in game.owner_ids]
    watched = {(game.id, viewer): game.player_ids for game, viewer in watching}
    closed = unwatched({(viewer, player) for (_, viewer), players in watched.items() for player in players})
    found = {(game.id, viewer) for game, viewer in asked if not game.may_be_seen_by(viewer)}
    found |= _not_for_them(asked)
    found |= {pair for pair, players in watched.items() if any((pair[1], one) in closed for one in players)}
    return found - admitted(found & {(game.id, viewer) for game, viewer in asked if game.arranged})


def _not_for_them(asked: Collection[tuple[GameRecord, int | None]]) -> set[tuple[int, int | None]]:
    """Games that wait for a member of a classroom, and people who are none; whoever waits must still be one too."""
    waiting = [(game, viewer) for game, viewer in asked if game.waits_for_classmate and viewer != game.opener_id]
    needed = {(game.id, viewer): _pairs(game, viewer) for game, viewer in waiting}
    outside = outsiders({pair for pairs in needed.values() for pair in pairs})
    return {asked for asked, pairs in needed.items() if pairs & outside}


def _pairs(game: GameRecord, viewer: int | None) -> set[tuple[int | None, int | None]]:
    return {(game.classroom_id, viewer), (game.classroom_id, game.opener_id)}


def _why_unseen(game: GameRecord | None) -> Refusal:
    """Whoever has the link of a private game was let in by it once, so they are told why no longer."""
    if game is None or game.opener is None or game.challenged is not None or game.waits_for_classmate:
        return NotThere("This game does not exist, or you are not allowed to see it. Check the address.")
    return LinkTooLate() if game.holders else LinkWithdrawn()


def games_where(condition: ColumnElement[bool]) -> list[GameRecord]:
    """The games of a short list, oldest first, whoever asks: the caller knows that they may be seen."""
    with reading() as connection:
        return [_record(row) for row in connection.execute(_GAME.where(condition))]


def prepared_games(condition: ColumnElement[bool]) -> Prepared:
    """A list that many pages show, for `games_found`."""
    return Prepared(_GAME.where(condition))


def games_found(asked: Prepared, **values: Any) -> list[GameRecord]:
    """As `games_where`, of a list from `prepared_games`."""
    with reading() as connection:
        return [_record(row) for row in asked.rows(connection, **values)]


def _record(row: Any) -> GameRecord:
    return GameRecord(
        row.id,
        row.public_id,
        board_of(row.rows, row.columns, row.in_a_row),
        row.status,
        row.visibility,
        _person(row.opened_by, row.opener_name, row.opener_deleted_at, row.opener_agent_of),
        row.wished_mark,
        _person(row.challenged_id, row.challenged_name, row.challenged_deleted_at, row.challenged_agent_of),
        row.rematch_of,
        row.rematch,
        row.rematch_by,
        row.rematch_status,
        row.draw_offered_by,
        row.draw_offered_ply,
        row.draw_is_open,
        row.winner,
        row.reason,
        row.turn_began_at,
        row.due_at,
        row.created_at,
        row.ended_at,
        row.version,
        row.page_version,
        dict(_holders(row)),
        _moves(row.moves),
        bool(row.coached),
        bool(row.arranged),
        row.opening_plies,
        row.classroom_id,
        row.seed,
        row.cause,
    )


def _moves(rows: Iterable[list[Any]] | None) -> tuple[MadeMove, ...]:
    """Of each row its ply first."""
    return tuple(
        MadeMove(cell, from_json(made_at), nodes, microseconds)
        for _, cell, made_at, nodes, microseconds in sorted(rows or ())
    )


def _person(
    user_id: int | None, name: str | None, deleted_at: datetime | None, agent_of: str | None
) -> Person | None:
    return None if user_id is None else Person(user_id, name, deleted_at is not None, agent_of)


def _holders(row: Any) -> Iterable[tuple[Mark, Holder]]:
    if row.x_user_id is not None or row.x_level is not None:
        is_deleted = row.x_deleted_at is not None
        yield Mark.X, Holder(
            Mark.X, row.x_user_id, row.x_level, row.x_name, is_deleted, row.x_seen_at, bool(row.x_by_stream),
            row.x_agent_of, row.x_owner_id,
        )  # fmt: skip
    if row.o_user_id is not None or row.o_level is not None:
        is_deleted = row.o_deleted_at is not None
        yield Mark.O, Holder(
            Mark.O, row.o_user_id, row.o_level, row.o_name, is_deleted, row.o_seen_at, bool(row.o_by_stream),
            row.o_agent_of, row.o_owner_id,
        )  # fmt: skip


_UNFINISHED = unfinished_of(bindparam("me"), bindparam("most", type_=Integer))
_UNFINISHED_GAMES = prepared_games(Game.id.in_(select(_UNFINISHED.subquery().c.id)))


def unfinished_games(user_id: int | None, limit: int) -> list[GameRecord]:
    """The games that this user has begun and not finished, the newest first."""
    if user_id is None:
        return []
    return games_found(_UNFINISHED_GAMES, me=user_id, most=limit)[::-1]


_LAST_GAMES = select(Seat.game_id).where(Seat.user_id == bindparam("me")).order_by(Seat.game_id.desc()).limit(50)
_LAST_LEVEL = Prepared(
    select(Seat.level)
    .where(Seat.game_id.in_(_LAST_GAMES), Seat.level.is_not(None))
    .order_by(Seat.game_id.desc())
    .limit(1)
)


def last_level(user_id: int | None) -> str | None:
    """The level that this user played last; looked for in the last few games only, so that it costs all the same."""
    if user_id is None:
        return None
    with reading() as connection:
        rows = _LAST_LEVEL.rows(connection, me=user_id)
    return rows[0].level if rows else None
