"""Which days have a backup that the site made by itself: for all its workers and app servers, the database decides."""

from datetime import date, datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database import UtcDateTime
from webapp.extensions import Model


class DailyBackup(Model):
    """Claimed by one process before it begins; finished when the backup was checked and found good."""

    __tablename__ = "daily_backup"

    day: Mapped[date] = mapped_column(primary_key=True)
    claimed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    file: Mapped[str | None] = mapped_column(String(60))
