"""A seat as one person sees it: who sits there, and whether they are here."""

from dataclasses import dataclass
from datetime import datetime

from webapp.accounts.presence import is_here
from webapp.games.queries import Holder
from webapp.tictactoe import LEVELS, Mark


@dataclass(frozen=True)
class SeatView:
    mark: Mark
    title: str
    kind: str
    is_me: bool
    is_here: bool = True
    name: str | None = None  # of an account that has a page of its own
    seen_at: datetime | None = None


def seat_view(holder: Holder, viewer_id: int | None) -> SeatView:
    is_me = viewer_id is not None and holder.user_id == viewer_id
    if holder.level is not None:
        return SeatView(holder.mark, LEVELS[holder.level].title, "computer", is_me)
    if holder.is_deleted:
        return SeatView(holder.mark, "deleted player", "user", is_me, is_here=False)
    if holder.name is None:
        return SeatView(holder.mark, "You" if is_me else "a guest", "guest", is_me)
    here = is_me or is_here(holder.seen_at)
    return SeatView(holder.mark, holder.name, "user", is_me, here, holder.name, holder.seen_at)
