"""The moves by which students lose value: of one student, and those that a class has in common. Read only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, true

from webapp.classrooms.models import CountedGame, Enrolment
from webapp.classrooms.results import WEEK, Period, last_lesson
from webapp.clock import now
from webapp.database import reading
from webapp.games.models import Game, Mistake, Move, Seat
from webapp.games.states import Result, Visibility
from webapp.tictactoe import STANDARD, Board, Mark, Position, table_of

SHOWN = 20


@dataclass(frozen=True)
class CommonMistake:
    """Moves that are alike by symmetry, drawn as one of them."""

    position: Position
    cell: int
    students: int
    times: int
    value_before: int
    value_after: int

    @property
    def right(self) -> tuple[int, ...]:
        """The cells that would have been right."""
        return tuple(table_of(self.position.board)[self.position].cells)


def common_mistakes(classroom_id: int, period: Period = Period.ALL) -> list[CommonMistake]:
    """Those that most students made, and then those that were made most often."""
    folded = (Mistake.position, Mistake.to_move, Mistake.cell)
    students, times = func.count(Mistake.user_id.distinct()), func.count()
    worth = (func.min(Mistake.value_before), func.min(Mistake.value_after))
    statement = (
        select(*folded, students, times, *worth)
        .join(CountedGame, (CountedGame.game_id == Mistake.game_id) & (CountedGame.user_id == Mistake.user_id))
        .where(CountedGame.classroom_id == classroom_id, *_within(classroom_id, period))
        # By the index of each student's mistakes; left to itself SQLite reads those of everybody.
        .where(Mistake.shape == STANDARD.shape, Mistake.user_id.in_(_students(classroom_id)))
        .group_by(*folded)
        .order_by(students.desc(), times.desc(), *folded)
        .limit(SHOWN)
    )
    with reading() as connection:
        return [_common(row) for row in connection.execute(statement)]


def _students(classroom_id: int) -> Select[Any]:
    return select(Enrolment.user_id).where(Enrolment.classroom_id == classroom_id)


def _common(row: Sequence[Any]) -> CommonMistake:
    text, to_move, cell, *counts = row
    return CommonMistake(Position.parse(text, Mark(to_move)), cell, *counts)


def _within(classroom_id: int, period: Period) -> list[ColumnElement[bool]]:
    if period == Period.LESSON:
        lesson = last_lesson(classroom_id)
        return [CountedGame.lesson_id == (lesson.id if lesson else -1)]
    return [CountedGame.day > (now() - WEEK).date()] if period == Period.WEEK else []


@dataclass(frozen=True)
class StudentGame:
    id: int
    public_id: str
    is_public: bool  # so that others than its players may look at it
    ended_at: datetime
    kind: str
    mark: Mark
    result: Result
    board: Board
    decisions: int | None
    kept: int | None
    cells: tuple[int, ...] = ()
    mistaken_plies: tuple[int, ...] = ()


def games_of_student(classroom_id: int, user_id: int, before: str | None = None) -> tuple[list[StudentGame], bool]:
    """The last ones that count for the classroom, the newest first, each with its moves and mistakes; and whether there
    are more. `before` is the public id of the game where the page before this one ended.
    """
    with reading() as connection:
        rows = connection.execute(_newest_counted(classroom_id, user_id, before).limit(SHOWN + 1)).all()
        ids = [row.id for row in rows]
        moves = select(Move.game_id, Move.cell).where(Move.game_id.in_(ids))
        cells = connection.execute(moves.order_by(Move.game_id, Move.ply)).all()
        mistakes = select(Mistake.game_id, Mistake.ply).where(Mistake.game_id.in_(ids), Mistake.user_id == user_id)
        mistaken = connection.execute(mistakes).all()
    return [_student_game(row, cells, mistaken) for row in rows[:SHOWN]], len(rows) > SHOWN


def _newest_counted(classroom_id: int, user_id: int, before: str | None) -> Select[*tuple[Any, ...]]:
    shape = (Game.rows, Game.columns, Game.in_a_row)
    about = (Game.id, Game.public_id, Game.visibility, Game.ended_at, CountedGame.kind)
    edge = select(Game.id).where(Game.public_id == before).scalar_subquery()
    return (
        select(*about, Seat.mark, Seat.result, *shape, Seat.decisions, Seat.kept)
        .join(Game, Game.id == CountedGame.game_id)
        .join(Seat, (Seat.game_id == CountedGame.game_id) & (Seat.user_id == CountedGame.user_id))
        .where(CountedGame.classroom_id == classroom_id, CountedGame.user_id == user_id)
        .where(true() if before is None else CountedGame.game_id < edge)
        .order_by(CountedGame.game_id.desc())
    )


def _student_game(row: Any, cells: Sequence[Any], mistaken: Sequence[Any]) -> StudentGame:
    game_id, public_id, visibility, ended_at, kind, mark, result, *shape, decisions, kept = row
    played = tuple(cell for of_game, cell in cells if of_game == game_id)
    plies = tuple(sorted(ply for of_game, ply in mistaken if of_game == game_id))
    about = (game_id, public_id, visibility == Visibility.PUBLIC, ended_at, kind, mark, result)
    return StudentGame(*about, Board(*shape), decisions, kept, played, plies)
