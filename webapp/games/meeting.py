"""How two people come to sit at one board: open a game, join it, withdraw, decline, meet again."""

from random import Random

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from webapp.accounts.locking import lock_users
from webapp.database import announce_change, begin_writing
from webapp.errors import BadRequest, NotThere
from webapp.extensions import db
from webapp.games.changes import Change, End, change_game, withdraw_open_game_of
from webapp.games.deadlines import next_deadline
from webapp.games.models import DECLINED, OPEN, PLAYING, WITHDRAWN, Game
from webapp.games.queries import GameRecord, game_seen_by
from webapp.games.refusals import CannotNow, PlayerIsGone, SeatTaken
from webapp.games.services import new_public_id, seat_of
from webapp.tictactoe import STANDARD, Mark

BY_LOT = "random"
REASONS = {
    "later": "not now, perhaps later",
    "busy": "in another game just now",
    "other": "would rather play somebody else",
}


def can_join(game: GameRecord, user_id: int | None) -> bool:
    """Draws the button and guards the post."""
    if game.status != OPEN or user_id is None or game.opener is None or game.opener.id == user_id:
        return False
    return game.challenged is None or game.challenged.id == user_id


def open_game(
    user_id: int, public_id: str, wished_mark: str, visibility: str,
    challenged_id: int | None = None, rematch_of: int | None = None,
) -> str:  # fmt: skip
    """Wait for a second player; a game that this user had open before is withdrawn."""
    if challenged_id == user_id:
        raise BadRequest("You cannot challenge yourself. Choose somebody else, or play the computer.")
    values = {
        "public_id": public_id, "visibility": visibility, "status": OPEN, "opened_by": user_id,
        "wished_mark": wished_mark, "challenged_id": challenged_id, "called_id": challenged_id,
        "rematch_of": rematch_of, "due_at": next_deadline(None), "rows": STANDARD.rows, "columns": STANDARD.columns,
        "in_a_row": STANDARD.in_a_row,
    }  # fmt: skip
    begin_writing()
    try:
        connection = db.session.connection()
        _keep_from_deletion(connection, {user_id, challenged_id or user_id})
        if not _is_mine(user_id, public_id):
            withdraw_open_game_of(connection, user_id, rematch_of)
            db.session.execute(insert(Game).values(values))
            announce_change(connection)
        db.session.commit()
    except IntegrityError:  # Another tab of the same user opened one at this moment, or the id is somebody else's.
        db.session.rollback()
        if rematch_of is not None:
            raise SeatTaken("Your opponent asked for the rematch at the same moment.") from None
        return open_game(user_id, new_public_id(), wished_mark, visibility, challenged_id)
    return public_id


def _keep_from_deletion(connection: Connection, user_ids: set[int]) -> None:
    if lock_users(connection, user_ids) != user_ids:
        db.session.rollback()
        raise PlayerIsGone


def _is_mine(user_id: int, public_id: str) -> bool:
    """The same form sent twice opens one game."""
    return db.session.scalar(select(Game.opened_by).where(Game.public_id == public_id)) == user_id


def join_game(user_id: int, public_id: str, random: Random) -> None:
    def decide(game: GameRecord) -> Change | None:
        if game.mark_of(user_id) is not None:
            return None
        if not can_join(game, user_id):
            raise SeatTaken(_why_not(game, user_id))
        assert game.opener and game.wished_mark  # noqa: S101 - can_join has looked
        theirs = random.choice([Mark.X, Mark.O]) if game.wished_mark == BY_LOT else Mark(game.wished_mark)
        seats = [
            {"mark": theirs.value, "user_id": game.opener.id, "level": None},
            {"mark": theirs.other.value, "user_id": user_id, "level": None},
        ]
        return Change(values={"status": PLAYING, "due_at": next_deadline(0)}, seats=seats, joined_by=user_id)

    change_game(user_id, public_id, decide)


def _why_not(game: GameRecord, user_id: int) -> str:
    if game.opener and game.opener.id == user_id:
        return "This is your own game. Wait until somebody joins it."
    if game.status == WITHDRAWN:
        return "This game was withdrawn before you joined."
    seated = [holder.name for holder in game.holders.values() if game.opener and holder.user_id != game.opener.id]
    return f"Somebody was quicker: {seated[0]} took the seat." if seated else "This game is not open to you."


def withdraw(user_id: int, public_id: str) -> None:
    def decide(game: GameRecord) -> Change | None:
        if game.opener is None or game.opener.id != user_id:
            raise NotThere
        if game.status == WITHDRAWN:
            return None
        if game.status != OPEN:
            raise CannotNow("Somebody has joined in the meantime, so it cannot be withdrawn. You can cancel it.")
        return Change(end=End("withdrawn", status=WITHDRAWN), values={"rematch_of": None})

    change_game(user_id, public_id, decide)


def decline(user_id: int, public_id: str, reason: str) -> None:
    def decide(game: GameRecord) -> Change | None:
        if game.challenged is None or game.challenged.id != user_id:
            raise NotThere
        if game.status == DECLINED:
            return None
        if game.status != OPEN:
            raise CannotNow("This challenge is no longer open.")
        return Change(end=End(reason, status=DECLINED), values={"rematch_of": None})

    change_game(user_id, public_id, decide)


def rematch(user_id: int, public_id: str, random: Random, new_id: str) -> str:
    """The first to press opens the new game for the other, marks swapped; the other's press joins it."""
    game = game_seen_by(user_id, public_id)
    mark = seat_of(game, user_id)
    db.session.rollback()
    if not game.is_over:
        raise CannotNow("You can play again when this game is over.")
    if game.rematch is None:
        try:
            other = game.holders[mark.other]
            if other.is_deleted or other.user_id is None:
                raise CannotNow("Your opponent's account is deleted, so there is nobody to play again with.")
            return open_game(user_id, new_id, mark.other.value, game.visibility, other.user_id, game.id)
        except SeatTaken:
            return rematch(user_id, public_id, random, new_id)
    if game.rematch_by != user_id:
        join_game(user_id, game.rematch, random)
    return game.rematch
