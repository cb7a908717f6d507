"""What is kept of somebody's account at their school, for export and deletion."""

from collections.abc import Collection

from sqlalchemy import Connection, delete, select

from webapp.accounts.personal import Exported, Holding, text_of
from webapp.single_sign_on.models import ExternalIdentity


def _export(connection: Connection, user_id: int) -> Exported:
    theirs = select(ExternalIdentity).where(ExternalIdentity.user_id == user_id).order_by(ExternalIdentity.joined_at)
    rows = [
        {"issuer": row.issuer, "subject": row.subject, "joined_at": text_of(row.joined_at)}
        for row in connection.execute(theirs)
    ]
    return {"school_accounts": rows} if rows else {}


def _close(connection: Connection, user_ids: Collection[int]) -> None:
    connection.execute(delete(ExternalIdentity).where(ExternalIdentity.user_id.in_(user_ids)))


HOLDING = Holding(export=_export, tables=(ExternalIdentity,), close=_close, opens=(ExternalIdentity,))
