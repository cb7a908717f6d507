"""The tables of games. There is no board column: the board is the replay of the moves."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime, Word
from webapp.extensions import Model
from webapp.games.states import EndReason, Result, Status, Visibility, WishedMark
from webapp.tictactoe import LARGEST_TABULATED, STANDARD, Mark

CAUSE_LENGTH = 200


def _partial_index(name: str, where: str, *columns: str, unique: bool = False, true: str = "") -> Index:
    """An index of the few rows that a question is about, however many others there are; `true` is a column."""
    on_sqlite, on_postgresql = (f" AND {true} = 1", f" AND {true}") if true else ("", "")
    conditions = {"sqlite_where": text(where + on_sqlite), "postgresql_where": text(where + on_postgresql)}
    return Index(name, *columns, unique=unique, **conditions)  # type: ignore[arg-type]


class Game(Model):
    """`id` orders the games and stays inside; `public_id` is random, so that nobody can count or guess games.

    `version` grows with every change: a write names the version that it was decided on. An open game waits for
    a second player and has no seats yet; `wished_mark` is what the one who opened it wants to be. `due_at` is
    the moment at which the server decides the game if nobody has. A game with `rematch_of` is the one in which
    the two players of another meet again. A `coached` one is against the computer, and counted apart.

    An `arranged` game was begun by the server with both seats taken, for a competition: it cannot be cancelled, and its
    deadline stands. Its first `opening_plies` moves are the server's too, and count in nobody's accuracy. `seed`
    is for the level that plays in it: the same moves meet the same answers.

    Of a game between people `to_move_id` is the user whose turn it is, since `turn_began_at`. `called_id` is the
    user who is to come to the board: the challenged one, or the one who opened it when somebody has joined and
    begins. Both tell what the seats and moves tell, for the count of games that wait for somebody, and have no
    foreign key, because those have it.

    While a game with `classroom_id` is open, it is there for the members of that classroom alone. Who they are a higher
    package knows (permissions.py), so this is no foreign key either.

    `cause` is why a program lost the game other than on the board, as it or the site said it: for the page of the game.
    """

    __tablename__ = "game"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    rows: Mapped[int] = mapped_column(default=3)
    columns: Mapped[int] = mapped_column(default=3)
    in_a_row: Mapped[int] = mapped_column(default=3)
    status: Mapped[Status] = mapped_column(Word(Status, 10), default=Status.PLAYING)
    visibility: Mapped[Visibility] = mapped_column(Word(Visibility, 10))
    opened_by: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    wished_mark: Mapped[WishedMark | None] = mapped_column(Word(WishedMark, 6))
    challenged_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    classroom_id: Mapped[int | None]
    rematch_of: Mapped[int | None] = mapped_column(ForeignKey("game.id", ondelete="SET NULL"), unique=True)
    draw_offered_by: Mapped[Mark | None] = mapped_column(Word(Mark, 1))
    draw_offered_ply: Mapped[int | None]
    draw_is_open: Mapped[bool] = mapped_column(default=False, server_default=false())
    coached: Mapped[bool] = mapped_column(default=False, server_default=false())
    arranged: Mapped[bool] = mapped_column(default=False, server_default=false())
    opening_plies: Mapped[int] = mapped_column(default=0, server_default="0")
    seed: Mapped[int | None]
    winner: Mapped[Mark | None] = mapped_column(Word(Mark, 1))
    reason: Mapped[EndReason | None] = mapped_column(Word(EndReason, 10))
    cause: Mapped[str | None] = mapped_column(String(CAUSE_LENGTH))
    to_move_id: Mapped[int | None]
    called_id: Mapped[int | None]
    turn_began_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    due_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    version: Mapped[int] = mapped_column(default=0)

    __table_args__ = (
        _partial_index("uq_game_one_open_each", "status = 'open'", "opened_by", unique=True),
        _partial_index("ix_game_open", "status = 'open'", "visibility", "id"),
        _partial_index("ix_game_watched", "status = 'playing' AND visibility = 'public'", "turn_began_at"),
        _partial_index("ix_game_to_move_id", "to_move_id IS NOT NULL", "to_move_id", "id"),
        _partial_index("ix_game_called_id", "called_id IS NOT NULL", "called_id", "id"),
        _partial_index("ix_game_due_at", "due_at IS NOT NULL", "due_at"),
        # Used for challenges too; and whoever is deleted is looked for here, because of the foreign keys.
        _partial_index("ix_game_opened_by", "opened_by IS NOT NULL", "opened_by"),
        _partial_index("ix_game_challenged_id", "challenged_id IS NOT NULL", "challenged_id"),
        {"sqlite_autoincrement": True},  # an id is never given twice: it orders the games
    )


def _index_of_finished(name: str, column: str, with_mistakes: bool = False, with_coach: bool = False) -> Index:
    """Of the seats that a user held to the end; `column` is filled in then, and narrows the search first.

    `coached` is always true where it is among the columns: with it SQLite takes this index without any statistics.
    """
    first = ["coached"] * with_coach + [column] * (column != "result")
    where = f"user_id IS NOT NULL AND {column} IS NOT NULL" + " AND kept < decisions" * with_mistakes
    return _partial_index(name, where, "user_id", *first, "mark", "result", "game_id", true="coached" * with_coach)


class Seat(Model):
    """Who holds a mark in a game: a user, or the computer at a level.

    `result` is set when the game ends, and with it a copy of who held the other mark: so that one index
    carries "my games against her that I lost with O". The copy has no foreign key: the other seat has it,
    and here each deleted guest would cost a look through all seats.

    `decisions` are the moves where the legal moves differed in value, and `kept` are those that lost nothing: set
    when the game ends, and None on boards that are too large to solve and in games that were cancelled. `coached` is a
    copy of the game's, for the index.
    """

    __tablename__ = "seat"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    mark: Mapped[Mark] = mapped_column(Word(Mark, 1), primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    level: Mapped[str | None] = mapped_column(String(10))
    result: Mapped[Result | None] = mapped_column(Word(Result, 5))
    opponent_id: Mapped[int | None]
    opponent_level: Mapped[str | None] = mapped_column(String(10))
    decisions: Mapped[int | None]
    kept: Mapped[int | None]
    coached: Mapped[bool] = mapped_column(server_default=false())

    __table_args__ = (
        CheckConstraint("mark IN ('X', 'O')", name="mark"),
        CheckConstraint("(user_id IS NULL) <> (level IS NULL)", name="one_holder"),
        UniqueConstraint("game_id", "user_id"),
        Index("ix_seat_user_id_game_id", "user_id", "game_id"),
        # The few unfinished games of a user, however many finished ones there are. The result is always NULL here; with
        # it the index fits better than the one above, and SQLite takes it without any statistics.
        _partial_index("ix_seat_unfinished", "result IS NULL", "user_id", "result", "game_id"),
        # The finished ones, newest first, by any filter of the history: see docs/decisions/006.
        _index_of_finished("ix_seat_finished", "result"),
        _index_of_finished("ix_seat_against_level", "opponent_level"),
        _index_of_finished("ix_seat_against_user", "opponent_id"),
        _index_of_finished("ix_seat_mistaken", "result", with_mistakes=True),
        _index_of_finished("ix_seat_mistaken_against_level", "opponent_level", with_mistakes=True),
        _index_of_finished("ix_seat_mistaken_against_user", "opponent_id", with_mistakes=True),
        # Only games with the coach write to these, and such games have no opponent but a level.
        _index_of_finished("ix_seat_coached", "result", False, with_coach=True),
        _index_of_finished("ix_seat_coached_against_level", "opponent_level", False, with_coach=True),
        _index_of_finished("ix_seat_mistaken_coached", "result", True, with_coach=True),
        _index_of_finished("ix_seat_mistaken_coached_against_level", "opponent_level", True, with_coach=True),
    )


class Move(Model):
    """One mark on the board. Where the computer moved, what its search did stays with the move; where an agent moved,
    what it said of its own search.
    """

    __tablename__ = "move"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    cell: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    nodes: Mapped[int | None]
    microseconds: Mapped[int | None]

    __table_args__ = (UniqueConstraint("game_id", "cell"),)


class Mistake(Model):
    """A move of a user that lost value, in a finished game. Those of who is deleted go with the account.

    `position` before the move and `cell` are folded: turned or mirrored so that moves that are alike by symmetry read
    the same. The cell as it was played stands with the move. Values are those of the side to move.
    """

    __tablename__ = "mistake"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"))
    shape: Mapped[str] = mapped_column(String(8))
    position: Mapped[str] = mapped_column(String(LARGEST_TABULATED))  # no larger board is judged
    to_move: Mapped[str] = mapped_column(String(1))
    cell: Mapped[int]
    value_before: Mapped[int]
    value_after: Mapped[int]

    __table_args__ = (
        Index("ix_mistake_newest", "user_id", "game_id", "ply"),
        # The common mistakes of some users, counted without a look at the rows.
        Index("ix_mistake_folded", "user_id", "shape", "position", "to_move", "cell"),
    )


class TakenBack(Model):
    """A move that stood in a coached game until its player took it back, with the computer's answer.

    `version` is the version of the game on which that was asked for: the same form sent twice takes back once.
    """

    __tablename__ = "taken_back"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    cell: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    nodes: Mapped[int | None]
    microseconds: Mapped[int | None]
    taken_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Tally(Model):
    """How often a user won, lost and drew with a mark against a level or another user, on boards of one shape.

    With the sums of the decisions in these games and of those that were kept; on boards that are not judged both are 0.
    Games with the coach are counted apart. Written in the transaction that ends a game, so that no page ever counts
    games.
    """

    __tablename__ = "tally"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"))
    level: Mapped[str | None] = mapped_column(String(10))
    opponent_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    mark: Mapped[Mark] = mapped_column(Word(Mark, 1))
    shape: Mapped[str] = mapped_column(String(8), default=STANDARD.shape, server_default=STANDARD.shape)
    coached: Mapped[bool] = mapped_column(default=False, server_default=false())
    won: Mapped[int] = mapped_column(default=0)
    lost: Mapped[int] = mapped_column(default=0)
    drawn: Mapped[int] = mapped_column(default=0)
    decisions: Mapped[int] = mapped_column(default=0, server_default="0")
    kept: Mapped[int] = mapped_column(default=0, server_default="0")

    __table_args__ = (
        CheckConstraint("(opponent_id IS NULL) <> (level IS NULL)", name="one_opponent"),
        _partial_index(
            "uq_tally_level", "level IS NOT NULL", "user_id", "level", "mark", "shape", "coached", unique=True
        ),
        _partial_index(
            "uq_tally_opponent", "opponent_id IS NOT NULL", "user_id", "opponent_id", "mark", "shape", unique=True
        ),
        # Whoever is deleted is looked for here as somebody's opponent, because of the foreign key.
        _partial_index("ix_tally_opponent_id", "opponent_id IS NOT NULL", "opponent_id"),
    )
