"""A page that listens, without a browser or a network: it asks the front of our server, and reads event by event."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import Future
from queue import Queue
from typing import Any

from tests.conftest import Browser
from webapp.serving.front import Front, Message

Event = tuple[str, Any]


class Page:
    """`news()` waits for the next event; a beat among them shows that there was nothing for long.

    How many games wait for somebody comes between all else, so it is asked for by itself: `waiting()`.
    """

    def __init__(
        self, browser: Browser, query: str, front: Front, loop: asyncio.AbstractEventLoop, method: str = "GET"
    ) -> None:
        self._front, self._loop = front, loop
        self._is_reading, self._has_gone = asyncio.Event(), asyncio.Event()
        self._is_reading.set()
        self._requests = [{"type": "http.request", "body": b"", "more_body": False}]
        self._received: Queue[Message] = Queue()
        cookie = browser.get_cookie("noughts")
        headers = [(b"host", b"localhost"), *([(b"cookie", f"noughts={cookie.value}".encode())] if cookie else [])]
        self._answering = self._ask({"method": method, "query_string": query.encode(), "headers": headers})
        head = self._received.get(timeout=30)
        self.status: int = head["status"]
        self.headers = {name.decode(): value.decode() for name, value in head["headers"]}
        self._events = self._read()

    def _ask(self, asked: dict[str, Any]) -> Future[None]:
        known = {"path": "/events", "raw_path": b"/events", "http_version": "1.1", "client": None, "server": None}
        return asyncio.run_coroutine_threadsafe(self._front(known | asked, self._receive, self._send), self._loop)

    async def _receive(self) -> Message:
        if self._requests:
            return self._requests.pop()
        await self._has_gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        await self._is_reading.wait()
        self._received.put(message)

    def _read(self) -> Iterator[Event]:
        is_over = False
        while not is_over:
            message = self._received.get(timeout=30)
            for text in message["body"].decode().split("\n\n")[:-1]:
                yield event(text)
            is_over = not message["more_body"]

    def news(self) -> Event | None:
        return next((one for one in self._events if one[0] != "waiting"), None)

    def waiting(self) -> tuple[str, str | None]:
        """The next count that is told, and the game if there is one only."""
        told = next(data for name, data in self._events if name == "waiting")
        return told["count"], told["game"]

    def asked_by(self) -> str | None:
        """The classroom that the next `waiting` tells of."""
        return next(data["classroom"] for name, data in self._events if name == "waiting")

    def stop_reading(self) -> None:
        self._loop.call_soon_threadsafe(self._is_reading.clear)

    def close(self) -> None:
        """Hang up; comes back when the server has noticed."""
        self._loop.call_soon_threadsafe(self._has_gone.set)
        self._loop.call_soon_threadsafe(self._is_reading.set)
        self._answering.result(30)


def event(text: str) -> Event:
    fields = dict(line.split(": ", 1) for line in text.splitlines())
    return fields["event"], json.loads(fields["data"])
