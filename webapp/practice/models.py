"""The table of practice: one row for each question that somebody answered."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database import UtcDateTime, Word
from webapp.extensions import Model
from webapp.practice.questions import Grade, QuestionKind


class PracticeAnswer(Model):
    """What somebody last answered to a question, after how many tries. Right with one try is right at the first try.

    To ask for the answer is a try, too. Once it is right nothing changes any more.
    """

    __tablename__ = "practice_answer"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[QuestionKind] = mapped_column(Word(QuestionKind, 10), primary_key=True)
    question: Mapped[str] = mapped_column(String(40), primary_key=True)
    grade: Mapped[Grade] = mapped_column(Word(Grade, 10))
    tries: Mapped[int]
    answer: Mapped[str] = mapped_column(String(20))
    is_right: Mapped[bool]
    answered_at: Mapped[datetime] = mapped_column(UtcDateTime)

    __table_args__ = (
        CheckConstraint("tries > 0", name="tried"),
        Index("ix_practice_answer_newest", "user_id", "answered_at"),
    )
