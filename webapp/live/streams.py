"""The open streams of this process: who listens to what, and how many may. Knows no database."""

import random
import select
import threading
import time
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from socket import socket
from typing import Any

BEAT = "beat"
CHANGED = "changed"
# Where the system cannot tell that, whatever comes from a page that listens is its end: it sends nothing more.
HUNG_UP = getattr(select, "POLLRDHUP", 0) or getattr(select, "POLLIN", 0)
SHARE_OF_STRANGERS = 4  # one stream in four at most goes to people who are not logged in

News = tuple[str, dict[str, Any]]


@dataclass(eq=False)
class Stream:
    """One page that listens: to a game, or to the lobby (no game). `told` is what its page knows already."""

    game_id: int | None
    holder: Hashable  # the person, or a stranger's browser
    user_id: int | None = None
    session_id: int | None = None
    is_account: bool = False
    line: socket | None = None  # to the browser
    told: Any = None
    told_slowly: Any = None
    _news: SimpleQueue[tuple[News, float] | None] = field(default_factory=SimpleQueue)

    def tell(self, data: dict[str, Any], within: float = 0) -> None:
        """Many pages that listen to the same thing are told one after another, not all in one moment."""
        self._news.put(((CHANGED, data), within))

    def end(self) -> None:
        self._news.put(None)

    def next(self, seconds: float) -> News | None:
        """The next news; a beat if there is none for so long; None at the end."""
        try:
            news = self._news.get(timeout=seconds)
        except Empty:
            return BEAT, {}
        if news is None:
            return None
        if news[1]:
            time.sleep(random.random() * news[1])  # noqa: S311 - it spreads work
        return news[0]

    def has_news(self) -> bool:
        return not self._news.empty()

    def is_gone(self) -> bool:
        """Whether the browser has hung up. Without asking, we would learn it at the second beat from now."""
        if self.line is None:
            return False
        poll = select.poll()
        try:
            poll.register(self.line, HUNG_UP)
            return bool(poll.poll(0))
        except (OSError, ValueError):  # closed
            return True


class Streams:
    """At most `most` in all and `most_each` for one person: the other threads are for those who play."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most, self.most_each = most, most_each
        self.is_ending = False  # a plain flag, because a signal handler sets it, which must not wait for a lock
        self._open: set[Stream] = set()
        self._lock = threading.Lock()

    def all(self) -> list[Stream]:
        with self._lock:
            return list(self._open)

    def add(self, stream: Stream) -> bool:
        """False if there is no room, not even when those who have hung up are taken out."""
        with self._lock:
            if not self._has_room(stream):
                self._take_out([one for one in self._open if one.is_gone()])
            if has_room := self._has_room(stream):
                self._open.add(stream)
            return has_room

    def _has_room(self, stream: Stream) -> bool:
        if self.is_ending or len(self._open) >= self.most:
            return False
        held = Counter(one.holder for one in self._open)
        strangers = sum(one.user_id is None for one in self._open)
        if stream.user_id is None and strangers >= max(1, self.most // SHARE_OF_STRANGERS):
            return False
        return held[stream.holder] < self.most_each

    def remove(self, stream: Stream) -> None:
        with self._lock:
            self._open.discard(stream)

    def take_out_gone(self) -> None:
        gone = [one for one in self.all() if one.is_gone()]
        with self._lock:
            self._take_out(gone)

    def end_all(self) -> None:
        with self._lock:
            self._take_out(list(self._open))

    def _take_out(self, streams: list[Stream]) -> None:
        for stream in streams:
            self._open.discard(stream)
            stream.end()
