"""What waits for somebody on every page: their games, and a question to their class that they have not answered.

Read only. A page asks for both in one statement; the watcher asks for the questions of all who are asked at once.
"""

from typing import Any

from sqlalchemy import Select, bindparam, exists, literal, select, union_all

from webapp.classrooms.models import LESSON_LASTS, Classroom, Enrolment, Lesson, Question, QuestionAnswer
from webapp.classrooms.queries import IS_STUDENT, lesson_goes_on
from webapp.clock import now
from webapp.database import UtcDateTime, reading
from webapp.games.waiting import Waiting, games_waiting, told
from webapp.prepared import Prepared

_has_answered = exists().where(QuestionAnswer.question_id == Question.id, QuestionAnswer.user_id == Enrolment.user_id)


def _asked(*columns: Any) -> Select[Any]:
    """The students of classrooms that are asked something now, and have not answered."""
    is_open = (Question.closed_at.is_(None), Classroom.archived_at.is_(None))
    began_since = bindparam("began_since", type_=UtcDateTime)
    return (
        select(*columns)
        .select_from(Question)
        .join(Lesson, Lesson.id == Question.lesson_id)
        .join(Classroom, Classroom.id == Lesson.classroom_id)
        .join(Enrolment, Enrolment.classroom_id == Classroom.id)
        .where(*is_open, lesson_goes_on(began_since))
        .where(IS_STUDENT, ~_has_answered)
    )


def _all_that_waits() -> Prepared:
    user_id: Any = bindparam("user_id")
    games = [part.subquery() for part in games_waiting(user_id)]
    asking = _asked(Classroom.public_id, literal(1)).where(Enrolment.user_id == user_id)
    parts = [select(part.c.public_id, literal(0).label("is_asking")) for part in games]
    return Prepared(union_all(*parts, asking))


_WAITING = _all_that_waits()
_ASKED = Prepared(_asked(Enrolment.user_id, Classroom.public_id))


def waiting_for(user_id: int, but: str | None = None) -> Waiting:
    with reading() as connection:
        rows = _WAITING.rows(connection, user_id=user_id, began_since=now() - LESSON_LASTS)
    asking = [row.public_id for row in rows if row.is_asking]
    return told([row.public_id for row in rows if not row.is_asking], but, *asking[:1])


def asked_now() -> dict[int, str]:
    """Who is asked something, and the public id of the classroom."""
    with reading() as connection:
        rows = _ASKED.rows(connection, began_since=now() - LESSON_LASTS)
    return {row.user_id: row.public_id for row in rows}
