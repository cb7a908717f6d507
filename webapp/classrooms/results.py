"""What the students of a classroom have done: the sums of their games by opponent, in a period. Read only."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property, partial, reduce
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select

from webapp.accounts.models import Presence, User
from webapp.accounts.names import NAME
from webapp.classrooms.class_answers import Answers, answers_of, questions_asked
from webapp.classrooms.counting import CLASSMATES, COACHED, OTHERS
from webapp.classrooms.models import ClassroomTally, Enrolment, Lesson, Question, QuestionAnswer
from webapp.classrooms.queries import IS_PRESENT, lesson_goes_on
from webapp.classrooms.real_names import by_last_name
from webapp.classrooms.roles import Role
from webapp.classrooms.sections import of_section, sections_of
from webapp.clock import now
from webapp.database import reading
from webapp.games.verdicts import Accuracy
from webapp.practice.queries import Counts, counts_of
from webapp.tictactoe import LEVELS

KINDS = (*LEVELS, CLASSMATES, OTHERS, COACHED)
TITLES = {**{name: level.title for name, level in LEVELS.items()}, CLASSMATES: "Classmates", OTHERS: "Others",
          COACHED: "With the coach"}  # fmt: skip
# One game, in a sentence: "Won as X against a classmate".
IN_A_GAME = {**{name: f"against {level.title}" for name, level in LEVELS.items()}, CLASSMATES: "against a classmate",
             OTHERS: "against somebody else", COACHED: "with the coach"}  # fmt: skip
WEEK = timedelta(days=7)


class Period(StrEnum):
    LESSON = "lesson"
    WEEK = "week"
    ALL = "all"


def period_named(word: str) -> Period:
    return Period(word) if word in set(Period) else Period.ALL


@dataclass(frozen=True)
class Sums:
    won: int = 0
    drawn: int = 0
    lost: int = 0
    decisions: int = 0
    kept: int = 0
    moves: int = 0

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(*(getattr(self, name) + getattr(other, name) for name in SUMS))

    @property
    def total(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def accuracy(self) -> int | None:
        """In per cent, as everywhere; None where there was nothing to decide."""
        return Accuracy(self.decisions, self.kept).percent

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2


SUMS = tuple(Sums.__dataclass_fields__)
NOTHING = Sums()
NOT_PRACTISED = Counts()
NOT_ASKED = Answers()


@dataclass(frozen=True)
class StudentResults:
    user_id: int
    name: str
    real_name: str
    external_id: str
    email: str
    section: str
    on_leaderboard: bool
    seen_at: datetime | None  # None: never
    against: Mapping[str, Sums] = field(default_factory=dict)
    practice: Counts = NOT_PRACTISED  # of all time
    answers: Answers = NOT_ASKED

    def __getitem__(self, kind: str) -> Sums:
        return self.against.get(kind, NOTHING)

    @property
    def title(self) -> str:
        """For instructors and assistants alone."""
        return self.real_name or self.name

    @cached_property
    def alone(self) -> Sums:
        """All games but the coached ones: what the student did without help."""
        return added(sums for kind, sums in self.against.items() if kind != COACHED)


def added(several: Iterable[Sums]) -> Sums:
    return reduce(Sums.__add__, several, NOTHING)


class LastLesson(NamedTuple):
    id: int
    goes_on: bool


@dataclass(frozen=True)
class Results:
    students: list[StudentResults]
    period: Period
    lesson: LastLesson | None
    asked: int = 0  # questions to the class
    sections: Sequence[str] = ()
    section: str = ""  # the one that is chosen

    def chosen(self, section: str, sort: str = "name") -> "Results":
        """The students of this section in this order; all of them if the class has no such section."""
        sections = sections_of(self.students)
        section = section if section in sections else ""
        students = sorted_by(of_section(self.students, section), sort)
        return replace(self, students=students, sections=sections, section=section)

    def of(self, kind: str) -> Sums:
        return added(student[kind] for student in self.students)

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of games that somebody has played, and the levels always."""
        return [kind for kind in KINDS if kind in LEVELS or self.of(kind).total]

    @cached_property
    def spread(self) -> list[int]:
        """How many students have an accuracy from 0 to 9 %, from 10 to 19 %, and so on; 100 % is in the last."""
        counts = [0] * 10
        for student in self.students:
            if student.alone.accuracy is not None:
                counts[min(9, student.alone.accuracy // 10)] += 1
        return counts


def results_of(classroom_id: int, period: Period = Period.ALL, with_practice: bool = True) -> Results:
    """Practice, and what was answered when the class was asked, are not for the leaderboard."""
    lesson = last_lesson(classroom_id)
    students = _students(classroom_id, _within(period, lesson), with_practice=with_practice)
    if not with_practice:
        return Results(students, period, lesson)
    within = _asked_within(period, lesson)
    with reading() as connection:
        asked, answers = questions_asked(connection, classroom_id, within), answers_of(connection, classroom_id, within)
    students = [replace(one, answers=answers.get(one.user_id, NOT_ASKED)) for one in students]
    return Results(students, period, lesson, asked)


def results_of_student(classroom_id: int, name: str) -> StudentResults | None:
    """Of all time. What the others have done is not read."""
    if not NAME.match(name):
        return None
    with reading() as connection:
        user_id = connection.scalar(select(User.id).where(User.name_key == name.lower()))
        answers = answers_of(connection, classroom_id, [QuestionAnswer.user_id == user_id])
    found = _students(classroom_id, [ClassroomTally.user_id == user_id], Enrolment.user_id == user_id)
    return replace(found[0], answers=answers.get(found[0].user_id, NOT_ASKED)) if found else None


def _students(
    classroom_id: int, counts: Sequence[ColumnElement[bool]], *who: ColumnElement[bool], with_practice: bool = True
) -> list[StudentResults]:
    sums = [func.sum(getattr(ClassroomTally, name)) for name in SUMS]
    place = (ClassroomTally.user_id, ClassroomTally.kind)
    counted = select(*place, *sums).where(ClassroomTally.classroom_id == classroom_id, *counts).group_by(*place)
    against: dict[int, dict[str, Sums]] = {}
    with reading() as connection:
        for user_id, kind, *values in connection.execute(counted):
            against.setdefault(user_id, {})[kind] = Sums(*map(int, values))
        roster = connection.execute(_roster(classroom_id).where(*who)).all()
    practice = counts_of([row.user_id for row in roster]) if with_practice else {}
    return [
        StudentResults(
            **row._mapping, against=against.get(row.user_id, {}), practice=practice.get(row.user_id, NOT_PRACTISED)
        )
        for row in roster
    ]


def _within(period: Period, lesson: LastLesson | None) -> list[ColumnElement[bool]]:
    if period == Period.LESSON:
        return [ClassroomTally.lesson_id == (lesson.id if lesson else -1)]
    return [ClassroomTally.day > (now() - WEEK).date()] if period == Period.WEEK else []


def _asked_within(period: Period, lesson: LastLesson | None) -> list[ColumnElement[bool]]:
    if period == Period.LESSON:
        return [Question.lesson_id == (lesson.id if lesson else -1)]
    return [Question.asked_at > now() - WEEK] if period == Period.WEEK else []


def last_lesson(classroom_id: int) -> LastLesson | None:
    """The one that goes on, or the last one."""
    lessons = select(Lesson.id, lesson_goes_on()).where(Lesson.classroom_id == classroom_id)
    with reading() as connection:
        row = connection.execute(lessons.order_by(Lesson.id.desc()).limit(1)).one_or_none()
    return LastLesson(row[0], bool(row[1])) if row else None


def _roster(classroom_id: int) -> Any:
    about = (Enrolment.real_name, Enrolment.external_id, Enrolment.email, Enrolment.section, Enrolment.on_leaderboard)
    is_student = (Enrolment.classroom_id == classroom_id, IS_PRESENT, Enrolment.role == Role.STUDENT)
    roster = select(Enrolment.user_id, User.name, *about, Presence.seen_at).join(User, User.id == Enrolment.user_id)
    roster = roster.outerjoin(Presence, Presence.user_id == User.id)
    return roster.where(*is_student).order_by(Enrolment.id)


# How the table can be sorted: by words upwards, by numbers from the largest down.
SORTS: dict[str, Callable[[StudentResults], Any]] = {
    "name": lambda student: by_last_name(student.title),
    "games": lambda student: -student.alone.total,
    "accuracy": lambda student: -1 if student.alone.accuracy is None else -student.alone.accuracy - 2,
    "practice": lambda student: -student.practice.right_at_first,
    "answers": lambda student: -student.answers.right,
    "seen": lambda student: -student.seen_at.timestamp() if student.seen_at else 0,
    **{kind: partial(lambda kind, student: -student[kind].points, kind) for kind in KINDS},
}


def sorted_by(students: list[StudentResults], key: str) -> list[StudentResults]:
    by_name = sorted(students, key=SORTS["name"])
    return sorted(by_name, key=SORTS[key])
