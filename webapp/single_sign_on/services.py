"""Which account somebody from the school opens: theirs, a new one, or one that they had before. Knows no request."""

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, exists, insert, select
from sqlalchemy.exc import IntegrityError

from webapp.accounts import services as accounts
from webapp.accounts.logging_in import WrongNameOrPassword
from webapp.accounts.models import User
from webapp.accounts.names import NameTaken
from webapp.accounts.services import VerifiedAccount
from webapp.clock import now
from webapp.database import reading, writing
from webapp.single_sign_on.identity import Identity
from webapp.single_sign_on.models import ExternalIdentity
from webapp.throttle import Limit


def account_of(identity: Identity) -> VerifiedAccount | None:
    """None for who comes for the first time."""
    theirs = (
        select(User.id, User.password_hash)
        .join(ExternalIdentity, ExternalIdentity.user_id == User.id)
        .where(*_is(identity), User.deleted_at.is_(None))
    )
    with reading() as connection:
        row = connection.execute(theirs).one_or_none()
    return VerifiedAccount(row.id, row.password_hash) if row else None


def sign_up(identity: Identity, name: str, guest_id: int | None, limit: Limit) -> VerifiedAccount:
    """A new account without a password; a guest's own row becomes it. Pressed twice, it is made once."""

    def join(connection: Connection, user_id: int) -> None:
        _join(connection, identity, user_id)

    try:
        return accounts.sign_up(name, None, guest_id, limit=limit, also=join)
    except NameTaken:
        if account := account_of(identity):
            return account
        raise


def join_to(identity: Identity, account: VerifiedAccount) -> None:
    """From now on this identity opens the account, while the password stands that was right a moment ago."""
    stands = select(User.password_hash).where(User.id == account.user_id, User.deleted_at.is_(None))
    try:
        with writing() as connection:
            if connection.scalar(stands.with_for_update(read=True)) != account.password_hash:
                raise WrongNameOrPassword
            _join(connection, identity, account.user_id)
    except IntegrityError:
        pass  # the same form twice; or in another tab it was given to an account already, which keeps it


def joined_to(user_id: int) -> list[datetime]:
    """When each identity that opens the account was joined to it."""
    joined = select(ExternalIdentity.joined_at).where(ExternalIdentity.user_id == user_id)
    with reading() as connection:
        return list(connection.scalars(joined.order_by(ExternalIdentity.joined_at)))


def part_from(user_id: int) -> None:
    """None of them opens the account any more, if its password does."""
    has_password = exists().where(User.id == user_id, User.password_hash.is_not(None))
    with writing() as connection:
        connection.execute(delete(ExternalIdentity).where(ExternalIdentity.user_id == user_id, has_password))


def _join(connection: Connection, identity: Identity, user_id: int) -> None:
    values = {"issuer": identity.issuer, "subject": identity.subject, "user_id": user_id, "joined_at": now()}
    connection.execute(insert(ExternalIdentity).values(values))


def _is(identity: Identity) -> tuple[ColumnElement[bool], ...]:
    return ExternalIdentity.issuer == identity.issuer, ExternalIdentity.subject == identity.subject
