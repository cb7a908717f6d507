"""Whose games a guest who logs in may take along. It stands in the session: no form can name another guest."""

import json
from datetime import datetime, timedelta
from typing import Any

from flask import session
from flask_login import current_user
from sqlalchemy import bindparam, select

from webapp.accounts.models import UserSession
from webapp.accounts.session_interface import this_session
from webapp.accounts.tokens import hash_of
from webapp.clock import now
from webapp.database import reading
from webapp.prepared import Prepared

KEY = "guest_offer"
STANDS_FOR = timedelta(days=1)


_DATA = Prepared(select(UserSession.data).where(UserSession.user_id == bindparam("user_id")))


def offer_to(user_id: int) -> dict[str, Any]:
    """What goes into the session that begins now: this browser's guest, or the offer that it has already."""
    if current_user.is_guest:
        until = (now() + STANDS_FOR).isoformat()
        return {KEY: {"guest_id": current_user.id, "until": until, "made_in": hash_of(this_session().token)}}
    offer = session.get(KEY) or _offer_made_a_moment_ago(user_id)
    return {KEY: offer} if offer else {}


def _offer_made_a_moment_ago(user_id: int) -> Any:
    """Log in pressed twice: the second time the guest's session has ended, and the first time's holds the offer."""
    with reading() as connection:
        offers = [json.loads(row.data).get(KEY) for row in _DATA.rows(connection, user_id=user_id)]
    this = hash_of(this_session().token)
    return next((offer for offer in offers if offer and offer["made_in"] == this), None)


def has_offer() -> bool:
    return KEY in session


def offered_guest() -> int | None:
    """None where there is no offer, or no longer."""
    offer: dict[str, Any] = session.get(KEY, {})
    return offer["guest_id"] if offer and now() < datetime.fromisoformat(offer["until"]) else None


def end_offer() -> None:
    session.pop(KEY, None)
