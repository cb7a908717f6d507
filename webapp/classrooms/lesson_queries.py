"""What an instructor sees during a lesson: a fixed number of statements, each bounded by the class and its lesson."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, select

from webapp.accounts.presence import is_here
from webapp.classrooms.lessons import LessonRecord
from webapp.classrooms.models import Enrolment
from webapp.classrooms.queries import IS_PRESENT, Member
from webapp.classrooms.roles import Role
from webapp.clock import now
from webapp.database import reading
from webapp.games.game_record import GameRecord
from webapp.games.models import Game, Move, Seat
from webapp.games.queries import games_where
from webapp.games.states import Result, Status

BOARDS, RESULTS = 60, 12  # shown at most
IDLE = timedelta(minutes=10)
LOSSES_IN_A_ROW, TO_LEVEL = 3, "casual"


@dataclass(frozen=True)
class StudentInLesson:
    """One line of the lesson: who it is, what they did in it, and whether they may need help."""

    member: Member
    won: int = 0
    drawn: int = 0
    lost: int = 0
    games: int = 0  # unfinished ones too
    moved_at: datetime | None = None
    lost_in_a_row: bool = False

    @property
    def has_started(self) -> bool:
        return self.games > 0

    @property
    def is_here(self) -> bool:
        """Who plays the computer with scripts off is seen by their moves alone."""
        return self.member.is_here or is_here(self.moved_at)

    @property
    def is_idle(self) -> bool:
        """Here, has played, and has not moved for a while."""
        return self.member.is_here and self.moved_at is not None and now() - self.moved_at >= IDLE

    @property
    def may_need_help(self) -> bool:
        return self.lost_in_a_row or self.is_idle


@dataclass(frozen=True)
class LessonView:
    students: list[StudentInLesson]
    playing: list[GameRecord]
    results: list[GameRecord]


def lesson_view(classroom_id: int, lesson: LessonRecord, members: list[Member]) -> LessonView:
    playing, results = _games(classroom_id, lesson)
    return LessonView(_students(classroom_id, lesson, members), playing, results)


def playing_now(classroom_id: int) -> list[GameRecord]:
    """The unfinished games of the class, those that began last first."""
    return games_where(Game.id.in_(_unfinished(classroom_id)))[::-1]


def _students_of(classroom_id: int) -> Select[int]:
    is_student = (Enrolment.classroom_id == classroom_id, IS_PRESENT, Enrolment.role == Role.STUDENT)
    return select(Enrolment.user_id).where(*is_student)


def _unfinished(classroom_id: int) -> Select[int]:
    """From the index of unfinished seats: however many games are finished."""
    is_theirs = (Seat.user_id.in_(_students_of(classroom_id)), Seat.result.is_(None), Game.status == Status.PLAYING)
    ids = select(Seat.game_id).join(Game, Game.id == Seat.game_id).where(*is_theirs).distinct()
    return ids.order_by(Seat.game_id.desc()).limit(BOARDS)


def _in_lesson(classroom_id: int, lesson: LessonRecord) -> list[ColumnElement[bool]]:
    """The seats of the class in games of this lesson, through the index on user and game."""
    return [Seat.user_id.in_(_students_of(classroom_id)), Seat.game_id >= lesson.first_game_id]


def _ended_in(lesson: LessonRecord) -> ColumnElement[bool]:
    return and_(Game.status == Status.FINISHED, Game.ended_at >= lesson.began_at)


def _games(classroom_id: int, lesson: LessonRecord) -> tuple[list[GameRecord], list[GameRecord]]:
    seats = select(Seat.game_id).where(*_in_lesson(classroom_id, lesson))
    ended = select(Game.id).where(Game.id.in_(seats), _ended_in(lesson)).order_by(Game.ended_at.desc()).limit(RESULTS)
    parts = [select(part.subquery()) for part in (_unfinished(classroom_id), ended)]
    games = games_where(Game.id.in_(parts[0].union_all(parts[1])))
    results = sorted((game for game in games if game.is_over), key=_ended_at, reverse=True)
    return [game for game in games[::-1] if not game.is_over], results


def _ended_at(game: GameRecord) -> tuple[datetime, int]:
    return game.ended_at or game.created_at, game.id


def _students(classroom_id: int, lesson: LessonRecord, members: list[Member]) -> list[StudentInLesson]:
    counted = {row.user_id: row for row in _counts(classroom_id, lesson)}
    moved = _last_moves(row.last_game for row in counted.values())
    losing = _lost_in_a_row(classroom_id, lesson)
    return [
        _student(member, counted.get(member.user_id), moved, member.user_id in losing)
        for member in members
        if member.role is Role.STUDENT
    ]


def _student(member: Member, row: Any, moved: dict[int, datetime], loses: bool) -> StudentInLesson:
    if row is None:
        return StudentInLesson(member)
    return StudentInLesson(member, row.won, row.drawn, row.lost, row.games, moved.get(row.last_game), loses)


def _counts(classroom_id: int, lesson: LessonRecord) -> list[Any]:
    """Of each student who has begun a game in the lesson, or finished one in it."""

    def count(result: Result) -> Any:
        return func.sum(case((and_(Seat.result == result, _ended_in(lesson)), 1), else_=0)).label(result.value)

    is_of_lesson = (Game.status == Status.PLAYING) | _ended_in(lesson)
    columns = (Seat.user_id, *map(count, (Result.WON, Result.DRAWN, Result.LOST)))
    counts = (
        select(*columns, func.count().label("games"), func.max(Seat.game_id).label("last_game"))
        .join(Game, Game.id == Seat.game_id)
        .where(*_in_lesson(classroom_id, lesson), is_of_lesson)
        .group_by(Seat.user_id)
    )
    with reading() as connection:
        return list(connection.execute(counts))


def _last_moves(game_ids: Iterable[int]) -> dict[int, datetime]:
    """When the last move was made in these games, one for each student at most."""
    moves = select(Move.game_id, func.max(Move.made_at)).where(Move.game_id.in_(set(game_ids))).group_by(Move.game_id)
    with reading() as connection:
        return dict(connection.execute(moves).all())


def _lost_in_a_row(classroom_id: int, lesson: LessonRecord) -> set[int]:
    """Whose last games in the lesson against the level were all lost."""
    newest = func.row_number().over(partition_by=Seat.user_id, order_by=Seat.game_id.desc()).label("place")
    last = (
        select(Seat.user_id, Seat.result, newest)
        .join(Game, Game.id == Seat.game_id)
        .where(*_in_lesson(classroom_id, lesson), Seat.opponent_level == TO_LEVEL, _ended_in(lesson))
        .subquery()
    )
    lost = select(last.c.user_id).where(last.c.place <= LOSSES_IN_A_ROW, last.c.result == Result.LOST)
    often = lost.group_by(last.c.user_id).having(func.count() == LOSSES_IN_A_ROW)
    with reading() as connection:
        return set(connection.scalars(often))
