"""What a feature holds about a person, and what accounts hold: it is exported and deleted with the account.

A feature that keeps rows about people hands its `Holding` to create_app; privacy asks them all and knows none.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from flask import current_app
from sqlalchemy import ColumnElement, Connection, select

from webapp.accounts.models import KnownBrowser, Presence, User, UserSession

HOLDINGS = "noughts_holdings"
Exported = dict[str, Any]


@dataclass(frozen=True)
class Holding:
    """Of these only what the feature has is given.

    `export` is a short part of one's data; `batches` are long lists under their names, read bit by bit. When an
    account is deleted, `check` raises what speaks against it, before anybody is left. Then `leave` runs in the unit
    that marks it, again and again until it says that nobody waits for the person any more; the rows of `tables` go in
    the same unit, by their user_id. `sweep` deletes what may be very much, afterwards and in small units. `remains`
    are conditions on User that tell that a deletion was cut off.
    `deleted_with` are the ids of further users who are deleted with this one, as if each had asked for it.
    `hand_over` gives what a guest has to an account, before the guest is deleted in the same unit; `of_guest` says in
    words what that is, such as "3 answers". `close` ends what would open these accounts without a password, in the unit
    that closes them: nobody uses them any more, and what they did stays. `opens` are tables whose rows open an account
    besides its password: they go when it is given a one-time one, by their user_id.
    """

    export: Callable[[Connection, int], Exported] = lambda connection, user_id: {}
    batches: Mapping[str, Callable[[int], Iterator[list[Exported]]]] = field(default_factory=dict)
    check: Callable[[Connection, int], None] = lambda connection, user_id: None
    leave: Callable[[Connection, int], bool] = lambda connection, user_id: True
    tables: Sequence[Any] = ()
    sweep: Callable[[Collection[int]], None] = lambda user_ids: None
    remains: Sequence[ColumnElement[bool]] = ()
    deleted_with: Callable[[Connection, int], Collection[int]] = lambda connection, user_id: ()
    of_guest: Callable[[Connection, int], str] = lambda connection, guest_id: ""
    hand_over: Callable[[Connection, int, int], None] = lambda connection, guest_id, user_id: None
    close: Callable[[Connection, Collection[int]], None] = lambda connection, user_ids: None
    opens: Sequence[Any] = ()


def holdings() -> list[Holding]:
    found: list[Holding] = current_app.extensions[HOLDINGS]
    return found


def text_of(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _export(connection: Connection, user_id: int) -> Exported:
    user = connection.execute(select(User.name, User.created_at, User.last_seen_at).where(User.id == user_id)).one()
    return {
        "name": user.name,
        "created_at": text_of(user.created_at),
        "last_seen_at": text_of(user.last_seen_at),
        "sessions": _sessions(connection, user_id),
        "known_browsers": _known_browsers(connection, user_id),
    }


def _sessions(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    columns = (UserSession.user_agent, UserSession.created_at, UserSession.last_seen_at)
    rows = connection.execute(select(*columns).where(UserSession.user_id == user_id))
    return [
        {"browser": browser, "created_at": text_of(created_at), "last_seen_at": text_of(seen_at)}
        for browser, created_at, seen_at in rows
    ]


def _known_browsers(connection: Connection, user_id: int) -> list[dict[str, Any]]:
    used = connection.scalars(select(KnownBrowser.last_used_at).where(KnownBrowser.user_id == user_id))
    return [{"last_used_at": text_of(moment)} for moment in used]


HOLDING = Holding(export=_export, tables=(UserSession, KnownBrowser, Presence))
