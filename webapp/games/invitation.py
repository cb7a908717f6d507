"""A game that nobody has joined, as one person sees it: who waits for whom, with which mark, or why it is off."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from webapp.clock import now
from webapp.extensions import settings
from webapp.games.game_record import GameRecord, Person
from webapp.games.meeting import REASONS
from webapp.games.states import EndReason, Status, Visibility
from webapp.tictactoe import Mark


@dataclass(frozen=True)
class Invitation:
    status: Status
    reason: EndReason | None
    opener: Person
    challenged: Person | None
    is_opener: bool
    is_challenged: bool
    opener_mark: Mark | None  # None while it is left to chance
    is_rematch: bool
    is_private: bool
    is_for_classmates: bool
    opened_at: datetime

    @property
    def is_open(self) -> bool:
        return self.status == Status.OPEN

    @property
    def is_for_viewer(self) -> bool:
        """It is theirs to join; a visitor signs up first."""
        return not self.is_opener and (self.challenged is None or self.is_challenged)

    @property
    def needs_link(self) -> bool:
        """Nobody finds this game unless they are sent its address."""
        return self.is_open and self.is_opener and self.is_private and self.challenged is None

    @property
    def declined_because(self) -> str | None:
        return REASONS.get(self.reason) if self.reason and self.status == Status.DECLINED else None

    @property
    def has_waited_long(self) -> bool:
        """The opener may want to play the computer meanwhile."""
        patience = timedelta(seconds=settings().offer_computer_seconds)
        return self.is_open and self.is_opener and now() - self.opened_at >= patience


def invitation_of(game: GameRecord, viewer_id: int | None) -> Invitation | None:
    """None once the seats are taken."""
    if game.holders or game.opener is None:
        return None
    return Invitation(
        status=game.status,
        reason=game.reason,
        opener=game.opener,
        challenged=game.challenged,
        is_opener=game.opener.id == viewer_id,
        is_challenged=game.challenged is not None and game.challenged.id == viewer_id,
        opener_mark=game.wished_mark.mark if game.wished_mark else None,
        is_rematch=game.rematch_of is not None,
        is_private=game.visibility == Visibility.PRIVATE,
        is_for_classmates=game.classroom_id is not None,
        opened_at=game.created_at,
    )
