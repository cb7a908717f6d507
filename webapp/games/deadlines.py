"""Games that nobody finishes are decided by the server, once: there is no worker, the next page view does it."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from flask import current_app
from sqlalchemy import bindparam, select, update

from webapp.clock import now
from webapp.database import UNREACHABLE, UtcDateTime, reading, writing
from webapp.extensions import settings
from webapp.games.changes import Change, End, SomebodyWasQuicker, write
from webapp.games.game_record import GameRecord
from webapp.games.models import Game
from webapp.games.queries import games_where
from webapp.games.states import EndReason, Status
from webapp.prepared import Prepared

log = logging.getLogger("noughts.deadlines")

OVERDUE = "noughts_overdue"
PUT_OFF_FOR = timedelta(hours=1)
_DUE = Prepared(
    select(Game.id)
    .where(Game.due_at <= bindparam("moment", type_=UtcDateTime), Game.due_at.is_not(None))
    .order_by(Game.due_at)
    .limit(20)
)


def next_deadline(plies: int | None) -> datetime:
    """When the server decides a game between people: waiting for a player (None), a first move, or a move."""
    hours = {None: settings().open_hours, 0: settings().first_move_hours}.get(plies, settings().abandon_hours)
    return now() + timedelta(hours=hours)


def settle_due() -> None:
    """Apply the deadlines that have passed. The version sees to it that each is applied once."""
    moment = now()
    with reading() as connection:
        due = _DUE.rows(connection, moment=moment)
    for row in due:
        _settle(row.id, moment)


def settled(load: Callable[[], GameRecord]) -> GameRecord:
    """The game, with its own deadline applied if that has passed."""
    game = load()
    if game.due_at is None or game.due_at > now():
        return game
    settle_due()
    return load()


def _settle(game_id: int, moment: datetime) -> None:
    """One that cannot be settled, through a mistake of ours, must not break the pages of everybody who looks."""
    try:
        for game in games_where((Game.id == game_id) & (Game.due_at <= moment)):  # somebody may have moved just now
            write(game, _arrangers_decision(game) or _decision(game))
    except SomebodyWasQuicker:
        pass
    except UNREACHABLE:  # no fault of this game's
        raise
    except Exception:
        log.exception("Game %s could not be settled. It is tried again in an hour.", game_id)
        _put_off(game_id, moment)


def _put_off(game_id: int, moment: datetime) -> None:
    """So it is logged once an hour, whoever looks meanwhile, and never keeps those behind it from their turn."""
    with writing() as connection:
        is_still_due = (Game.id == game_id, Game.due_at <= moment)
        connection.execute(update(Game).where(*is_still_due).values(due_at=moment + PUT_OFF_FOR))


def _arrangers_decision(game: GameRecord) -> Change | None:
    """Of a game that a higher package arranged, which may know better: it ends the game, or gives it more time."""
    if not game.arranged or game.is_over:
        return None
    decisions: list[Callable[[GameRecord], Change | None]] = current_app.extensions.get(OVERDUE, [])
    return next((change for decide in decisions if (change := decide(game))), None)


def _decision(game: GameRecord) -> Change:
    """A rematch that nobody took up leaves the two free to ask again."""
    return Change(end=decided(game), values={"rematch_of": None} if game.status == Status.OPEN else {})


def decided(game: GameRecord) -> End:
    """How a game ends whose time has run out."""
    if game.status == Status.OPEN:
        return End(EndReason.NOBODY, status=Status.WITHDRAWN)
    if not game.has_begun:
        return End(EndReason.NO_MOVE, status=Status.ABORTED)
    return End(EndReason.ABANDONED, game.position.to_move.other)
