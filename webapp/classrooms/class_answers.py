"""What the students of a class answered when the class was asked for a move. Read only."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from webapp.classrooms.models import Lesson, Question, QuestionAnswer
from webapp.tictactoe import Mark, Position, table_of


class Answers(NamedTuple):
    answered: int = 0
    right: int = 0  # with a move that loses nothing


def questions_asked(connection: Connection, classroom_id: int, within: Sequence[ColumnElement[bool]]) -> int:
    of_classroom = select(func.count()).select_from(Question).join(Lesson, Lesson.id == Question.lesson_id)
    return connection.scalar(of_classroom.where(Lesson.classroom_id == classroom_id, *within)) or 0


def answers_of(connection: Connection, classroom_id: int, within: Sequence[ColumnElement[bool]]) -> dict[int, Answers]:
    """By user, in one statement: a row for each student and cell of each position, however often it was asked."""
    which = (QuestionAnswer.user_id, Question.position, Question.to_move, QuestionAnswer.cell)
    counts = (
        select(*which, func.count())
        .join(Question, Question.id == QuestionAnswer.question_id)
        .join(Lesson, Lesson.id == Question.lesson_id)
        .where(Lesson.classroom_id == classroom_id, *within)
        .group_by(*which)
    )
    found: dict[int, Answers] = {}
    for user_id, position, to_move, cell, count in connection.execute(counts):
        answered, right = found.get(user_id, Answers())
        found[user_id] = Answers(answered + count, right + count * _loses_nothing(position, to_move, cell))
    return found


@lru_cache(4096)  # a class gives few answers, many times
def _loses_nothing(text: str, to_move: str, cell: int) -> bool:
    position = Position.parse(text, Mark(to_move))
    table = table_of(position.board)
    return -table[position.play(cell)].value == table[position].value
