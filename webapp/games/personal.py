"""What games hold about a person, for export and deletion. Knows no Flask request."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, or_, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import User
from webapp.accounts.personal import Exported, Holding, text_of
from webapp.database import reading, release_connection, writing
from webapp.games.agreements import can_abort
from webapp.games.changes import Change, End, judged_sides_of, write_within
from webapp.games.game_record import GameRecord
from webapp.games.lists import WAITS_FOR_SOMEBODY
from webapp.games.models import Game, Mistake, Move, Seat, TakenBack, Tally
from webapp.games.queries import games_where
from webapp.games.states import EndReason, Status

IN_BATCH = 500
AT_ONCE = 200  # games in one unit
_theirs, _opponent, _computers = aliased(Seat), aliased(User), aliased(Seat)
IS_AGAINST_COMPUTER = exists().where(_computers.game_id == Seat.game_id, _computers.level.is_not(None))


# Export

def _export(connection: Connection, user_id: int) -> Exported:
    return {"totals": _totals(connection, user_id)}


def _totals(connection: Connection, user_id: int) -> list[Exported]:
    counts = (Tally.mark, Tally.coached, Tally.won, Tally.lost, Tally.drawn, Tally.decisions, Tally.kept)
    rows = connection.execute(
        select(Tally.level, User.name, *counts)
        .outerjoin(User, User.id == Tally.opponent_id)
        .where(Tally.user_id == user_id)
    )
    names = [column.key for column in counts]
    return [
        {"against": level or name or "deleted player", **dict(zip(names, values, strict=True))}
        for level, name, *values in rows
    ]


def _batches(user_id: int) -> Iterator[list[Exported]]:
    """All games, oldest first; between two batches no connection is held, however slowly they are fetched."""
    last = 0
    while rows := _some_games(user_id, after=last):
        game_ids = [row.id for row in rows]
        lists = _moves(game_ids), _taken_back(game_ids), _mistakes(user_id, game_ids)
        release_connection()
        yield [_told(row, *(of_games.get(row.id, []) for of_games in lists)) for row in rows]
        last = rows[-1].id


_GAMES = (
    select(
        Game.id, Game.public_id, Game.coached, Game.rows, Game.columns, Game.in_a_row, Game.reason,
        Game.created_at, Game.ended_at,
        Seat.mark, Seat.result, Seat.decisions, Seat.kept, _theirs.level, _opponent.name,
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


def _told(row: Any, moves: list[Exported], taken_back: list[Exported], mistakes: list[Exported]) -> Exported:
    return {
        "id": row.public_id,
        "board": f"{row.rows}x{row.columns}, {row.in_a_row} in a row",
        "mark": row.mark,
        "against": row.level or row.name or "deleted player",
        "result": row.result,
        "reason": row.reason,
        "coached": row.coached,
        "moves": moves,
        "taken_back": taken_back,
        "decisions": row.decisions,
        "kept": row.kept,
        "mistakes": mistakes,
        "created_at": text_of(row.created_at),
        "ended_at": text_of(row.ended_at),
    }


def _moves(game_ids: list[int]) -> dict[int, list[Exported]]:
    """By game, in the order of play."""
    theirs = select(Move.game_id, Move.cell, Move.made_at).where(Move.game_id.in_(game_ids))
    moves: dict[int, list[Exported]] = {}
    with reading() as connection:
        for game_id, cell, made_at in connection.execute(theirs.order_by(Move.game_id, Move.ply)):
            moves.setdefault(game_id, []).append({"cell": cell, "made_at": text_of(made_at)})
    return moves


def _taken_back(game_ids: list[int]) -> dict[int, list[Exported]]:
    """By game, in the order of play."""
    columns = (TakenBack.ply, TakenBack.cell, TakenBack.made_at, TakenBack.taken_at)
    theirs = select(TakenBack.game_id, *columns).where(TakenBack.game_id.in_(game_ids))
    taken: dict[int, list[Exported]] = {}
    with reading() as connection:
        for row in connection.execute(theirs.order_by(TakenBack.game_id, TakenBack.version, TakenBack.ply)):
            told = {"ply": row.ply, "cell": row.cell, "made_at": text_of(row.made_at)}
            taken.setdefault(row.game_id, []).append({**told, "taken_at": text_of(row.taken_at)})
    return taken


def _mistakes(user_id: int, game_ids: list[int]) -> dict[int, list[Exported]]:
    """By game, in the order of play; ply 0 is the first move. Positions and cells as they are stored."""
    columns = (Mistake.ply, Mistake.position, Mistake.to_move, Mistake.cell, Mistake.value_before, Mistake.value_after)
    theirs = select(Mistake.game_id, *columns).where(Mistake.user_id == user_id, Mistake.game_id.in_(game_ids))
    mistakes: dict[int, list[Exported]] = {}
    with reading() as connection:
        for game_id, *values in connection.execute(theirs.order_by(Mistake.game_id, Mistake.ply)):
            told = dict(zip([column.key for column in columns], values, strict=True))
            mistakes.setdefault(game_id, []).append(told)
    return mistakes


# Deletion

def _leave_people(connection: Connection, user_id: int) -> bool:
    """Leave some games in which somebody waits for this user; whether no others are left.

    To work out what 200 of them teach takes 7 ms of the unit's 47: it would gain little to do that before the lock.
    """
    games = _games_with_people(connection, user_id)
    for game in games:
        present = {holder.user_id for holder in game.holders.values() if holder.user_id and not holder.is_deleted}
        leaving = _leaving(game, user_id)
        write_within(connection, game, leaving, present - {user_id}, judged_sides_of(game, leaving))
    return len(games) < AT_ONCE


def _games_with_people(connection: Connection, user_id: int) -> list[GameRecord]:
    """Some of those in which somebody waits for this user, locked: nobody moves in them until the unit ends."""
    seats = select(Seat.game_id).where(Seat.user_id == user_id, Seat.result.is_(None))
    playing = (Game.status == Status.PLAYING) & WAITS_FOR_SOMEBODY & Game.id.in_(seats)
    waiting = (Game.status == Status.OPEN) & ((Game.opened_by == user_id) | (Game.challenged_id == user_id))
    some = select(Game.id).where(playing | waiting).order_by(Game.id).limit(AT_ONCE).with_for_update()
    return games_where(Game.id.in_(connection.scalars(some).all()))


def _leaving(game: GameRecord, user_id: int) -> Change:
    if game.status == Status.PLAYING:
        mark = game.mark_of(user_id)
        resigned = End(EndReason.RESIGNED, mark and mark.other)
        return Change(end=End(EndReason.ABORTED, status=Status.ABORTED) if can_abort(game) else resigned)
    is_mine = game.opener is not None and game.opener.id == user_id
    end = End(EndReason.WITHDRAWN, status=Status.WITHDRAWN) if is_mine else End(EndReason.OTHER, status=Status.DECLINED)
    return Change(end=end, values={"rematch_of": None})


def _delete_computer_games(user_ids: Collection[int]) -> None:
    """Of people who are marked as deleted; moves and seats go with the games."""
    games = chain.from_iterable(map(_computer_games, user_ids))
    while some := list(islice(games, AT_ONCE)):
        with writing() as connection:
            connection.execute(delete(Game).where(Game.id.in_(some)))


def _computer_games(user_id: int) -> Iterator[int]:
    some = [0]
    while some:
        theirs = (Seat.user_id == user_id, Seat.game_id > some[-1], IS_AGAINST_COMPUTER)
        with reading() as connection:
            next_ones = select(Seat.game_id).where(*theirs).order_by(Seat.game_id).limit(AT_ONCE)
            some = list(connection.scalars(next_ones))
        yield from some


def _remains() -> list[ColumnElement[bool]]:
    unfinished = (Seat.user_id == User.id, Seat.result.is_(None), Game.id == Seat.game_id)
    is_waited_for = (Game.status == Status.OPEN, or_(Game.opened_by == User.id, Game.challenged_id == User.id))
    return [
        exists().where(Seat.user_id == User.id, IS_AGAINST_COMPUTER),
        exists().where(*unfinished, Game.status == Status.PLAYING),
        exists().where(*is_waited_for),
    ]


HOLDING = Holding(
    export=_export,
    batches={"games": _batches},
    leave=_leave_people,
    tables=(Tally, Mistake),
    sweep=_delete_computer_games,
    remains=_remains(),
)
