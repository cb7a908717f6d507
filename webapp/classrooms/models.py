"""The tables of classrooms: who is in them and when, their lessons, what a class is asked, and the ways in."""

from datetime import date, datetime, timedelta

from sqlalchemy import ForeignKey, Index, String, false, text, true
from sqlalchemy.orm import Mapped, mapped_column

from webapp.classrooms.roles import Role
from webapp.clock import now
from webapp.database import UtcDateTime, Word
from webapp.extensions import Model

SEATS = 60  # of a new classroom, for students
LESSON_LASTS = timedelta(hours=4)  # if nobody ends it before


class Classroom(Model):
    """`join_code` is stored as it is, because it is shown on the wall of the room for weeks: it opens one seat as a
    student, and is changed by a press. `levels` are the names of the allowed ones with a space between them; None
    allows all. `only_members`: its students play people only if these are in the classroom too. Without `allows_agents`
    they challenge no agents, and theirs play nobody.
    """

    __tablename__ = "classroom"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    term: Mapped[str] = mapped_column(String(40), default="")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    archived_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    join_code: Mapped[str] = mapped_column(String(16), unique=True)
    join_is_open: Mapped[bool] = mapped_column(default=True, server_default=true())
    seat_limit: Mapped[int] = mapped_column(default=SEATS)
    only_members: Mapped[bool] = mapped_column(default=False, server_default=false())
    allows_watching: Mapped[bool] = mapped_column(default=True, server_default=true())
    allows_coach: Mapped[bool] = mapped_column(default=True, server_default=true())
    allows_agents: Mapped[bool] = mapped_column(default=True, server_default=true())
    levels: Mapped[str | None] = mapped_column(String(100))
    has_leaderboard: Mapped[bool] = mapped_column(default=True, server_default=true())

    __table_args__ = ({"sqlite_autoincrement": True},)


class Enrolment(Model):
    """One stay of somebody in a classroom, from `joined_at` until `removed_at`. Who is brought back gets a new row
    with the same names: so a game counts for a classroom if one of its player's stays there covers its end.

    The real name and what a school's file says of a person are for the classroom's instructors and assistants alone.
    `made_for_classroom`: the account was made from this classroom's roster, so its staff may give it a new password.
    """

    __tablename__ = "enrolment"

    id: Mapped[int] = mapped_column(primary_key=True)
    classroom_id: Mapped[int] = mapped_column(ForeignKey("classroom.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"))
    role: Mapped[Role] = mapped_column(Word(Role, 10))
    real_name: Mapped[str] = mapped_column(String(100), default="")
    external_id: Mapped[str] = mapped_column(String(100), default="")
    email: Mapped[str] = mapped_column(String(254), default="")
    section: Mapped[str] = mapped_column(String(100), default="")
    made_for_classroom: Mapped[bool] = mapped_column(default=False, server_default=false())
    on_leaderboard: Mapped[bool] = mapped_column(default=True, server_default=true())
    joined_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    removed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__ = (
        Index(
            "uq_enrolment_present",
            "classroom_id",
            "user_id",
            unique=True,
            sqlite_where=text("removed_at IS NULL"),
            postgresql_where=text("removed_at IS NULL"),
        ),
        Index("ix_enrolment_classroom_id", "classroom_id"),
        Index("ix_enrolment_user_id", "user_id"),
    )


def _one_at_a_time(name: str, column: str, end: str) -> Index:
    where = text(f"{end} IS NULL")
    return Index(name, column, unique=True, sqlite_where=where, postgresql_where=where)


class Lesson(Model):
    """It ends by a press, or by itself some hours after it began (`lesson_goes_on`): then `ended_at` is filled in by
    who begins the next one, or archives the classroom.

    Its games have ids from `first_game_id` on: a look at them goes through an index, however many there are.
    """

    __tablename__ = "lesson"

    id: Mapped[int] = mapped_column(primary_key=True)
    classroom_id: Mapped[int] = mapped_column(ForeignKey("classroom.id", ondelete="CASCADE"), index=True)
    began_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    first_game_id: Mapped[int] = mapped_column(default=0)

    __table_args__ = (_one_at_a_time("uq_lesson_present", "classroom_id", "ended_at"),)


class Question(Model):
    """A position that a class was asked about in a lesson: which move? Answers are taken until `closed_at`."""

    __tablename__ = "question"

    id: Mapped[int] = mapped_column(primary_key=True)
    lesson_id: Mapped[int] = mapped_column(ForeignKey("lesson.id", ondelete="CASCADE"), index=True)
    position: Mapped[str] = mapped_column(String(32))
    to_move: Mapped[str] = mapped_column(String(1))
    asked_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__ = (_one_at_a_time("uq_question_present", "lesson_id", "closed_at"),)


class QuestionAnswer(Model):
    """One for each student, which may be changed while the question is open."""

    __tablename__ = "question_answer"

    question_id: Mapped[int] = mapped_column(ForeignKey("question.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, index=True)
    cell: Mapped[int]
    answered_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class LogInCode(Model):
    """A code in place of a password, good once for a few minutes; a new one replaces the old.

    `used_in` is the hash of the session that used it: pressed twice, the second press comes from the same one.
    """

    __tablename__ = "log_in_code"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True)
    classroom_id: Mapped[int] = mapped_column(ForeignKey("classroom.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(200))
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    used_in: Mapped[str | None] = mapped_column(String(64))


class SetUpToken(Model):
    """A link that makes an instructor, once, within a day. Only its SHA-256 is kept."""

    __tablename__ = "set_up_token"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class CountedGame(Model):
    """A finished game that counts for a classroom, because its player was a student there when it ended.

    `lesson_id` is 0 outside of lessons. `kind` is the column of the results where it stands: a level, classmates,
    others, or coached.
    """

    __tablename__ = "counted_game"

    classroom_id: Mapped[int] = mapped_column(ForeignKey("classroom.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    lesson_id: Mapped[int]
    day: Mapped[date]
    kind: Mapped[str] = mapped_column(String(10))

    __table_args__ = (
        Index("ix_counted_game_lesson", "classroom_id", "lesson_id", "game_id"),
        Index("ix_counted_game_day", "classroom_id", "day"),
        # Whoever is deleted, and each game that is, is looked for here because of the foreign keys.
        Index("ix_counted_game_user_id", "user_id"),
        Index("ix_counted_game_game_id", "game_id"),
    )


class ClassroomTally(Model):
    """The sums of a student's counted games of one kind on one day in one lesson: no page ever counts games.

    `moves` are the student's own. Days are those of UTC.
    """

    __tablename__ = "classroom_tally"

    classroom_id: Mapped[int] = mapped_column(ForeignKey("classroom.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, index=True)
    lesson_id: Mapped[int] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    won: Mapped[int]
    drawn: Mapped[int]
    lost: Mapped[int]
    decisions: Mapped[int]
    kept: Mapped[int]
    moves: Mapped[int]
