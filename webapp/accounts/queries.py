"""Questions about accounts. Read only."""

from typing import Any

from sqlalchemy import ColumnElement, Row, select

from webapp.accounts.models import BROWSERS_KEPT, User, UserSession
from webapp.accounts.names import NAME
from webapp.database import reading
from webapp.errors import NotThere


def sessions_of(user_id: int) -> list[Row[Any]]:
    """The browsers in which the account is open, the last used first."""
    newest_first = select(UserSession).where(UserSession.user_id == user_id).order_by(UserSession.last_seen_at.desc())
    with reading() as connection:
        return list(connection.execute(newest_first.limit(BROWSERS_KEPT)))


def may_change_name(user_id: int) -> bool:
    with reading() as connection:
        return connection.scalar(select(User.may_change_name).where(User.id == user_id)) is True


def has_password(user_id: int) -> bool:
    """Not so of who has always logged in through the school."""
    with reading() as connection:
        return connection.scalar(select(User.password_hash.is_not(None)).where(User.id == user_id)) is True


def account_named(name: str) -> int:
    """The id of the account with this name, however it is written; an agent's too."""
    return _named(name, "Check the spelling, or choose somebody in the lobby.")


def person_named(name: str) -> int:
    """The same where an agent cannot be meant: somebody who is to get a role."""
    return _named(name, "Check the spelling; they need an account on this site first.", User.owner_id.is_(None))


def _named(name: str, advice: str, *conditions: ColumnElement[bool]) -> int:
    is_name = (User.name_key == name.lower(), User.deleted_at.is_(None), *conditions)
    # PostgreSQL refuses some characters with an error, so it is asked only for what can be a name.
    with reading() as connection:
        user_id = connection.scalar(select(User.id).where(*is_name)) if NAME.match(name) else None
    if user_id is None:
        raise NotThere(f"There is no player named {name[:20]}. {advice}")
    return user_id
