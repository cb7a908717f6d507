"""What competitions hold about a person, for export and deletion. Knows no Flask request."""

from sqlalchemy import Connection, select, update

from webapp.accounts.personal import Exported, Holding, text_of
from webapp.clock import now
from webapp.competitions.agent_entries import forfeit
from webapp.competitions.models import Competition, CompetitionEntry
from webapp.competitions.states import Fault


def _export(connection: Connection, user_id: int) -> Exported:
    columns = (Competition.public_id, Competition.name, CompetitionEntry.entered_at, CompetitionEntry.withdrawn_at)
    entries = select(*columns).join(CompetitionEntry, CompetitionEntry.competition_id == Competition.id)
    rows = connection.execute(entries.where(CompetitionEntry.user_id == user_id).order_by(CompetitionEntry.id))
    return {
        "competitions": [
            {"id": row.public_id, "name": row.name, "entered_at": text_of(row.entered_at),
             "withdrawn_at": text_of(row.withdrawn_at)}
            for row in rows
        ]
    }  # fmt: skip


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
