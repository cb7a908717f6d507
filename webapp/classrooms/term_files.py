"""Everything of a classroom in one ZIP: CSV for spreadsheets, JSON for programs, and a README that explains them."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import select

from webapp.accounts.models import User
from webapp.classrooms.models import CountedGame, Enrolment, Lesson, Question, QuestionAnswer
from webapp.classrooms.queries import ClassroomRecord
from webapp.classrooms.results import results_of
from webapp.classrooms.results_files import as_csv
from webapp.clock import now
from webapp.database import reading, release_connection
from webapp.games.models import Game, Mistake, Move, Seat
from webapp.spreadsheets import csv_lines

IN_MEMORY = 8 * 2**20
GAMES_AT_ONCE = 500

README = """{name} {term}
Everything that this site holds of the classroom, taken on {today}.

results.csv    one row for each student: games, results by opponent, accuracy (as on the page "Results", all time)
students.csv   everybody who is or was in the classroom, with what the school's file said of them
lessons.json   the lessons, the positions that the class was asked about, and the answers
games.jsonl    one line for each game that counts: its player, result, mistakes, and moves (cells from 0 on, in
               reading order)

Times are UTC. This archive holds real names: keep it where only those who need it can read it.
"""


def term_archive(classroom: ClassroomRecord) -> IO[bytes]:
    """An open file, at its beginning; large ones lie on the disk, and are gone when it is closed."""
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - whoever sends it closes it
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        today = now().date().isoformat()
        archive.writestr("README.txt", README.format(name=classroom.name, term=classroom.term, today=today))
        archive.writestr("results.csv", as_csv(results_of(classroom.id)))
        archive.writestr("students.csv", csv_lines(_students(classroom.id)).encode("utf-8-sig"))
        archive.writestr("lessons.json", json.dumps(_lessons(classroom.id), ensure_ascii=False, indent=1))
        with archive.open("games.jsonl", "w") as games:
            for batch in _batches(classroom.id):
                games.writelines(json.dumps(game, ensure_ascii=False).encode() + b"\n" for game in batch)
    file.seek(0)
    return file


def _students(classroom_id: int) -> Iterator[Sequence[Any]]:
    yield ["name", "user name", "role", "id", "e-mail", "section", "joined", "removed"]
    about = (Enrolment.real_name, User.name, Enrolment.role, Enrolment.external_id, Enrolment.email, Enrolment.section)
    stays = select(*about, Enrolment.joined_at, Enrolment.removed_at).join(User, User.id == Enrolment.user_id)
    with reading() as connection:
        rows = connection.execute(stays.where(Enrolment.classroom_id == classroom_id).order_by(Enrolment.id)).all()
    yield from ([*row[:-2], _text(row.joined_at), _text(row.removed_at)] for row in rows)


def _text(moment: Any) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None


def _lessons(classroom_id: int) -> list[dict[str, Any]]:
    with reading() as connection:
        here = select(Lesson).where(Lesson.classroom_id == classroom_id)
        lessons = connection.execute(here.order_by(Lesson.id)).all()
        questions = connection.execute(
            select(Question).join(Lesson, Lesson.id == Question.lesson_id).where(Lesson.classroom_id == classroom_id)
        ).all()
        answers = connection.execute(
            select(QuestionAnswer.question_id, User.name, QuestionAnswer.cell)
            .join(User, User.id == QuestionAnswer.user_id)
            .join(Question, Question.id == QuestionAnswer.question_id)
            .join(Lesson, Lesson.id == Question.lesson_id)
            .where(Lesson.classroom_id == classroom_id)
        ).all()
    given: dict[int, list[dict[str, Any]]] = {}
    for question_id, name, cell in answers:
        given.setdefault(question_id, []).append({"user": name, "cell": cell})
    told: dict[int, list[dict[str, Any]]] = {}
    for question in questions:
        asked = {"position": question.position, "to_move": question.to_move, "asked": _text(question.asked_at)}
        told.setdefault(question.lesson_id, []).append({**asked, "answers": given.get(question.id, [])})
    return [
        {"began": _text(lesson.began_at), "ended": _text(lesson.ended_at), "questions": told.get(lesson.id, [])}
        for lesson in lessons
    ]


def _batches(classroom_id: int) -> Iterator[list[dict[str, Any]]]:
    """By player and game; between two batches no connection is held."""
    after = (0, 0)
    while rows := _some_games(classroom_id, after):
        ids = [row.game_id for row in rows]
        moves = _by_game(select(Move.game_id, Move.cell).where(Move.game_id.in_(ids)).order_by(Move.game_id, Move.ply))
        mistakes = _by_game(select(Mistake.game_id, Mistake.user_id, Mistake.ply).where(Mistake.game_id.in_(ids)))
        release_connection()
        yield [_game(row, moves, mistakes) for row in rows]
        after = (rows[-1].user_id, rows[-1].game_id)


def _some_games(classroom_id: int, after: tuple[int, int]) -> Sequence[Any]:
    last_user, last_game = after
    is_later = (CountedGame.user_id > last_user) | (
        (CountedGame.user_id == last_user) & (CountedGame.game_id > last_game)
    )
    columns = (CountedGame.user_id, CountedGame.game_id, CountedGame.kind, CountedGame.lesson_id, User.name)
    game = (Game.public_id, Game.ended_at, Seat.mark, Seat.result, Seat.decisions, Seat.kept)
    statement = (
        select(*columns, *game)
        .join(User, User.id == CountedGame.user_id)
        .join(Game, Game.id == CountedGame.game_id)
        .join(Seat, (Seat.game_id == CountedGame.game_id) & (Seat.user_id == CountedGame.user_id))
        .where(CountedGame.classroom_id == classroom_id, is_later)
        .order_by(CountedGame.user_id, CountedGame.game_id)
        .limit(GAMES_AT_ONCE)
    )
    with reading() as connection:
        return connection.execute(statement).all()


def _by_game(statement: Any) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    with reading() as connection:
        for game_id, *values in connection.execute(statement):
            found.setdefault(game_id, []).append(values)
    return found


def _game(row: Any, moves: dict[int, list[Any]], mistakes: dict[int, list[Any]]) -> dict[str, Any]:
    plies = [ply for user_id, ply in mistakes.get(row.game_id, []) if user_id == row.user_id]
    cells = [cell for (cell,) in moves.get(row.game_id, [])]
    return {
        "game": row.public_id, "user": row.name, "against": row.kind, "mark": row.mark, "result": row.result,
        "ended": _text(row.ended_at), "in_a_lesson": bool(row.lesson_id), "decisions": row.decisions, "kept": row.kept,
        "moves": cells, "mistakes_at_moves": sorted(ply + 1 for ply in plies),
    }  # fmt: skip


def pieces(file: IO[bytes]) -> Iterable[bytes]:
    with file:
        while piece := file.read(65536):
            yield piece
