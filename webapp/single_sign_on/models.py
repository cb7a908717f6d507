"""The table that tells which account is whose, in the words of the school."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.clock import now
from webapp.database import UtcDateTime
from webapp.extensions import Model


class ExternalIdentity(Model):
    """Who somebody is for an issuer: `subject` never changes there, whatever they are called. No name is kept."""

    __tablename__ = "external_identity"

    issuer: Mapped[str] = mapped_column(String(300), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    joined_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
