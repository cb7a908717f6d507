"""What the end of a game adds to classrooms, within the unit that ends it.

Which games count for whom is a row each, and the totals are their sums: so a recount needs no clock. Whoever is
removed, or a lesson that ends, at the very moment at which a game does is on one side or the other for good.
"""

from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, or_, select

from webapp.classrooms.models import LESSON_LASTS, ClassroomTally, CountedGame, Enrolment, Lesson
from webapp.classrooms.roles import Role
from webapp.database import insert_or_update
from webapp.extensions import db
from webapp.games.announcing import EndedGame, EndedSeat
from webapp.prepared import Prepared

CLASSMATES, OTHERS, COACHED = "classmates", "others", "coached"
NO_LESSON = 0
SUMS = ("decisions", "kept", "moves")


class Stay(NamedTuple):
    classroom_id: int
    user_id: int
    lesson_id: int | None


def _moment(name: str) -> Any:
    return bindparam(name, type_=Enrolment.__table__.c.joined_at.type)


_lesson_then = (
    (Lesson.classroom_id == Enrolment.classroom_id)
    & (Lesson.began_at <= _moment("ended_at"))
    & (Lesson.began_at > _moment("lessons_since"))
    & or_(Lesson.ended_at.is_(None), Lesson.ended_at > _moment("ended_at"))
)
_STAYS = Prepared(
    select(Enrolment.classroom_id, Enrolment.user_id, Lesson.id.label("lesson_id"))
    .outerjoin(Lesson, _lesson_then)
    .where(
        or_(Enrolment.user_id == bindparam("one"), Enrolment.user_id == bindparam("other")),
        Enrolment.role == Role.STUDENT,
        Enrolment.joined_at <= _moment("ended_at"),
        or_(Enrolment.removed_at.is_(None), Enrolment.removed_at > _moment("ended_at")),
    )
)
_COUNT_GAME = Prepared(insert(CountedGame).values({c.key: bindparam(c.key) for c in CountedGame.__table__.c}))


def count_game(connection: Connection, game: EndedGame) -> None:
    """For each classroom that a player was a student of when the game ended."""
    stays = _stays(connection, game) if game.is_finished else []
    present = {(stay.classroom_id, stay.user_id) for stay in stays}
    for stay in stays:
        seat = next(seat for seat in game.seats if seat.user_id == stay.user_id)
        kind = _kind(game, seat, is_classmate=(stay.classroom_id, seat.opponent_id) in present)
        _count(connection, game, stay, seat, kind)


def _stays(connection: Connection, game: EndedGame) -> list[Stay]:
    users = [seat.user_id for seat in game.seats]
    if not users:
        return []
    moments = {"ended_at": game.ended_at, "lessons_since": game.ended_at - LESSON_LASTS}
    rows = _STAYS.rows(connection, one=users[0], other=users[-1], **moments)
    # Where clocks differ, two lessons may seem to cover one moment: the later one counts.
    return list({(row.classroom_id, row.user_id): Stay(*row) for row in sorted(rows, key=_lesson_id)}.values())


def _lesson_id(row: Any) -> int:
    return row.lesson_id or NO_LESSON


def _kind(game: EndedGame, seat: EndedSeat, is_classmate: bool) -> str:
    """The column of the results that the game belongs to."""
    if game.coached:
        return COACHED
    return seat.opponent_level or (CLASSMATES if is_classmate else OTHERS)


def _count(connection: Connection, game: EndedGame, stay: Stay, seat: EndedSeat, kind: str) -> None:
    place = {
        "classroom_id": stay.classroom_id, "user_id": stay.user_id, "lesson_id": stay.lesson_id or NO_LESSON,
        "day": game.ended_at.date(), "kind": kind,
    }  # fmt: skip
    _COUNT_GAME.run(connection, game_id=game.id, **place)
    add = _add_one(db.engine.dialect.name, seat.result)
    add.run(connection, **place, **{name: getattr(seat, name) for name in SUMS})


@cache
def _add_one(_database: str, result: str) -> Prepared:
    """Add a game to the row of its place, or begin it: one statement, whoever else counts too."""
    keys = [column.key for column in ClassroomTally.__table__.primary_key]
    row: dict[str, Any] = {name: bindparam(name) for name in (*keys, *SUMS)}
    new = insert_or_update(ClassroomTally).values({**row, "won": 0, "drawn": 0, "lost": 0, result: 1}).inline()
    sums: dict[str, Any] = {name: getattr(ClassroomTally, name) + new.excluded[name] for name in SUMS}
    sums[result] = getattr(ClassroomTally, result) + 1
    return Prepared(new.on_conflict_do_update(index_elements=keys, set_=sums))
