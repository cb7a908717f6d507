"""Questions about what people answered. Read only; of each person a bounded number of answers is kept."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, select

from webapp.database import reading
from webapp.practice.models import PracticeAnswer
from webapp.practice.questions import SHOWN, Grade, Question, QuestionKind

IS_FIRST = and_(PracticeAnswer.is_right, PracticeAnswer.tries == 1)
LOOKED_BACK, IN_LINE = 50, 10


@dataclass(frozen=True)
class Given:
    """What somebody has answered to a question so far."""

    answer: str = ""
    is_right: bool = False
    tries: int = 0

    @property
    def is_shown(self) -> bool:
        return self.answer == SHOWN

    @property
    def is_wrong(self) -> bool:
        return bool(self.answer) and not self.is_right and not self.is_shown


def given(user_id: int | None, question: Question) -> Given:
    columns = (PracticeAnswer.answer, PracticeAnswer.is_right, PracticeAnswer.tries)
    this = (PracticeAnswer.kind == question.kind, PracticeAnswer.question == question.key)
    with reading() as connection:
        row = connection.execute(select(*columns).where(PracticeAnswer.user_id == user_id, *this)).one_or_none()
    return Given(question.told(row.answer), row.is_right, row.tries) if row else Given()


def answered_keys(user_id: int | None, kind: QuestionKind, grade: Grade) -> set[str]:
    which = (PracticeAnswer.user_id == user_id, PracticeAnswer.kind == kind, PracticeAnswer.grade == grade)
    with reading() as connection:
        return set(connection.scalars(select(PracticeAnswer.question).where(*which)))


@dataclass(frozen=True)
class Progress:
    """Of the newest questions: how many there are, how many were right at the first try, and how many of those since
    the last that was not."""

    asked: int
    right: int
    in_a_row: int


def progress_of(user_id: int | None) -> Progress:
    newest = select(IS_FIRST).where(PracticeAnswer.user_id == user_id).order_by(PracticeAnswer.answered_at.desc())
    with reading() as connection:
        firsts = [bool(first) for first in connection.scalars(newest.limit(LOOKED_BACK))]
    line = firsts[:IN_LINE]
    return Progress(len(line), sum(line), len(list(takewhile(bool, firsts))))


@dataclass(frozen=True)
class Counts:
    """The classroom shows these for each student."""

    answered: int = 0  # questions, whatever came of them; those on one's own mistakes are not among them
    right: int = 0
    right_at_first: int = 0
    mistakes_solved: int = 0


def counts_of(user_ids: Collection[int]) -> dict[int, Counts]:
    """For a list of people in one statement; who has answered nothing is there with zeros."""
    is_question = PracticeAnswer.kind != QuestionKind.MISTAKE
    columns = (
        _count(is_question),
        _count(and_(is_question, PracticeAnswer.is_right)),
        _count(and_(is_question, IS_FIRST)),
        _count(and_(~is_question, PracticeAnswer.is_right)),
    )
    theirs = select(PracticeAnswer.user_id, *columns).where(PracticeAnswer.user_id.in_(user_ids))
    with reading() as connection:
        rows = connection.execute(theirs.group_by(PracticeAnswer.user_id)).all()
    return dict.fromkeys(user_ids, Counts()) | {user_id: Counts(*counts) for user_id, *counts in rows}


def counts_by_grade(user_id: int | None) -> dict[tuple[QuestionKind, Grade], Counts]:
    """Of one person; what was never asked is not there."""
    columns = (PracticeAnswer.kind, PracticeAnswer.grade)
    counts = (func.count(), _count(PracticeAnswer.is_right), _count(IS_FIRST))
    theirs = select(*columns, *counts).where(PracticeAnswer.user_id == user_id).group_by(*columns)
    with reading() as connection:
        rows = connection.execute(theirs).all()
    return {(kind, grade): Counts(*numbers) for kind, grade, *numbers in rows}


def _count(condition: Any) -> ColumnElement[Any]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
