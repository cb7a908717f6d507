"""Ask the class: one position, one answer of each student, the spread of the answers, then the values."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import func, insert, select, update

from webapp.accounts.services import SECOND_PRESS_WITHIN
from webapp.analysis.position_analysis import Analysis, CellValue
from webapp.classrooms.enrolling import is_enrolled, lock_classroom, lock_people
from webapp.classrooms.lessons import begin_within
from webapp.classrooms.mistakes import common_mistakes
from webapp.classrooms.models import LESSON_LASTS, Enrolment, Lesson, Question, QuestionAnswer
from webapp.classrooms.queries import IS_STUDENT, ClassroomRecord
from webapp.clock import now
from webapp.database import added_id, announce_change, insert_or_update, reading, writing
from webapp.errors import BadRequest, NotThere, Refusal
from webapp.games.boards import BoardView, board_view
from webapp.tictactoe import IllegalMove, Mark, Position

LISTED = 30
WORTH_ASKING = (("Block", "X.O.X...."), ("Stop a fork", "X...O...X"), ("Make a fork", "XO......."))
MISTAKES = 3  # that are offered besides


class GameIsOverThere(Refusal):
    def __init__(self) -> None:
        super().__init__("The game is over in this position, so there is no move to ask for. Take a mark away.")


class AnotherIsOpen(Refusal):
    status = 409

    def __init__(self) -> None:
        super().__init__("Somebody has just asked the class another question, so yours was not asked.")


class TooLate(Refusal):
    status = 409
    title = "Too late"

    def __init__(self) -> None:
        super().__init__(
            "This question is closed, so your answer does not count. The next one is on the page of your class."
        )


@dataclass(frozen=True)
class AskedQuestion:
    """A question as the class sees it: without anybody's name, but one's own answer."""

    id: int
    position: Position
    asked_at: datetime
    closed_at: datetime | None
    counts: Counter[int]  # by cell
    mine: int | None = None
    unanswered: int = 0  # students who are in the class now and have not answered

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def total(self) -> int:
        return self.counts.total()

    @property
    def asked(self) -> int:
        """Who has answered and left the class since then is one of them: the answer stands on the board."""
        return self.total + self.unanswered

    @cached_property
    def analysis(self) -> Analysis:
        return Analysis(self.position)

    @property
    def board(self) -> BoardView:
        return board_view(self.position, self.position.ply)

    @property
    def values(self) -> dict[int, CellValue]:
        return self.analysis.value_of

    def share(self, cell: int) -> int:
        """In steps of a tenth, for the style of a bar."""
        return round(10 * self.counts[cell] / max(1, self.total))

    def name_of(self, cell: int) -> str:
        return self.position.board.cell_name(cell)


_QUESTIONS: Any = select(Question, Lesson.began_at).join(Lesson, Lesson.id == Question.lesson_id)


def last_question(lesson_id: int, user_id: int) -> AskedQuestion | None:
    """The newest one of the lesson, with this user's own answer. Three statements, bounded by the class."""
    found = _asked(_QUESTIONS.where(Question.lesson_id == lesson_id).order_by(Question.id.desc()).limit(1))
    if not found:
        return None
    answers = _answers_of_class(found[0].id, lesson_id)
    return replace(found[0], mine=answers.get(user_id), unanswered=list(answers.values()).count(None))


def _answers_of_class(question_id: int, lesson_id: int) -> dict[int, int | None]:
    """Of each student who is in the class now the cell, or None who has not answered."""
    is_student = (Lesson.id == lesson_id, IS_STUDENT)
    theirs = (QuestionAnswer.user_id == Enrolment.user_id) & (QuestionAnswer.question_id == question_id)
    answers = (
        select(Enrolment.user_id, QuestionAnswer.cell)
        .join(Lesson, Lesson.classroom_id == Enrolment.classroom_id)
        .outerjoin(QuestionAnswer, theirs)
        .where(*is_student)
    )
    with reading() as connection:
        return dict(connection.execute(answers).all())


def questions_of(classroom_id: int) -> list[AskedQuestion]:
    """The last ones of all its lessons, the newest first."""
    of_classroom = _QUESTIONS.where(Lesson.classroom_id == classroom_id)
    return _asked(of_classroom.order_by(Question.id.desc()).limit(LISTED))


def _asked(questions: Any) -> list[AskedQuestion]:
    with reading() as connection:
        rows = connection.execute(questions).all()
        counts: dict[int, Counter[int]] = {row.id: Counter() for row in rows}
        columns = (QuestionAnswer.question_id, QuestionAnswer.cell)
        spread = select(*columns, func.count()).where(QuestionAnswer.question_id.in_(counts)).group_by(*columns)
        for question_id, cell, count in connection.execute(spread):
            counts[question_id][cell] = count
    return [AskedQuestion(row.id, _position(row), row.asked_at, _closed_at(row), counts[row.id]) for row in rows]


def _position(row: Any) -> Position:
    return Position.parse(row.position, Mark(row.to_move))


def _closed_at(row: Any) -> datetime | None:
    """A lesson that nobody ended has ended by itself, and its questions with it."""
    ends_at: datetime = row.began_at + LESSON_LASTS
    return row.closed_at or (ends_at if ends_at <= now() else None)


def positions_to_ask(classroom_id: int) -> list[tuple[str, Position]]:
    """Some in which not all moves are worth the same, and those in which most of the class went wrong."""
    offered = {Position.parse(text): words for words, text in WORTH_ASKING}
    for one in common_mistakes(classroom_id):  # several wrong moves in one position, however turned, are one to ask
        if not offered.keys() & set(one.position.twins):
            offered[one.position] = f"Mistake of {one.students} student{'s' if one.students != 1 else ''}"
    return [(words, position) for position, words in offered.items()][: len(WORTH_ASKING) + MISTAKES]


def ask(classroom: ClassroomRecord, position: Position, seen: Collection[int] = ()) -> int:
    """Begins a lesson if none goes on. A question that was open, and seen to be, is closed by the next; pressed twice,
    it is one.
    """
    if position.is_over:
        raise GameIsOverThere
    with writing() as connection:
        lesson = begin_within(connection, classroom.id)
        this = {"lesson_id": lesson.id, "position": position.text, "to_move": position.to_move}
        is_second_press = (Question.closed_at.is_(None), Question.asked_at > now() - SECOND_PRESS_WITHIN)
        if asked := connection.scalar(select(Question.id).filter_by(**this).where(*is_second_press)):
            return asked
        is_open = (Question.lesson_id == lesson.id, Question.closed_at.is_(None))
        if not set(connection.scalars(select(Question.id).where(*is_open))) <= set(seen):
            raise AnotherIsOpen
        _close(connection, lesson.id)
        announce_change(connection)
        return added_id(connection, insert(Question).values(**this, asked_at=now()))


def close(classroom: ClassroomRecord, only: Collection[int] | None = None) -> None:
    """Nobody answers any more; the values are shown. A press on an older page names its question: it does not close one
    that was asked meanwhile.
    """
    this = () if only is None else (Question.id.in_(only),)
    with writing() as connection:
        lock_classroom(connection, classroom.id)
        lessons = select(Lesson.id).where(Lesson.classroom_id == classroom.id, Lesson.ended_at.is_(None))
        for lesson_id in connection.scalars(lessons).all():
            _close(connection, lesson_id, *this)
        announce_change(connection)


def _close(connection: Any, lesson_id: int, *which: Any) -> None:
    is_open = (Question.lesson_id == lesson_id, Question.closed_at.is_(None))
    connection.execute(update(Question).where(*is_open, *which).values(closed_at=now()))


def answer(classroom: ClassroomRecord, question_id: int, cell: int) -> None:
    """The database keeps one row of each student; while the question is open, another answer takes its place."""
    question = _question(classroom, question_id)
    position = _position(question)
    if _closed_at(question) is not None:
        raise TooLate
    try:
        position.play(cell)
    except IllegalMove:
        raise BadRequest("This cell is not free. Choose a free cell of the board.") from None
    row = {"question_id": question_id, "user_id": classroom.user_id, "cell": cell}
    new = insert_or_update(QuestionAnswer).values(row)
    changed = {"cell": cell, "answered_at": now()}
    with writing() as connection:
        lock_people(connection, [classroom.user_id])
        lock_classroom(connection, classroom.id)  # whoever closes the question comes before this or after it
        if not is_enrolled(connection, classroom.id, classroom.user_id):
            raise NotThere  # removed a moment ago
        if connection.scalar(select(Question.closed_at).where(Question.id == question_id)) is not None:
            raise TooLate
        connection.execute(new.on_conflict_do_update(index_elements=["question_id", "user_id"], set_=changed))
        announce_change(connection)


def _question(classroom: ClassroomRecord, question_id: int) -> Any:
    """Of this classroom; another's is not there."""
    with reading() as connection:
        this = _QUESTIONS.where(Question.id == question_id, Lesson.classroom_id == classroom.id)
        row = connection.execute(this).one_or_none()
    if row is None:
        raise NotThere
    return row
