"""What a student keeps of a check in their browser. It is a claim of theirs: nothing is graded or rated by it."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime
from webapp.extensions import Model


class SelfCheck(Model):
    """The newest for each lab, as the student's browser told it. `wrong` names the first test that failed."""

    __tablename__ = "self_check"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True)
    lab: Mapped[str] = mapped_column(String(20), primary_key=True)
    passed: Mapped[int]
    tests: Mapped[int]
    wrong: Mapped[str] = mapped_column(String(60))
    mistake: Mapped[str] = mapped_column(String(60))
    checked_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
