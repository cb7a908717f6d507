"""The requests of this process that wait for a job. They hold neither a thread nor a connection: the watcher of live
pages looks for what concerns them too, in one statement for all.
"""

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from webapp.accounts import presence
from webapp.agents.limits import number_waits
from webapp.agents.queries import ready_agents
from webapp.serving.deferral import Deferral

WAITERS = "noughts_waiters"  # in an app's extensions
SHORT = 1.0  # seconds: a wait that ends sooner is not written down


@dataclass(eq=False)
class Waiter:
    """One request. `number` is that of its wait in the agent's row; a wait after an accepted answer gets its own only
    if it lasts (`is_numbered`), because most end at once, and each would cost a write.
    """

    user_id: int
    number: int
    is_numbered: bool
    accepted: bool | None
    ends_at: float  # by the monotonic clock
    deferral: Deferral | None = None
    is_replaced: bool = False  # by a newer one in this process
    is_noted: bool = False  # as present
    began_at: float = field(default_factory=time.monotonic)

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
        self.replace(waiter.user_id, waiter)
        self.on_add()

    def replace(self, user_id: int, waiter: Waiter | None = None) -> None:
        """A newer request of the same agent has come: the older one ends."""
        with self._lock:
            older = self._of.pop(user_id, None)
            if waiter is not None:
                self._of[user_id] = waiter
        if older is not None and older is not waiter:
            older.is_replaced = True
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
        """Write down which waits have lasted, and who is here: in one unit each."""
        self.drop_closed()
        waiting, moment = self.waiting(), time.monotonic()
        self._number([one for one in waiting if not one.is_numbered and moment - one.began_at >= SHORT])
        self.note_presence([one for one in waiting if not one.is_noted])

    def _number(self, waiters: Collection[Waiter]) -> None:
        """Who is not the newest any more is left with the old number, and so ends."""
        numbers = number_waits({waiter.user_id: waiter.number for waiter in waiters})
        for waiter in waiters:
            waiter.number, waiter.is_numbered = numbers[waiter.user_id], True

    def note_presence(self, waiters: Collection[Waiter] | None = None) -> None:
        noted = self.waiting() if waiters is None else waiters
        presence.note({waiter.user_id for waiter in noted}, by_stream=True)
        for waiter in noted:
            waiter.is_noted = True
