"""What two players have offered each other, as one person sees it: a draw, a rematch."""

from dataclasses import dataclass

from webapp.games.game_record import GameRecord
from webapp.games.states import Status


@dataclass(frozen=True)
class DrawOffer:
    is_open: bool
    is_mine: bool  # open, and the viewer made it
    is_declined: bool  # the viewer made it, and the opponent pressed "Decline"


@dataclass(frozen=True)
class Rematch:
    public_id: str | None = None
    is_mine: bool = False  # the viewer has asked for it
    is_theirs: bool = False  # the opponent has
    has_begun: bool = False


def draw_offer_of(game: GameRecord, viewer_id: int | None) -> DrawOffer:
    mark = game.mark_of(viewer_id)
    by_me = mark is not None and game.draw_offered_by == mark
    # A move declines an offer too, but speaks for itself.
    declined = by_me and not game.draw_is_open and game.draw_offered_ply == len(game.moves)
    return DrawOffer(game.draw_is_open, by_me and game.draw_is_open, declined)


def rematch_of(game: GameRecord, viewer_id: int | None) -> Rematch:
    """A spectator hears of it when it has begun."""
    if game.rematch is None:
        return Rematch()
    if game.rematch_status != Status.OPEN:
        return Rematch(game.rematch, has_begun=True)
    if game.mark_of(viewer_id) is None:
        return Rematch()
    is_mine = game.rematch_by == viewer_id
    return Rematch(game.rematch, is_mine=is_mine, is_theirs=not is_mine)
