"""Who has come, as the school tells it, and how a session remembers that until an account is chosen. Knows Flask."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from flask import session

from webapp.accounts.names import BadName, check_name
from webapp.clock import now
from webapp.errors import Refusal

KEY = "school_identity"
STANDS_FOR = timedelta(minutes=30)
LONGEST_ISSUER, LONGEST_SUBJECT = 300, 255


class UnusableIdentity(Refusal):
    status = 403
    title = "Not logged in"

    def __init__(self) -> None:
        super().__init__("Your school's log-in did not say who you are in a way that this site can keep. "
                         "Tell the person who runs this site.")  # fmt: skip


class Identity(NamedTuple):
    issuer: str
    subject: str
    suggested: str = ""  # a user name to begin with


def identity_from(issuer: str, subject: object, wish: object = "") -> Identity:
    """Some characters break PostgreSQL, others a log; nobody's id has them."""
    usable = isinstance(subject, str) and subject.isprintable() and 0 < len(subject) <= LONGEST_SUBJECT
    if not usable or len(issuer) > LONGEST_ISSUER:
        raise UnusableIdentity
    return Identity(issuer, str(subject), suggested_name(str(wish or "")))


def suggested_name(wish: str) -> str:
    """What the school calls somebody, as a user name of ours: without the part behind the @; empty if it is none."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", wish.partition("@")[0])[:20].strip("-_")
    try:
        check_name(name)
    except BadName:
        return ""
    return name


def remember(identity: Identity, wish: str) -> None:
    """`wish` is where they wanted to go. In the session, which is kept on the server: no form can name another."""
    session[KEY] = {**identity._asdict(), "until": (now() + STANDS_FOR).isoformat(), "next": wish}


def remembered() -> Identity | None:
    kept: Mapping[str, Any] = session.get(KEY, {})
    if not kept or now() >= datetime.fromisoformat(kept["until"]):
        return None
    return Identity(kept["issuer"], kept["subject"], kept["suggested"])


def wish_of_remembered() -> str:
    kept: Mapping[str, Any] = session.get(KEY, {})
    return str(kept.get("next", ""))
