"""What competitions hold about a person, for export and deletion. Knows no Flask request."""

from typing import Any

from sqlalchemy import Connection, or_, select, update

from webapp.accounts.models import User
from webapp.accounts.personal import Exported, Holding, text_of
from webapp.clock import now
from webapp.competitions.agent_entries import forfeit
from webapp.competitions.models import Competition, CompetitionEntry
from webapp.competitions.states import Fault


def _export(connection: Connection, user_id: int) -> Exported:
    """Those of their agents too, with the agent's name."""
    competition = (Competition.public_id.label("id"), Competition.name)
    entry = (CompetitionEntry.program_version, CompetitionEntry.entered_at, CompetitionEntry.withdrawn_at)
    entries = (
        select(*competition, *entry, User.owner_id, User.name.label("agent"))
        .join(CompetitionEntry, CompetitionEntry.competition_id == Competition.id)
        .join(User, User.id == CompetitionEntry.user_id)
        .where(or_(User.id == user_id, User.owner_id == user_id))
    )
    return {"competitions": [_told(row) for row in connection.execute(entries.order_by(CompetitionEntry.id))]}


def _told(row: Any) -> Exported:
    of_agent = {"agent": row.agent, "version": row.program_version} if row.owner_id is not None else {}
    times = {"entered_at": text_of(row.entered_at), "withdrawn_at": text_of(row.withdrawn_at)}
    return {"id": row.id, "name": row.name, **of_agent, **times}


def _leave(connection: Connection, user_id: int) -> bool:
    """Their entries stay for the others' sake, but nobody is paired with them again, and what they have not begun is
    lost. Their games in play are over by now.
    """
    theirs = (CompetitionEntry.user_id == user_id, CompetitionEntry.withdrawn_at.is_(None))
    for entry_id in connection.scalars(select(CompetitionEntry.id).where(*theirs)).all():
        forfeit(connection, entry_id, Fault.DELETED)
    connection.execute(update(CompetitionEntry).where(*theirs).values(withdrawn_at=now()))
    return True


HOLDING = Holding(export=_export, leave=_leave)
