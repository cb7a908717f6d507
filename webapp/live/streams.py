"""The open streams of this process: who listens to what, and how many may. Knows no database."""

import json
import threading
import time
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from webapp.serving.channel import Channel

SHARE_OF_VISITORS = 4  # one stream in four at most goes to people without an account


def event(name: str, **data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


HEARTBEAT = event("beat")


@dataclass(eq=False)
class Stream:
    """One page that listens: to a game, to the lobby, to a classroom, to a competition, or to none of them.

    What was sent is what its page knows already.

    Everybody with an account is told what waits for them, besides the game or classroom on the page (`public_id`).
    """

    game_id: int | None
    channel: Channel
    holder: Hashable  # the person, or a visitor's browser
    user_id: int | None = None
    session_id: int | None = None
    is_account: bool = False
    public_id: str | None = None
    is_lobby: bool = False
    classroom_id: int | None = None
    competition_id: int | None = None
    is_private: bool = False  # the game: not everybody may see it
    sent_version: Any = None
    sent_slow_state: Any = None
    sent_waiting: Any = None
    sent_at: float = field(default_factory=time.monotonic)
    is_noted: bool = False  # as present

    def send(self, text: str) -> None:
        self.sent_at = time.monotonic()
        self.channel.send(text)

    @property
    def can_give_way(self) -> bool:
        """A page that shows nothing live but that can ask now and then as well."""
        kinds = (self.game_id, self.classroom_id, self.competition_id)
        return not self.is_lobby and all(kind is None for kind in kinds)


class Streams:
    """At most `most` in all and `most_each` for one person."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most, self.most_each = most, most_each
        self._open: set[Stream] = set()
        self._held: Counter[Hashable] = Counter()
        self._visitors = 0
        self._lock = threading.Lock()

    def listening(self) -> list[Stream]:
        with self._lock:
            return [stream for stream in self._open if not stream.channel.is_closed]

    def add(self, stream: Stream) -> bool:
        """False if there is no room, not even without closed connections and another page of the same person."""
        with self._lock:
            if not self._has_room(stream):
                self._remove([one for one in self._open if one.channel.is_closed])
            if not self._has_room(stream) and not stream.can_give_way:
                self._remove([one for one in self._open if one.can_give_way and one.holder == stream.holder][:1])
            if has_room := self._has_room(stream):
                self._open.add(stream)
                self._count(stream, 1)
            return has_room

    def _has_room(self, stream: Stream) -> bool:
        is_crowded = self._visitors >= max(1, self.most // SHARE_OF_VISITORS)
        if len(self._open) >= self.most or (not stream.is_account and is_crowded):
            return False
        return self._held[stream.holder] < self.most_each

    def _count(self, stream: Stream, one: int) -> None:
        self._visitors += 0 if stream.is_account else one
        self._held[stream.holder] += one
        if not self._held[stream.holder]:
            del self._held[stream.holder]

    def end(self, streams: list[Stream]) -> None:
        with self._lock:
            self._remove(streams)

    def drop_closed(self) -> None:
        with self._lock:
            self._remove([stream for stream in self._open if stream.channel.is_closed])

    def _remove(self, streams: list[Stream]) -> None:
        for stream in streams:
            if stream in self._open:
                self._open.discard(stream)
                self._count(stream, -1)
            stream.channel.close()
