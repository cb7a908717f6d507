"""Questions about accounts. Read only."""

from sqlalchemy import select

from webapp.accounts.models import UserSession
from webapp.extensions import db


def sessions_of(user_id: int) -> list[UserSession]:
    """The browsers in which the account is open, the last used first."""
    newest_first = select(UserSession).where(UserSession.user_id == user_id).order_by(UserSession.last_seen_at.desc())
    return list(db.session.scalars(newest_first.limit(50)))
