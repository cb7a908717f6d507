"""The tables of competitions: what was announced, who entered, and who plays whom in which game."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ColumnElement, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.competitions.states import CompetitionKind, Entrants, Fault, Format, PairingState, Score, State
from webapp.database import UtcDateTime, Word
from webapp.extensions import Model


class Competition(Model):
    """Of a classroom, or open to all without one. `version` grows with every change that this row tells of; results
    of games do not change it.

    Who wants to enter does so from `enters_from`, people until it starts, agents until `enters_until`. It starts by a
    press, or at `starts_at` by who looks next. `ends_at` is fixed when it starts: what is not played then is lost.
    Rounds of people last `round_minutes` at most, the present one until `round_ends_at`. `format` and `rounds` are what
    was asked for until it starts, and what it is played by from then on.

    Each agent has `bank_seconds` for a game and `start_seconds` besides for its first move.
    """

    __tablename__ = "competition"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    kind: Mapped[CompetitionKind] = mapped_column(Word(CompetitionKind, 10))
    classroom_id: Mapped[int | None] = mapped_column(ForeignKey("classroom.id", ondelete="CASCADE"), index=True)
    made_by: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    entrants: Mapped[Entrants] = mapped_column(Word(Entrants, 10))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    enters_from: Mapped[datetime | None] = mapped_column(UtcDateTime)
    enters_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    starts_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ends_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    format: Mapped[Format] = mapped_column(Word(Format, 12))
    rounds: Mapped[int]
    round_minutes: Mapped[int | None]
    round: Mapped[int] = mapped_column(default=0, server_default="0")
    round_ends_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    bank_seconds: Mapped[int | None]
    start_seconds: Mapped[int | None]
    state: Mapped[State] = mapped_column(Word(State, 10), default=State.ENTERING)
    version: Mapped[int] = mapped_column(default=0)

    __table_args__ = (
        # The few that are not over, however many were: for what is due, and for the lists.
        Index(
            "ix_competition_state",
            "state",
            "id",
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        {"sqlite_autoincrement": True},
    )


class CompetitionEntry(Model):
    """A person, an agent by its user row, or a reference player of the site by its key.

    `number` is drawn when the competition starts, and decides who meets whom first. `program_version` is an agent's:
    a newer one is an entry of its own, and the old row names it in `replaced_by`. `answered_at` is when it last moved
    in any game, or lost one by a fault: until then it had no time for the others. A deleted player's entry stays,
    withdrawn, because others have played it.
    """

    __tablename__ = "competition_entry"

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competition.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"), index=True)
    reference: Mapped[str | None] = mapped_column(String(20))
    number: Mapped[int | None]
    program_version: Mapped[int] = mapped_column(default=1, server_default="1")
    replaced_by: Mapped[int | None] = mapped_column(ForeignKey("competition_entry.id", ondelete="CASCADE"))
    entered_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    answered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__ = (
        CheckConstraint("(user_id IS NULL) <> (reference IS NULL)", name="one_player"),
        UniqueConstraint("competition_id", "user_id", "program_version"),
        UniqueConstraint("competition_id", "reference", "program_version"),
    )


def is_active(entry: type[CompetitionEntry] = CompetitionEntry) -> tuple[ColumnElement[bool], ...]:
    """Neither withdrawn nor replaced by a newer version."""
    return entry.withdrawn_at.is_(None), entry.replaced_by.is_(None)


class Pairing(Model):
    """Who plays whom in a round. One whose `o_entry_id` is None is a bye.

    `opening` are the cells that the server plays first, as digits with a space between them; `seed` is for a reference
    player that plays by chance. `score` is set when it is over: what the game says if it was finished, and who did not
    lose by a fault if it was forfeited. The times and nodes are what each side's program used,
    `x_first` and `o_first` the microseconds of its first move.
    """

    __tablename__ = "competition_game"

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competition.id", ondelete="CASCADE"))
    round: Mapped[int]
    x_entry_id: Mapped[int] = mapped_column(ForeignKey("competition_entry.id", ondelete="CASCADE"), index=True)
    o_entry_id: Mapped[int | None] = mapped_column(
        ForeignKey("competition_entry.id", ondelete="CASCADE"), index=True
    )
    opening: Mapped[str] = mapped_column(String(80), default="", server_default="")
    seed: Mapped[int | None]
    state: Mapped[PairingState] = mapped_column(Word(PairingState, 10), default=PairingState.WAITING)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id", ondelete="SET NULL"), unique=True)
    score: Mapped[Score | None] = mapped_column(Word(Score, 10))
    fault: Mapped[Fault | None] = mapped_column(Word(Fault, 10))
    fault_words: Mapped[str] = mapped_column(String(300), default="", server_default="")
    x_microseconds: Mapped[int | None] = mapped_column(BigInteger)
    o_microseconds: Mapped[int | None] = mapped_column(BigInteger)
    x_first: Mapped[int | None] = mapped_column(BigInteger)
    o_first: Mapped[int | None] = mapped_column(BigInteger)
    x_nodes: Mapped[int | None] = mapped_column(BigInteger)
    o_nodes: Mapped[int | None] = mapped_column(BigInteger)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__ = (
        Index("ix_competition_game_round", "competition_id", "round", "id"),
        # Those that are still to be played, however many were.
        Index(
            "ix_competition_game_left",
            "competition_id",
            "state",
            "id",
            sqlite_where=text("score IS NULL"),
            postgresql_where=text("score IS NULL"),
        ),
        # The next game of two agents that are here.
        Index(
            "ix_competition_game_of_two",
            "x_entry_id",
            "o_entry_id",
            "state",
            sqlite_where=text("score IS NULL"),
            postgresql_where=text("score IS NULL"),
        ),
    )
