"""Deleting accounts and guests, in units so small that nobody who plays has to wait. Knows no Flask request.

First, in one unit, a person is marked as deleted and leaves everybody they play with: from then on nobody sits
against them. Their games against the computer, perhaps very many, go afterwards. Should the server be killed in
between, `purge` goes on where it stopped.
"""

from collections.abc import Collection, Iterator
from datetime import timedelta
from itertools import chain, islice

from sqlalchemy import ColumnElement, Connection, delete, exists, or_, select, update
from sqlalchemy.orm import aliased

from webapp.accounts.locking import lock_users
from webapp.accounts.models import KnownBrowser, Presence, User, UserSession
from webapp.clock import now
from webapp.database import reading, writing
from webapp.extensions import settings
from webapp.games.agreements import can_abort
from webapp.games.changes import Change, End, write_within
from webapp.games.models import ABORTED, DECLINED, OPEN, PLAYING, WITHDRAWN, Game, Seat, Tally
from webapp.games.queries import GameRecord, games_where

AT_ONCE = 200  # games, or guests, in one unit
OF_ONE_PERSON = (UserSession, KnownBrowser, Presence, Tally)
_computers = aliased(Seat)
IS_AGAINST_COMPUTER = exists().where(_computers.game_id == Seat.game_id, _computers.level.is_not(None))


def delete_account(user_id: int) -> None:
    """Games between people stay for the other under "deleted player"; all else goes. The name stays taken."""
    while not _leave_people(user_id):
        pass
    _delete_computer_games([user_id])


def _leave_people(user_id: int) -> bool:
    """One unit: leave some games, and if no others are left, be deleted. Whether that is so."""
    with writing() as connection:
        lock_users(connection, {user_id})
        games = _games_with_people(connection, user_id)
        for game in games:
            present = {holder.user_id for holder in game.holders.values() if holder.user_id and not holder.is_deleted}
            write_within(connection, game, _leaving(game, user_id), present - {user_id})
        is_free = len(games) < AT_ONCE
        if is_free:
            _mark_as_deleted(connection, [user_id])
    return is_free


def _games_with_people(connection: Connection, user_id: int) -> list[GameRecord]:
    """Some of those in which somebody waits for this user, locked: nobody moves in them until the unit ends."""
    seats = select(Seat.game_id).where(Seat.user_id == user_id, Seat.result.is_(None))
    playing = (Game.status == PLAYING) & Game.opened_by.is_not(None) & Game.id.in_(seats)
    waiting = (Game.status == OPEN) & ((Game.opened_by == user_id) | (Game.challenged_id == user_id))
    some = select(Game.id).where(playing | waiting).order_by(Game.id).limit(AT_ONCE).with_for_update()
    return games_where(Game.id.in_(connection.scalars(some).all()))


def _leaving(game: GameRecord, user_id: int) -> Change:
    if game.status == PLAYING:
        mark = game.mark_of(user_id)
        return Change(end=End("aborted", status=ABORTED) if can_abort(game) else End("resigned", mark and mark.other))
    is_mine = game.opener is not None and game.opener.id == user_id
    end = End("withdrawn", status=WITHDRAWN) if is_mine else End("other", status=DECLINED)
    return Change(end=end, values={"rematch_of": None})


def _mark_as_deleted(connection: Connection, user_ids: Collection[int]) -> None:
    for table in OF_ONE_PERSON:
        connection.execute(delete(table).where(table.user_id.in_(user_ids)))
    gone = {"name": None, "password_hash": None, "deleted_at": now()}
    connection.execute(update(User).where(User.id.in_(user_ids), User.deleted_at.is_(None)).values(gone))


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


def purge_guests() -> int:
    """Delete guests who were not seen for a week."""
    before = now() - timedelta(days=settings().guest_days)
    is_old = (User.name_key.is_(None), User.last_seen_at < before, User.deleted_at.is_(None))
    old = select(User.id).where(*is_old).limit(AT_ONCE).with_for_update()  # none signs up in between
    guests = [0]
    while guests:
        with writing() as connection:
            guests = list(connection.scalars(old))
            _mark_as_deleted(connection, guests)
    return _delete_marked_guests()


def _delete_marked_guests() -> int:
    count = 0
    while guests := _users(User.name_key.is_(None), User.deleted_at.is_not(None), limit=AT_ONCE):
        _delete_computer_games(guests)
        with writing() as connection:
            connection.execute(delete(User).where(User.id.in_(guests)))
        count += len(guests)
    return count


def finish_deletions() -> None:
    """Of accounts whose deletion was cut off, or raced with somebody who joined them in a version before this."""
    for user_id in _users(User.name_key.is_not(None), User.deleted_at.is_not(None), _has_something_left()):
        delete_account(user_id)


def _users(*conditions: ColumnElement[bool], limit: int | None = None) -> list[int]:
    with reading() as connection:
        return list(connection.scalars(select(User.id).where(*conditions).limit(limit)))


def _has_something_left() -> ColumnElement[bool]:
    seat_in_play = (Seat.user_id == User.id, Seat.result.is_(None), Game.id == Seat.game_id, Game.status == PLAYING)
    is_waited_for = (Game.status == OPEN, or_(Game.opened_by == User.id, Game.challenged_id == User.id))
    return or_(
        *(exists().where(table.user_id == User.id) for table in OF_ONE_PERSON),
        exists().where(Seat.user_id == User.id, IS_AGAINST_COMPUTER),
        exists().where(*seat_in_play),
        exists().where(*is_waited_for),
    )
