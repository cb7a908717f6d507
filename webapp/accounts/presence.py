"""Who is here: written at most every quarter of a minute, for pages one by one and for streams all at once."""

import logging
import threading
from collections.abc import Collection
from datetime import datetime, timedelta

from webapp.accounts.models import Presence
from webapp.clock import now
from webapp.database import UNREACHABLE, insert_or_update, writing
from webapp.extensions import db

log = logging.getLogger("noughts.presence")
WRITTEN_EVERY = timedelta(seconds=15)
HERE_FOR = timedelta(seconds=45)

Key = tuple[str | None, int]
_written: dict[Key, datetime] = {}  # by this process; it spares the database a write for every page view
_lock = threading.Lock()


def note_page(user_id: int, by_stream: bool = False) -> None:
    """Somebody asked for a page; or a program asked that comes again and again, as a stream does."""
    with _lock:
        written = _written.get(_key(user_id))
    if written is not None and timedelta() <= now() - written < WRITTEN_EVERY:
        return
    try:
        note(user_ids=[user_id], by_stream=by_stream)
    except UNREACHABLE:  # The page matters more than that it was asked for.
        log.error("Who is here was not written down.")


def _key(user_id: int) -> Key:
    return db.engine.url.database, user_id


def note(user_ids: Collection[int], by_stream: bool) -> None:
    """All of them are here now: one statement."""
    if not user_ids:
        return
    moment = now()
    # In one order everywhere: two processes that lock the same rows crosswise would wait for each other.
    rows = [{"user_id": user_id, "seen_at": moment, "by_stream": by_stream} for user_id in sorted(user_ids)]
    new = insert_or_update(Presence).values(rows)
    seen = {"seen_at": new.excluded.seen_at, "by_stream": new.excluded.by_stream}
    _mark(user_ids, moment)
    try:
        with writing() as connection:
            connection.execute(new.on_conflict_do_update(index_elements=[Presence.user_id], set_=seen))
    except UNREACHABLE:  # they stay marked: else each of their pages would wait for a database that is busy
        raise
    except Exception:
        _unmark(user_ids)
        raise


def _mark(user_ids: Collection[int], moment: datetime) -> None:
    """Before it is written, so that of two pages that are asked for at once only one writes."""
    with _lock:
        if len(_written) > 10_000:
            _written.clear()
        _written.update((_key(user_id), moment) for user_id in user_ids)


def _unmark(user_ids: Collection[int]) -> None:
    with _lock:
        for user_id in user_ids:
            _written.pop(_key(user_id), None)


def is_here(seen_at: datetime | None) -> bool:
    return seen_at is not None and now() - seen_at <= HERE_FOR
