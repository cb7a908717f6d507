"""Taking back a move in a coached game: one's own last one, with the computer's answer to it."""

from webapp.games.changes import Change, change_game
from webapp.games.game_record import GameRecord
from webapp.games.permissions import check_coach
from webapp.games.refusals import BoardMovedOn, CannotNow, GameIsOver
from webapp.games.services import seat_of
from webapp.games.states import Status

MOVE_AND_ANSWER = 2
MOST = 100  # in one game: what was taken back is kept, and read with the game


def can_take_back(game: GameRecord) -> bool:
    """Draws the button and guards the post. While such a game goes on, it is always its player's turn."""
    if not game.coached or game.status != Status.PLAYING or len(game.taken_back) >= MOST * MOVE_AND_ANSWER:
        return False
    return len(game.moves) >= MOVE_AND_ANSWER


def take_back(user_id: int, public_id: str, version: int) -> None:
    check_coach(user_id)
    change_game(user_id, public_id, decide_take_back, version)


def decide_take_back(game: GameRecord, user_id: int, version: int) -> Change | None:
    seat_of(game, user_id)
    if any(move.version == version for move in game.taken_back):
        return None  # The same post once more: what it asks for is done already.
    if not game.coached:
        raise CannotNow("You can take moves back only in a game with the coach. Play on.")
    if game.is_over:
        raise GameIsOver("This game is over, so your last move stays. Play again to try another one.")
    if version != game.version:
        raise BoardMovedOn("Your page showed an older board, so no move was taken back. Here is the current one.")
    if not can_take_back(game):
        raise CannotNow(_why_not(game))
    return Change(takes_back=MOVE_AND_ANSWER)


def _why_not(game: GameRecord) -> str:
    if len(game.moves) < MOVE_AND_ANSWER:
        return "You have not moved yet, so there is nothing to take back. Choose a cell."
    return f"You took back {MOST} moves in this game, and that is the most. Play on, or start another game."
