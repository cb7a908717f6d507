"""Questions about accounts. Read only."""

from typing import Any

from sqlalchemy import Row, bindparam, select

from webapp.accounts.models import BROWSERS_KEPT, User, UserSession
from webapp.accounts.names import NAME
from webapp.database import reading
from webapp.errors import NotThere
from webapp.prepared import Prepared


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


_NAMED = select(User.id).where(User.name_key == bindparam("key"), User.deleted_at.is_(None))
_ACCOUNT, _PERSON = Prepared(_NAMED), Prepared(_NAMED.where(User.owner_id.is_(None)))


def account_named(name: str) -> int:
    """The id of the account with this name, however it is written; an agent's too."""
    return _named(_ACCOUNT, name, "Check the spelling, or choose somebody in the lobby.")


def person_named(name: str) -> int:
    """The same where an agent cannot be meant: somebody who is to get a role."""
    return _named(_PERSON, name, "Check the spelling; they need an account on this site first.")


def _named(question: Prepared, name: str, advice: str) -> int:
    # PostgreSQL refuses some characters with an error, so it is asked only for what can be a name.
    with reading() as connection:
        rows = question.rows(connection, key=name.lower()) if NAME.match(name) else []
    if not rows:
        raise NotThere(f"There is no player named {name[:20]}. {advice}")
    user_id: int = rows[0].id
    return user_id
