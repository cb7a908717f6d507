"""How two people come to sit at one board: open a game, join it, withdraw, decline, meet again."""

from dataclasses import asdict, replace
from random import Random
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select
from sqlalchemy.exc import IntegrityError

from webapp.accounts.locking import lock_users
from webapp.clock import now
from webapp.database import announce_change, writing
from webapp.errors import BadRequest, NotThere
from webapp.extensions import app_random, settings
from webapp.games.acceptance import accepts_at_once
from webapp.games.changes import Change, End, change_game, people_in, withdraw_open_game_of, write_within
from webapp.games.deadlines import next_deadline
from webapp.games.game_record import GameRecord
from webapp.games.models import Game
from webapp.games.permissions import check_opponent
from webapp.games.players import seat_view
from webapp.games.queries import game_seen_by, games_where
from webapp.games.refusals import CannotNow, PlayerIsGone, SeatTaken
from webapp.games.services import new_public_id, seat_of
from webapp.games.states import EndReason, Status, Visibility, WishedMark
from webapp.games.unfinished import Against, check_unfinished
from webapp.prepared import Prepared
from webapp.throttle import Limit, count_within
from webapp.tictactoe import STANDARD, Board, Mark

REASONS = {
    EndReason.LATER: "not now, maybe later",
    EndReason.BUSY: "I am in another game",
    EndReason.OTHER: "I want to play somebody else",
}


def can_join(game: GameRecord, user_id: int | None) -> bool:
    """Draws the button and guards the post."""
    if game.status != Status.OPEN or user_id is None or game.opener is None or game.opener.id == user_id:
        return False
    return game.challenged is None or game.challenged.id == user_id


def open_game(
    user_id: int, public_id: str, wished_mark: WishedMark, visibility: Visibility,
    challenged_id: int | None = None, rematch_of: int | None = None, board: Board = STANDARD,
    classroom_id: int | None = None,
) -> str:  # fmt: skip
    """Wait for a second player; a game that this user had open before is withdrawn."""
    if challenged_id == user_id:
        raise BadRequest("You cannot challenge yourself. Choose somebody else, or play the computer.")
    if challenged_id is not None:
        check_opponent(user_id, challenged_id)
    wish = {
        "opened_by": user_id, "challenged_id": challenged_id, "wished_mark": wished_mark, "visibility": visibility,
        "rematch_of": rematch_of, "classroom_id": classroom_id, **asdict(board),
    }  # fmt: skip
    try:
        return _open(public_id, wish)
    except IntegrityError:  # Somebody else's form chose the same id at this moment.
        return _open(new_public_id(), wish)


def _open(public_id: str, wish: dict[str, Any]) -> str:
    """The same form sent twice opens one game; an id that another game has is exchanged for a new one."""
    user_id, challenged_id = wish["opened_by"], wish["challenged_id"]
    with writing() as connection:
        _keep_from_deletion(connection, {user_id, challenged_id or user_id})
        [taken] = _WISH.rows(connection, public_id=public_id) or [None]
        if taken and taken.status in (Status.OPEN, Status.PLAYING) and taken._asdict().items() >= wish.items():
            return public_id
        _check_no_rematch(connection, wish["rematch_of"])
        is_accepted = challenged_id is not None and accepts_at_once(connection, user_id, challenged_id)
        if not is_accepted:
            _count_opened(connection, user_id)
        withdraw_open_game_of(connection, user_id)
        check_unfinished(connection, user_id, Against.PEOPLE)
        public_id = new_public_id() if taken else public_id
        waits = {"status": Status.OPEN, "called_id": challenged_id, "due_at": next_deadline(None)}
        _OPEN.run(connection, public_id=public_id, created_at=now(), **wish, **waits, **_AT_FIRST)
        if challenged_id is not None and is_accepted:
            _begin(connection, public_id, challenged_id)
        announce_change(connection)
    return public_id


def _count_opened(connection: Connection, user_id: int) -> None:
    """Games that wait: each withdraws the one before, so the limit on unfinished ones does not hold them."""
    sentence = "You have opened too many games."
    count_within(connection, Limit(f"opened games {user_id}", settings().opened_games, sentence))


def _begin(connection: Connection, public_id: str, challenged_id: int) -> None:
    """In the unit of the challenge. A game that the challenged one has open itself stays open."""
    [game] = games_where(Game.public_id == public_id)
    change = decide_join(game, challenged_id, app_random())
    assert change  # noqa: S101 - nobody sits there yet
    write_within(connection, game, replace(change, joined_by=None), people_in(game, change), {})


_WISHES = ("opened_by", "challenged_id", "wished_mark", "visibility", "rematch_of", "classroom_id", "rows", "columns",
           "in_a_row")  # fmt: skip
_WISH = Prepared(
    select(Game.status, *(getattr(Game, name) for name in _WISHES)).where(Game.public_id == bindparam("public_id"))
)
_AT_FIRST = {"version": 0, "draw_is_open": False, "coached": False, "arranged": False, "opening_plies": 0}
_OPENED = ("public_id", "created_at", "status", "called_id", "due_at", *_WISHES, *_AT_FIRST)
_OPEN = Prepared(insert(Game).values({name: bindparam(name) for name in _OPENED}))


def _check_no_rematch(connection: Connection, rematch_of: int | None) -> None:
    there_is = select(Game.id).where(Game.rematch_of == rematch_of)
    if rematch_of is not None and connection.scalar(there_is) is not None:
        raise SeatTaken("Your opponent asked for the rematch at the same moment. Press again.")


def _keep_from_deletion(connection: Connection, user_ids: set[int]) -> None:
    if lock_users(connection, user_ids) != user_ids:
        raise PlayerIsGone


def join_game(user_id: int, public_id: str, random: Random) -> None:
    change_game(user_id, public_id, _decide_join_if_allowed, random)


def _decide_join_if_allowed(game: GameRecord, user_id: int, random: Random) -> Change | None:
    change = decide_join(game, user_id, random)
    if change and game.opener:
        check_opponent(user_id, game.opener.id)
    return change


def decide_join(game: GameRecord, user_id: int, random: Random) -> Change | None:
    if game.mark_of(user_id) is not None:
        return None
    if not can_join(game, user_id):
        raise SeatTaken(_why_not(game, user_id))
    assert game.opener and game.wished_mark  # noqa: S101 - can_join has looked
    theirs = game.wished_mark.mark or random.choice([Mark.X, Mark.O])
    seats = [
        {"mark": theirs, "user_id": game.opener.id, "level": None},
        {"mark": theirs.other, "user_id": user_id, "level": None},
    ]
    return Change(values={"status": Status.PLAYING, "due_at": next_deadline(0)}, seats=seats, joined_by=user_id)


def _why_not(game: GameRecord, user_id: int) -> str:
    if game.opener and game.opener.id == user_id:
        return "This is your own game. Wait until somebody joins it."
    if game.status == Status.WITHDRAWN:
        return "This game was cancelled before you joined."
    others = [holder for holder in game.holders.values() if game.opener and holder.user_id != game.opener.id]
    taken_by = seat_view(others[0], user_id).title if others else None  # who may have no name any more
    return f"Somebody was quicker: {taken_by} took the seat." if taken_by else "This game is not open to you."


def withdraw(user_id: int, public_id: str) -> None:
    change_game(user_id, public_id, decide_withdrawal)


def decide_withdrawal(game: GameRecord, user_id: int) -> Change | None:
    if game.opener is None or game.opener.id != user_id:
        raise NotThere
    if game.status == Status.WITHDRAWN:
        return None
    if game.status != Status.OPEN:
        raise CannotNow("Somebody joined before you cancelled, so the game has begun. You can still cancel it.")
    return Change(end=End(EndReason.WITHDRAWN, status=Status.WITHDRAWN), values={"rematch_of": None})


def decline(user_id: int, public_id: str, reason: str) -> None:
    change_game(user_id, public_id, decide_decline, EndReason(reason))


def decide_decline(game: GameRecord, user_id: int, reason: EndReason) -> Change | None:
    if game.challenged is None or game.challenged.id != user_id:
        raise NotThere
    if game.status == Status.DECLINED:
        return None
    if game.status != Status.OPEN:
        raise CannotNow("This challenge is no longer open.")
    return Change(end=End(reason, status=Status.DECLINED), values={"rematch_of": None})


def rematch(user_id: int, public_id: str, random: Random, next_public_id: str) -> str:
    """The first to press opens the new game for the other, marks swapped; the other's press joins it."""
    try:
        return _rematch(user_id, public_id, random, next_public_id)
    except SeatTaken:  # Both pressed at this moment: now there is one to join.
        return _rematch(user_id, public_id, random, next_public_id)


def _rematch(user_id: int, public_id: str, random: Random, next_public_id: str) -> str:
    game = game_seen_by(user_id, public_id)
    mark = seat_of(game, user_id)
    if not game.is_over:
        raise CannotNow("You can play again when this game is over.")
    if game.arranged:
        raise CannotNow("A competition decides who meets whom. For another game, challenge your opponent in the lobby.")
    if game.rematch is None:
        other = game.holders[mark.other]
        if other.is_deleted or other.user_id is None:
            raise CannotNow("Your opponent's account is deleted, so there is nobody to play again with.")
        wished = WishedMark(mark.other)
        return open_game(user_id, next_public_id, wished, game.visibility, other.user_id, game.id, game.board)
    if game.rematch_by != user_id:
        join_game(user_id, game.rematch, random)
    return game.rematch
