"""What two people settle between them in a game: draws, cancelling it, and an opponent who is gone."""

from datetime import timedelta

from webapp.clock import now
from webapp.extensions import settings
from webapp.games.changes import Change, End, change_game
from webapp.games.game_record import GameRecord, Holder
from webapp.games.refusals import CannotNow
from webapp.games.services import seat_of
from webapp.games.states import EndReason, Status
from webapp.tictactoe import Mark

PLIES_BETWEEN_OFFERS = 2
NO_ABORT = "A game can be cancelled until both have moved. You can resign or offer a draw."
NO_ABORT_ARRANGED = "A game of a competition cannot be cancelled. You can resign."


def can_abort(game: GameRecord) -> bool:
    can_be = game.is_between_people and not game.arranged
    return game.status == Status.PLAYING and can_be and not game.has_begun


def can_offer_draw(game: GameRecord, mark: Mark) -> bool:
    if game.status != Status.PLAYING or not game.is_between_people or game.draw_is_open or not game.moves:
        return False
    waited = len(game.moves) - (game.draw_offered_ply or 0) >= PLIES_BETWEEN_OFFERS
    return game.draw_offered_by != mark or waited


def can_answer_draw(game: GameRecord, mark: Mark) -> bool:
    return game.status == Status.PLAYING and game.draw_is_open and game.draw_offered_by == mark.other


def can_claim(game: GameRecord, mark: Mark) -> bool:
    """While it is the absent one's turn, never on one's own; a game that can be cancelled is not claimed."""
    is_theirs = game.status == Status.PLAYING and game.position.to_move != mark
    if not is_theirs or not game.is_between_people or not game.has_begun:
        return False
    return is_gone(game.holders[mark.other], game)


def is_gone(holder: Holder, game: GameRecord) -> bool:
    """From the start of the turn: nobody is missed while the other thinks.

    Whose page listens is missed soon; a player with scripts off gets the time to think between two pages.
    """
    patience = settings().gone_seconds if holder.by_stream else settings().gone_seconds_without_scripts
    turn_began_at = game.turn_began_at or game.created_at
    since = max(holder.seen_at or turn_began_at, turn_began_at)
    return now() - since > timedelta(seconds=patience)


# What is decided on a game as it stands, without a database: None if it is done already.


def decide_abort(game: GameRecord, user_id: int) -> Change | None:
    seat_of(game, user_id)
    if game.status == Status.ABORTED:
        return None
    if not can_abort(game):
        raise CannotNow(NO_ABORT_ARRANGED if game.arranged else NO_ABORT)
    return Change(end=End(EndReason.ABORTED, status=Status.ABORTED))


def decide_offer(game: GameRecord, user_id: int) -> Change | None:
    mark = seat_of(game, user_id)
    if game.draw_is_open and game.draw_offered_by == mark:
        return None
    if can_answer_draw(game, mark):  # Both offered at once: that is an agreement.
        return Change(end=End(EndReason.AGREED))
    if not can_offer_draw(game, mark):
        raise CannotNow("You can offer a draw once in two moves. Play on, and offer it again later.")
    return Change(values={"draw_is_open": True, "draw_offered_by": mark, "draw_offered_ply": len(game.moves)})


def decide_accept(game: GameRecord, user_id: int) -> Change | None:
    mark = seat_of(game, user_id)
    if game.is_over and game.reason == EndReason.AGREED:
        return None
    if not can_answer_draw(game, mark):
        raise CannotNow("The offer of a draw is not open any more. Play on.")
    return Change(end=End(EndReason.AGREED))


def decide_decline(game: GameRecord, user_id: int) -> Change | None:
    mark = seat_of(game, user_id)
    return Change(values={"draw_is_open": False}) if can_answer_draw(game, mark) else None


def decide_claim(game: GameRecord, user_id: int, as_win: bool) -> Change | None:
    mark = seat_of(game, user_id)
    winner = mark if as_win else None
    if game.is_over and game.reason == EndReason.CLAIMED and game.winner == winner:
        return None
    if can_abort(game):
        raise CannotNow("You cannot claim a game before both of you have moved. You can cancel it.")
    if not can_claim(game, mark):
        raise CannotNow("Your opponent is back or has moved, so there is nothing to claim. Play on.")
    return Change(end=End(EndReason.CLAIMED, winner))


# The services


def abort(user_id: int, public_id: str) -> None:
    change_game(user_id, public_id, decide_abort)


def offer_draw(user_id: int, public_id: str) -> None:
    change_game(user_id, public_id, decide_offer)


def accept_draw(user_id: int, public_id: str) -> None:
    change_game(user_id, public_id, decide_accept)


def decline_draw(user_id: int, public_id: str) -> None:
    change_game(user_id, public_id, decide_decline)


def claim(user_id: int, public_id: str, as_win: bool) -> None:
    """The other has gone: the win, or a draw, as the one who stayed chooses."""
    change_game(user_id, public_id, decide_claim, as_win)
