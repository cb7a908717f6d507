"""The players of a game as one person sees them: who sits where, who is here, and whose turn it is."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from webapp.accounts.presence import is_here
from webapp.games.game_record import GameRecord, Holder
from webapp.games.states import Status
from webapp.tictactoe import ALL_LEVELS, Mark


class PlayerKind(StrEnum):
    USER = "user"
    GUEST = "guest"
    AGENT = "agent"
    COMPUTER = "computer"


@dataclass(frozen=True)
class SeatView:
    mark: Mark
    title: str
    kind: PlayerKind
    is_me: bool
    is_here: bool = True
    name: str | None = None  # of an account that has a page of its own
    seen_at: datetime | None = field(default=None, compare=False)  # two looks of one seat are equal without it
    agent_of: str | None = None  # its owner's name, if it is a program


@dataclass(frozen=True)
class Players:
    """The seats are empty until somebody joins."""

    seats: tuple[SeatView, ...]
    to_move: SeatView | None  # None before the start and after the end
    my_mark: Mark | None

    @property
    def is_spectator(self) -> bool:
        return self.my_mark is None

    @property
    def is_my_turn(self) -> bool:
        return self.to_move is not None and self.to_move.is_me

    @property
    def opponent(self) -> SeatView:
        """The other player; for a spectator, the second one."""
        return next(seat for seat in reversed(self.seats) if not seat.is_me)

    def seat_of(self, mark: Mark) -> SeatView:
        return next(seat for seat in self.seats if seat.mark == mark)


def players_of(game: GameRecord, viewer_id: int | None) -> Players:
    seats = tuple(seat_view(holder, viewer_id) for holder in game.holders.values())
    is_playing = game.status == Status.PLAYING
    to_move = next((seat for seat in seats if is_playing and seat.mark == game.position.to_move), None)
    return Players(seats, to_move, game.mark_of(viewer_id))


def seat_view(holder: Holder, viewer_id: int | None) -> SeatView:
    is_me = viewer_id is not None and holder.user_id == viewer_id
    if holder.level is not None:
        return SeatView(holder.mark, ALL_LEVELS[holder.level].title, PlayerKind.COMPUTER, is_me)
    if holder.is_deleted:
        return SeatView(holder.mark, "deleted player", PlayerKind.USER, is_me, is_here=False)
    if holder.name is None:
        return SeatView(holder.mark, "You" if is_me else "a guest", PlayerKind.GUEST, is_me)
    here = is_me or is_here(holder.seen_at)
    kind = PlayerKind.AGENT if holder.agent_of else PlayerKind.USER
    return SeatView(holder.mark, holder.name, kind, is_me, here, holder.name, holder.seen_at, holder.agent_of)
