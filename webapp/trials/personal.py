"""What trials hold about a person, for export and deletion."""

from sqlalchemy import Connection, select

from webapp.accounts.personal import Exported, Holding, text_of
from webapp.trials.models import SelfCheck


def _export(connection: Connection, user_id: int) -> Exported:
    columns = (SelfCheck.lab, SelfCheck.passed, SelfCheck.tests, SelfCheck.wrong, SelfCheck.mistake)
    rows = connection.execute(select(*columns, SelfCheck.checked_at).where(SelfCheck.user_id == user_id))
    return {"self_checks": [{**row._mapping, "checked_at": text_of(row.checked_at)} for row in rows]}


HOLDING = Holding(export=_export, tables=(SelfCheck,))
