"""The tables of people and of the browsers they are logged in with."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, false, text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime
from webapp.extensions import Model


class User(Model):
    """An account; a guest (no name, no password); an agent; or what is left of a deleted account.

    `name_key` is the name in lower case. It stays when an account is deleted, so that nobody can take the
    name and be mistaken for the one who had it. An instructor may make classrooms. `may_change_name`: the name was
    chosen by the site, for a roster, and may be changed once.

    An agent is a program that plays: it has a name and no password, and belongs to the account `owner_id`. That has no
    foreign key here, because the table of agents has it.
    """

    __tablename__ = "user"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str | None] = mapped_column(String(20))
    name_key: Mapped[str | None] = mapped_column(String(20), unique=True)
    password_hash: Mapped[str | None] = mapped_column(String(200))
    must_change_password: Mapped[bool] = mapped_column(default=False)
    is_instructor: Mapped[bool] = mapped_column(default=False, server_default=false())
    may_change_name: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    last_seen_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    owner_id: Mapped[int | None]

    __table_args__ = (
        # Guests are few among users and looked for by age when they are purged.
        Index(
            "ix_user_guest_last_seen_at",
            "last_seen_at",
            sqlite_where=text("name_key IS NULL"),
            postgresql_where=text("name_key IS NULL"),
        ),
        Index(
            "ix_user_owner_id",
            "owner_id",
            sqlite_where=text("owner_id IS NOT NULL"),
            postgresql_where=text("owner_id IS NOT NULL"),
        ),
        {"sqlite_autoincrement": True},  # an id is never given twice, not even after a purge
    )


BROWSERS_KEPT = 50  # of one person, logged in or known; they are listed on one page, and exported in one piece


class UserSession(Model):
    """A browser that somebody uses. Only the SHA-256 of its cookie is kept, so a stolen copy opens nothing."""

    __tablename__ = "session"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    data: Mapped[str] = mapped_column(default="{}")
    user_agent: Mapped[str] = mapped_column(String(300), default="")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    last_seen_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now, index=True)

    # An open stream knows its session by the id: were it given again, the stream would outlive a new password.
    __table_args__ = ({"sqlite_autoincrement": True},)


class Presence(Model):
    """When somebody was last seen, by an open page that listens (`by_stream`) or by a page that they asked for."""

    __tablename__ = "presence"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    by_stream: Mapped[bool] = mapped_column(default=False)


class KnownBrowser(Model):
    """A browser in which an account was once opened: it may still log in while others guess the password."""

    __tablename__ = "known_browser"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    last_used_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now, index=True)
