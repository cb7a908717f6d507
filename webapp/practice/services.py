"""Keeping what somebody answered. Knows no Flask request."""

from typing import Any

from sqlalchemy import Connection, delete, literal, select, update

from webapp.accounts.locking import lock_users
from webapp.clock import now
from webapp.database import insert_or_update, writing
from webapp.practice.models import PracticeAnswer
from webapp.practice.questions import Question, QuestionKind

KEPT = 1000  # answers of one person, those to their own mistakes not counted; the oldest make room


def keep_answer(user_id: int, question: Question, answer: str, tries: int) -> None:
    """`tries` is what the page knew of: of two presses at once, and of two pages, the first counts."""
    row = {"answer": question.stored(answer), "is_right": question.is_right(answer)}
    row |= {"tries": tries + 1, "answered_at": now()}
    with writing() as connection:
        if not lock_users(connection, {user_id}):
            return
        this = {"user_id": user_id, "kind": question.kind, "question": question.key}
        if tries:
            _change(connection, this, row, tries)
        else:
            new = insert_or_update(PracticeAnswer).values(**this, grade=question.grade, **row)
            connection.execute(new.on_conflict_do_nothing())
            _make_room(connection, user_id)


def _change(connection: Connection, this: dict[str, Any], row: dict[str, Any], tries: int) -> None:
    of_this = [getattr(PracticeAnswer, name) == value for name, value in this.items()]
    is_open = (PracticeAnswer.tries == tries, PracticeAnswer.is_right.is_(False))
    connection.execute(update(PracticeAnswer).where(*of_this, *is_open).values(row))


def _make_room(connection: Connection, user_id: int) -> None:
    theirs = (PracticeAnswer.user_id == user_id, PracticeAnswer.kind != QuestionKind.MISTAKE)
    newest = select(PracticeAnswer.answered_at).where(*theirs).order_by(PracticeAnswer.answered_at.desc())
    oldest_kept = connection.scalar(newest.offset(KEPT - 1).limit(1))
    if oldest_kept is not None:
        connection.execute(delete(PracticeAnswer).where(*theirs, PracticeAnswer.answered_at < oldest_kept))


def hand_over(connection: Connection, guest_id: int, user_id: int) -> None:
    """A guest's answers become an account's; what the account has answered already stays as it is."""
    others = [column for column in PracticeAnswer.__table__.columns if column.name != "user_id"]
    theirs = select(literal(user_id), *others).where(PracticeAnswer.user_id == guest_id)
    new = insert_or_update(PracticeAnswer).from_select(["user_id", *(column.name for column in others)], theirs)
    connection.execute(new.on_conflict_do_nothing())
