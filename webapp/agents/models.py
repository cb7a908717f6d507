"""The table of agents. What an agent is as a player stands in its row of `user`."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, String, false
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime, Word
from webapp.extensions import Model

GAMES_AT_ONCE, MOST_GAMES_AT_ONCE = 5, 20
PLAYS_WITH_LENGTH = 80


class Accepts(StrEnum):
    """Whose challenges an agent accepts; its owner's always."""

    ANYONE = "anyone"
    CLASSMATES = "classmates"
    OWNER = "owner"


class Agent(Model):
    """Of the token only the SHA-256 is kept; there is none after it was revoked, until it is renewed.

    `wait_number` grows with each request for a job and with each change of the token: a copy of the program that waits
    with another number is no longer the newest, or not allowed any more. `for_class`: an instructor made it.
    `token_at`: when a token was last made or revoked.
    """

    __tablename__ = "agent"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    plays_with: Mapped[str] = mapped_column(String(PLAYS_WITH_LENGTH), default="")
    accepts: Mapped[Accepts] = mapped_column(Word(Accepts, 10), default=Accepts.ANYONE)
    games_at_once: Mapped[int] = mapped_column(default=GAMES_AT_ONCE)
    for_class: Mapped[bool] = mapped_column(default=False, server_default=false())
    wait_number: Mapped[int] = mapped_column(default=0)
    token_at: Mapped[datetime | None] = mapped_column(UtcDateTime, default=now)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    last_seen_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
