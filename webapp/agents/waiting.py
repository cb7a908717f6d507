"""The requests of this process that wait for a job. They hold neither a thread nor a connection: the watcher of live
pages looks for what concerns them too, in one statement for all.
"""

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass

from webapp.accounts import presence
from webapp.agents.queries import ready_agents
from webapp.serving.deferral import Deferral

WAITERS = "noughts_waiters"  # in an app's extensions


@dataclass(eq=False)
class Waiter:
    """One request. While `number` is the one in the agent's row, no newer copy has asked."""

    user_id: int
    number: int
    accepted: bool | None
    ends_at: float  # by the monotonic clock
    deferral: Deferral | None = None
    is_noted: bool = False  # as present

    @property
    def is_waiting(self) -> bool:
        return self.deferral is not None and not self.deferral.is_closed

    def wake(self) -> None:
        if self.deferral:
            self.deferral.wake()


class Waiters:
    """At most one for each agent. `on_add` is set by who looks for changes."""

    def __init__(self) -> None:
        self.on_add: Callable[[], None] = lambda: None
        self._of: dict[int, Waiter] = {}
        self._lock = threading.Lock()

    def waiting(self) -> list[Waiter]:
        with self._lock:
            return [waiter for waiter in self._of.values() if waiter.is_waiting]

    def add(self, waiter: Waiter) -> None:
        """Of two the newer stays, even if the older one was asked again meanwhile and begins to wait once more."""
        with self._lock:
            other = self._of.get(waiter.user_id, waiter)
            is_newest = other.number <= waiter.number or not other.is_waiting
            if is_newest:
                self._of[waiter.user_id] = waiter
        if other is not waiter:
            (other if is_newest else waiter).wake()
        self.on_add()

    def wake(self, user_id: int) -> None:
        """A newer request of the same agent has come: the older one is asked again, and so ends."""
        with self._lock:
            older = self._of.get(user_id)
        if older is not None:
            older.wake()

    def drop_closed(self) -> None:
        with self._lock:
            self._of = {user_id: waiter for user_id, waiter in self._of.items() if waiter.is_waiting}

    # Called by the watcher, within an app's context

    def wake_ready(self) -> None:
        """Those for whom there is a job, and those who are replaced or revoked: each is then asked again."""
        waiting = {waiter.user_id: waiter for waiter in self.waiting()}
        ready = ready_agents({user_id: waiter.number for user_id, waiter in waiting.items()}) if waiting else set()
        for user_id in ready:
            waiting[user_id].wake()

    def tend(self) -> None:
        """Write down who is here, in one unit."""
        self.drop_closed()
        self.note_presence([one for one in self.waiting() if not one.is_noted])

    def note_presence(self, waiters: Collection[Waiter] | None = None) -> None:
        noted = self.waiting() if waiters is None else waiters
        presence.note({waiter.user_id for waiter in noted}, by_stream=True)
        for waiter in noted:
            waiter.is_noted = True
