"""What a response says later, from whichever thread has it. Its waiting is the event loop's: it holds no thread."""

import asyncio
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

OPEN_CHANNEL = "noughts.open_channel"  # in the environ of a request, where the server can hold its response open
MOST_UNSENT = 100


class Channel:
    """`send` and `close` may be called from any thread; `read` is the event loop's.

    The view returns a response with the first words, and whatever is sent to the channel follows them on the wire
    until it is closed: by us, or because the client has gone.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._unsent: deque[str] = deque()
        self._changed = asyncio.Event()
        self.is_closed = False

    def send(self, text: str) -> None:
        """A client that reads nothing is let go: it holds up nobody, and what waits for it does not grow."""
        if not self.is_closed:
            self._unsent.append(text)
            self.is_closed = len(self._unsent) > MOST_UNSENT
            self._wake()

    def close(self) -> None:
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop is closed, and with it every client's connection
            self._loop.call_soon_threadsafe(self._changed.set)

    async def read(self) -> str:
        """What was sent since the last time; empty when the channel is closed and all is read."""
        while not self._unsent and not self.is_closed:
            self._changed.clear()
            await self._changed.wait()
        return "".join(self._unsent.popleft() for _ in range(len(self._unsent)))


def open_channel(environ: Mapping[str, Any]) -> Channel | None:
    """A channel for the response to this request, None under a server that has none to offer."""
    return cast(Channel, environ[OPEN_CHANNEL]()) if OPEN_CHANNEL in environ else None
