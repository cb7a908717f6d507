"""What practice holds about a person, for export, deletion, and the move from a guest to an account."""

from typing import Any

from sqlalchemy import Connection, func, select

from webapp.accounts.personal import Exported, Holding, text_of
from webapp.practice.models import PracticeAnswer
from webapp.practice.services import hand_over


def _export(connection: Connection, user_id: int) -> Exported:
    theirs = select(PracticeAnswer.__table__).where(PracticeAnswer.user_id == user_id)
    rows = connection.execute(theirs.order_by(PracticeAnswer.answered_at)).mappings()
    return {"practice": [_told(row) for row in rows]}


def _told(row: Any) -> Exported:
    names = ("kind", "grade", "question", "answer", "is_right", "tries")
    return {**{name: row[name] for name in names}, "answered_at": text_of(row["answered_at"])}


def _of_guest(connection: Connection, guest_id: int) -> str:
    theirs = select(func.count()).select_from(PracticeAnswer).where(PracticeAnswer.user_id == guest_id)
    count = connection.scalar(theirs) or 0
    return f"{count:,} answer{'s' if count != 1 else ''} in practice" if count else ""


HOLDING = Holding(export=_export, tables=(PracticeAnswer,), of_guest=_of_guest, hand_over=hand_over)
