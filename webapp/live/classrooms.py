"""What the pages of classrooms show, as a value that changes with it: one statement for all that are open. Read only.

It is asked once a second while somebody looks, never because of a move: so a move costs the same with it and without.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from sqlalchemy import Integer, Select, cast, func, literal, select, union_all

from webapp.accounts.models import Presence
from webapp.accounts.presence import HERE_FOR
from webapp.classrooms.models import Classroom, Enrolment, Lesson, Question, QuestionAnswer
from webapp.classrooms.queries import IS_PRESENT, lesson_goes_on
from webapp.clock import now
from webapp.competitions.models import Competition
from webapp.competitions.queries import IS_NOT_OVER
from webapp.database import reading
from webapp.games.models import Game, Seat
from webapp.games.states import Status

Scene = frozenset[tuple[Any, ...]]


def classroom_scenes(classroom_ids: Collection[int]) -> dict[int, Scene]:
    found: dict[int, set[tuple[Any, ...]]] = defaultdict(set)
    with reading() as connection:
        for classroom_id, *part in connection.execute(union_all(*_parts(classroom_ids))):
            found[classroom_id].add(tuple(part))
    return {classroom_id: frozenset(found[classroom_id]) for classroom_id in classroom_ids}


def pause(scene: Scene) -> float:
    """Seconds between two news of a classroom. The lesson of 200 costs as much as some twenty pages of games: drawn
    afresh each six seconds it takes no more than a twentieth of what their moves take.
    """
    members = next((count for kind, count, _ in scene if kind == "members"), 0)
    return float(members) / 35


def _parts(ids: Collection[int]) -> list[Select[Any]]:
    """Counts and sums: of who is in and here, of the lesson and its question, of games that wait, go on or ended, of
    competitions that are open or being played; and the code that people join by.
    """
    is_open = cast(Classroom.join_is_open, Integer)
    return [
        select(Classroom.id, literal("code ") + Classroom.join_code, is_open, literal(0)).where(Classroom.id.in_(ids)),
        _of_members(ids, "members", func.count(), func.sum(Enrolment.id)),
        _of_members(ids, "here", func.count(), func.sum(Enrolment.id))
        .join(Presence, Presence.user_id == Enrolment.user_id)
        .where(Presence.seen_at > now() - HERE_FOR),
        _of_members(ids, "open", func.count(), func.sum(Game.id))
        .join(Game, (Game.opened_by == Enrolment.user_id) | (Game.called_id == Enrolment.user_id))
        .where(Game.status == Status.OPEN),
        _of_members(ids, "playing", func.count(), func.sum(Game.version))
        .join(Seat, (Seat.user_id == Enrolment.user_id) & Seat.result.is_(None))
        .join(Game, Game.id == Seat.game_id),
        _of_members(ids, "ended", func.count(), func.max(Seat.game_id))
        .join(Lesson, (Lesson.classroom_id == Enrolment.classroom_id) & lesson_goes_on())
        .join(Seat, (Seat.user_id == Enrolment.user_id) & (Seat.game_id >= Lesson.first_game_id))
        .where(Seat.result.is_not(None)),
        *_of_lessons(ids),
        select(Competition.classroom_id, literal("competitions"), func.count(), func.count(Competition.started_at))
        .where(Competition.classroom_id.in_(ids), IS_NOT_OVER)
        .group_by(Competition.classroom_id),
    ]


def _of_members(ids: Collection[int], kind: str, *values: Any) -> Select[Any]:
    return (
        select(Enrolment.classroom_id, literal(kind), *values)
        .where(Enrolment.classroom_id.in_(ids), IS_PRESENT)
        .group_by(Enrolment.classroom_id)
    )


def _of_lessons(ids: Collection[int]) -> list[Select[Any]]:
    """With the minute: who sits still, and a lesson that ends by itself, are seen by the clock alone."""
    of_classroom = (Lesson.classroom_id.in_(ids), lesson_goes_on())
    minute = literal(int(now().timestamp()) // 60)
    lessons = select(Lesson.classroom_id, literal("lesson"), func.max(Lesson.id), minute).where(*of_classroom)
    questions = select(
        Lesson.classroom_id, literal("question"), func.max(Question.id), func.count(Question.closed_at)
    ).join(Question, Question.lesson_id == Lesson.id)
    chosen = func.sum(QuestionAnswer.cell * QuestionAnswer.cell)  # that one was changed is seen by it
    answers = (
        select(Lesson.classroom_id, literal("answers"), func.count(), chosen)
        .join(Question, Question.lesson_id == Lesson.id)
        .join(QuestionAnswer, QuestionAnswer.question_id == Question.id)
    )
    parts: list[Any] = [lessons, questions.where(*of_classroom), answers.where(*of_classroom)]
    return [part.group_by(Lesson.classroom_id) for part in parts]


def members_among(pairs: Collection[tuple[int, int | None]]) -> set[tuple[int, int | None]]:
    """Those of these pairs of a classroom and a user of which the one is still in the other."""
    classrooms, users = {classroom for classroom, _ in pairs}, {user for _, user in pairs if user is not None}
    is_in = (IS_PRESENT, Enrolment.classroom_id.in_(classrooms), Enrolment.user_id.in_(users))
    stays = select(Enrolment.classroom_id, Enrolment.user_id).where(*is_in)
    with reading() as connection:
        return {(row.classroom_id, row.user_id) for row in connection.execute(stays)}
