"""How a site gets its first instructor: a link from the host's terminal, good once within a day."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from sqlalchemy import ColumnElement, Connection, delete, exists, insert, select, update

from webapp.accounts.models import User
from webapp.accounts.tokens import TOKEN, hash_of, new_token
from webapp.classrooms.models import SetUpToken
from webapp.clock import now
from webapp.database import reading, writing
from webapp.errors import NotThere

GOOD_FOR = timedelta(days=1)


class LinkIsOver(NotThere):
    """Used, too old and made up are told alike, so that nobody can probe."""

    title = "This link does not work"

    def __init__(self) -> None:
        super().__init__("This link was used or is too old: type python3 run.py setup-link for a new one.")


def new_set_up_token() -> str:
    """Those made before stay good until one of them is used or a day has passed."""
    token = new_token()
    with writing() as connection:
        connection.execute(delete(SetUpToken).where(SetUpToken.created_at <= now() - GOOD_FOR))
        connection.execute(insert(SetUpToken).values(token_hash=hash_of(token)))
    return token


def has_instructor() -> bool:
    is_instructor = exists().where(User.is_instructor, User.deleted_at.is_(None))
    with reading() as connection:
        return connection.scalar(select(is_instructor)) is True


def site_instructors() -> list[str]:
    """The user names of all who may make classrooms."""
    names = select(User.name).where(User.is_instructor, User.deleted_at.is_(None)).order_by(User.name_key)
    with reading() as connection:
        return [str(name) for name in connection.scalars(names)]


def check_set_up_token(token: str) -> None:
    with reading() as connection:
        if not TOKEN.match(token) or not connection.scalar(select(exists().where(*_is_good(token)))):
            raise LinkIsOver


def _is_good(token: str) -> list[ColumnElement[bool]]:
    return [SetUpToken.token_hash == hash_of(token), SetUpToken.created_at > now() - GOOD_FOR]


def using(token: str) -> Callable[[Connection, int], None]:
    """What a sign-up does besides: it uses up the link and makes the account an instructor's."""
    return partial(_use, token)


def use_token(token: str, user_id: int) -> None:
    """By somebody who has an account already."""
    with writing() as connection:
        _use(token, connection, user_id)


def _use(token: str, connection: Connection, user_id: int) -> None:
    """Two at once: the database lets one of them delete the row. With one link all others are used up."""
    if not connection.execute(delete(SetUpToken).where(*_is_good(token))).rowcount:
        raise LinkIsOver
    connection.execute(delete(SetUpToken))
    connection.execute(update(User).where(User.id == user_id).values(is_instructor=True))
