"""The tables of games. There is no board column: the board is the replay of the moves."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime
from webapp.extensions import Model

PLAYING, FINISHED = "playing", "finished"
WON, LOST, DRAWN = "won", "lost", "drawn"


class Game(Model):
    """`id` orders the games and stays inside; `public_id` is random, so that nobody can count or guess games.

    `version` grows with every change: a write names the version that it was decided on.
    """

    __tablename__ = "game"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    rows: Mapped[int] = mapped_column(default=3)
    columns: Mapped[int] = mapped_column(default=3)
    in_a_row: Mapped[int] = mapped_column(default=3)
    status: Mapped[str] = mapped_column(String(10), default=PLAYING)
    visibility: Mapped[str] = mapped_column(String(10))
    winner: Mapped[str | None] = mapped_column(String(1))
    reason: Mapped[str | None] = mapped_column(String(10))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    version: Mapped[int] = mapped_column(default=0)

    __table_args__ = ({"sqlite_autoincrement": True},)  # an id is never given twice: it orders the games


def _index_of_finished(name: str, column: str) -> Index:
    """Of the seats that a user held to the end; `column` is filled in then, and narrows the search first."""
    first = [] if column == "result" else [column]
    where = text(f"user_id IS NOT NULL AND {column} IS NOT NULL")
    return Index(name, "user_id", *first, "mark", "result", "game_id", sqlite_where=where, postgresql_where=where)


class Seat(Model):
    """Who holds a mark in a game: a user, or the computer at a level.

    `result` is set when the game ends, and with it a copy of who held the other mark: so that one index
    carries "my games against her that I lost with O". The copy has no foreign key: the other seat has it,
    and here each deleted guest would cost a look through all seats.
    """

    __tablename__ = "seat"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    mark: Mapped[str] = mapped_column(String(1), primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    level: Mapped[str | None] = mapped_column(String(10))
    result: Mapped[str | None] = mapped_column(String(5))
    opponent_id: Mapped[int | None]
    opponent_level: Mapped[str | None] = mapped_column(String(10))

    __table_args__ = (
        CheckConstraint("mark IN ('X', 'O')", name="mark"),
        CheckConstraint("(user_id IS NULL) <> (level IS NULL)", name="one_holder"),
        UniqueConstraint("game_id", "user_id"),
        Index("ix_seat_user_id_game_id", "user_id", "game_id"),
        # The few unfinished games of a user, however many finished ones there are.
        Index(
            "ix_seat_unfinished",
            "user_id",
            "game_id",
            sqlite_where=text("result IS NULL"),
            postgresql_where=text("result IS NULL"),
        ),
        # The finished ones, newest first, by any filter of the history: see docs/decisions/history.md.
        _index_of_finished("ix_seat_finished", "result"),
        _index_of_finished("ix_seat_against_level", "opponent_level"),
        _index_of_finished("ix_seat_against_user", "opponent_id"),
    )


class Move(Model):
    """One mark on the board. Where the computer moved, what its search did stays with the move."""

    __tablename__ = "move"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    cell: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    nodes: Mapped[int | None]
    microseconds: Mapped[int | None]

    __table_args__ = (UniqueConstraint("game_id", "cell"),)


class Tally(Model):
    """How often a user won, lost and drew with a mark against a level or another user.

    Written in the transaction that ends a game, so that no page ever counts games.
    """

    __tablename__ = "tally"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"))
    level: Mapped[str | None] = mapped_column(String(10))
    opponent_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    mark: Mapped[str] = mapped_column(String(1))
    won: Mapped[int] = mapped_column(default=0)
    lost: Mapped[int] = mapped_column(default=0)
    drawn: Mapped[int] = mapped_column(default=0)

    __table_args__ = (
        CheckConstraint("(opponent_id IS NULL) <> (level IS NULL)", name="one_opponent"),
        Index(
            "uq_tally_level",
            "user_id",
            "level",
            "mark",
            unique=True,
            sqlite_where=text("level IS NOT NULL"),
            postgresql_where=text("level IS NOT NULL"),
        ),
        # Whoever is deleted is looked for here as somebody's opponent, because of the foreign key.
        Index(
            "ix_tally_opponent_id",
            "opponent_id",
            sqlite_where=text("opponent_id IS NOT NULL"),
            postgresql_where=text("opponent_id IS NOT NULL"),
        ),
        Index(
            "uq_tally_opponent",
            "user_id",
            "opponent_id",
            "mark",
            unique=True,
            sqlite_where=text("opponent_id IS NOT NULL"),
            postgresql_where=text("opponent_id IS NOT NULL"),
        ),
    )
