"""What an instructor sees during a lesson: a fixed number of statements, each bounded by the class and its lesson."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, select

from webapp.accounts.presence import is_here
from webapp.classrooms.lessons import LessonRecord, is_played_since
from webapp.classrooms.models import LESSON_LASTS, Enrolment
from webapp.classrooms.queries import IS_STUDENT, Member
from webapp.classrooms.roles import Role
from webapp.clock import now
from webapp.database import reading
from webapp.games.game_record import GameRecord
from webapp.games.models import Game, Move, Seat
from webapp.games.queries import games_where
from webapp.games.states import Result, Status
from webapp.tictactoe import mover

BOARDS, RESULTS = 60, 12  # shown at most
IDLE = timedelta(minutes=10)
LOSSES_IN_A_ROW, TO_LEVEL = 3, "casual"


@dataclass(frozen=True)
class StudentInLesson:
    """One line of the lesson: who it is, what they did in it, and whether they may need help.

    `active_at` is when something last happened in their games: where it is their turn it began then, and where it is
    not, they moved last. So one moment for each game tells who sits still, and nobody's moves are told apart.
    """

    member: Member
    began_at: datetime  # the lesson
    won: int = 0
    drawn: int = 0
    lost: int = 0
    games: int = 0  # unfinished ones too
    active_at: datetime | None = None
    is_waiting: bool = False  # in each unfinished game the other is to move
    lost_in_a_row: bool = False

    @property
    def has_started(self) -> bool:
        return self.games > 0

    @property
    def is_here(self) -> bool:
        """Who plays the computer with scripts off is seen by their moves alone."""
        return self.member.is_here or is_here(self.active_at)

    @property
    def is_idle(self) -> bool:
        """Here, and for a while of the lesson it was for them to move or to begin a game."""
        since = max(self.began_at, self.member.joined_at, self.active_at or self.began_at)
        return self.member.is_here and not self.is_waiting and now() - since >= IDLE

    @property
    def may_need_help(self) -> bool:
        return self.lost_in_a_row or self.is_idle


@dataclass(frozen=True)
class LessonView:
    students: list[StudentInLesson]
    playing: list[GameRecord]
    has_more: bool  # games that go on than are shown
    results: list[GameRecord]


def lesson_view(classroom_id: int, lesson: LessonRecord, members: list[Member]) -> LessonView:
    playing, results = _games(classroom_id, lesson)
    students = _students(classroom_id, lesson, members)
    return LessonView(students, playing[:BOARDS], len(playing) > BOARDS, results)


def playing_now(classroom_id: int, lesson: LessonRecord | None) -> list[GameRecord]:
    """The unfinished games of the class, those that began last first; without a lesson those of the last hours."""
    since = _since(lesson) if lesson else now() - LESSON_LASTS
    return games_where(Game.id.in_(_shown(classroom_id, since)))[::-1][:BOARDS]


def ended_in(classroom_id: int, lesson: LessonRecord) -> int:
    """How many games of the class have ended in the lesson."""
    seats = select(Seat.game_id).where(*_in_lesson(classroom_id, lesson))
    games = select(func.count()).select_from(Game).where(Game.id.in_(seats), _ended_in(lesson))
    with reading() as connection:
        return connection.scalar(games) or 0


def _students_of(classroom_id: int) -> Select[int]:
    is_student = (Enrolment.classroom_id == classroom_id, IS_STUDENT)
    return select(Enrolment.user_id).where(*is_student)


def _since(lesson: LessonRecord) -> datetime:
    """Who began to play a little before the press plays in the lesson."""
    return lesson.began_at - IDLE


def _is_unfinished(classroom_id: int, since: datetime) -> list[ColumnElement[bool]]:
    """Of seats with their games: from the index of unfinished seats, however many games are finished. A game in which
    nothing has happened since was given up, and goes on for nobody.
    """
    is_theirs = (Seat.user_id.in_(_students_of(classroom_id)), Seat.result.is_(None), Game.status == Status.PLAYING)
    return [*is_theirs, is_played_since(since)]


def _shown(classroom_id: int, since: datetime) -> Select[int]:
    """One more than is shown tells that there are more."""
    ids = select(Seat.game_id).join(Game, Game.id == Seat.game_id).where(*_is_unfinished(classroom_id, since))
    return ids.distinct().order_by(Seat.game_id.desc()).limit(BOARDS + 1)


def _in_lesson(classroom_id: int, lesson: LessonRecord) -> list[ColumnElement[bool]]:
    """The seats of the class in games of this lesson, through the index on user and game."""
    return [Seat.user_id.in_(_students_of(classroom_id)), Seat.game_id >= lesson.first_game_id]


def _ended_in(lesson: LessonRecord) -> ColumnElement[bool]:
    return and_(Game.status == Status.FINISHED, Game.ended_at >= lesson.began_at)


def _games(classroom_id: int, lesson: LessonRecord) -> tuple[list[GameRecord], list[GameRecord]]:
    seats = select(Seat.game_id).where(*_in_lesson(classroom_id, lesson))
    ended = select(Game.id).where(Game.id.in_(seats), _ended_in(lesson)).order_by(Game.ended_at.desc()).limit(RESULTS)
    parts = [select(part.subquery()) for part in (_shown(classroom_id, _since(lesson)), ended)]
    games = games_where(Game.id.in_(parts[0].union_all(parts[1])))
    results = sorted((game for game in games if game.is_over), key=_ended_at, reverse=True)
    return [game for game in games[::-1] if not game.is_over], results


def _ended_at(game: GameRecord) -> tuple[datetime, int]:
    return game.ended_at or game.created_at, game.id


def _students(classroom_id: int, lesson: LessonRecord, members: list[Member]) -> list[StudentInLesson]:
    ended = {row.user_id: row for row in _ended(classroom_id, lesson)}
    unfinished: dict[int, list[Any]] = defaultdict(list)
    for row in _unfinished(classroom_id, lesson):
        unfinished[row.user_id].append(row)
    losing = _lost_in_a_row(classroom_id, lesson)
    return [
        _student(member, lesson, ended.get(member.user_id), unfinished[member.user_id], member.user_id in losing)
        for member in members
        if member.role is Role.STUDENT
    ]


def _student(member: Member, lesson: LessonRecord, ended: Any, unfinished: list[Any], loses: bool) -> StudentInLesson:
    won, drawn, lost, games = (ended.won, ended.drawn, ended.lost, ended.games) if ended else (0, 0, 0, 0)
    moments = [row.moved_at or row.created_at for row in unfinished] + ([ended.last_end] if ended else [])
    return StudentInLesson(
        member, lesson.began_at, won, drawn, lost, games + len(unfinished),
        active_at=max(moments, default=None),
        is_waiting=bool(unfinished) and not any(_is_to_move(row) for row in unfinished),
        lost_in_a_row=loses,
    )  # fmt: skip


def _is_to_move(row: Any) -> bool:
    return bool(row.mark == mover(row.moves))


def _ended(classroom_id: int, lesson: LessonRecord) -> list[Any]:
    """Of each student who has finished a game in the lesson: how many, and when the last one."""

    def count(result: Result) -> Any:
        return func.sum(case((Seat.result == result, 1), else_=0)).label(result.value)

    columns = (Seat.user_id, *map(count, (Result.WON, Result.DRAWN, Result.LOST)))
    counts = (
        select(*columns, func.count().label("games"), func.max(Game.ended_at).label("last_end"))
        .join(Game, Game.id == Seat.game_id)
        .where(*_in_lesson(classroom_id, lesson), _ended_in(lesson))
        .group_by(Seat.user_id)
    )
    with reading() as connection:
        return list(connection.execute(counts))


def _unfinished(classroom_id: int, lesson: LessonRecord) -> list[Any]:
    """The seats of the class in games that go on, each with the number of moves and the moment of the last one."""
    of_game = (Seat.user_id, Seat.mark, Seat.game_id, Game.created_at)
    games = (
        select(*of_game, func.count(Move.ply).label("moves"), func.max(Move.made_at).label("moved_at"))
        .join(Game, Game.id == Seat.game_id)
        .outerjoin(Move, Move.game_id == Game.id)
        .where(*_is_unfinished(classroom_id, _since(lesson)))
        .group_by(*of_game)
    )
    with reading() as connection:
        return list(connection.execute(games))


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
