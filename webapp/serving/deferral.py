"""A response that is not there yet: its view is asked again when somebody wakes it, or when its time is up.

It differs from a channel, whose status is sent at once: here the whole response, its status included, comes later.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

DEFER = "noughts.defer"  # in the environ of a request, where the server can ask its view again
DEFERRED = "noughts.deferred"  # in the environ of one that is asked again: what its view left there
LATER = 202  # the status by which a view says that its response is to be thrown away, and that it waits


class Deferral:
    """`wake` and `close` may be called from any thread; `wait` is the event loop's."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, state: Any) -> None:
        self.state = state
        self.is_closed = False  # answered, or the client has gone: whoever would wake it may forget it
        self._loop, self._ends_at = loop, loop.time() + seconds
        self._is_woken = asyncio.Event()

    def wake(self) -> None:
        with suppress(RuntimeError):  # the loop is closed, and with it every client's connection
            self._loop.call_soon_threadsafe(self._is_woken.set)

    def close(self) -> None:
        self.is_closed = True
        self.wake()

    async def wait(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._ends_at):
                await self._is_woken.wait()


def defer(environ: Mapping[str, Any], seconds: float, state: Any) -> Deferral | None:
    """Wait at most so long, without a thread, and be asked again with this state. The view then returns LATER.

    None under a server that asks nobody again, and at the end of one that does: then the view answers now.
    """
    found: Deferral | None = environ[DEFER](seconds, state) if DEFER in environ else None
    return found


def deferred_state(environ: Mapping[str, Any]) -> Any:
    """What the view left when it asked to be asked again; None if it is asked for the first time."""
    return environ.get(DEFERRED)
