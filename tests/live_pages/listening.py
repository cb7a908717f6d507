"""A page that listens, without a browser: the events of a stream, one by one, over a line of its own."""

import json
import socket
from collections.abc import Iterator
from typing import Any, BinaryIO

from tests.conftest import Browser

Event = tuple[str, Any]


class Page:
    """`news()` waits for the next event; a beat among them shows that there was nothing for long."""

    def __init__(self, browser: Browser, query: str, protocol: str = "HTTP/1.1") -> None:
        self.servers, self._line = socket.socketpair()
        self._line.settimeout(30)
        known = {"gunicorn.socket": self.servers, "SERVER_PROTOCOL": protocol}
        self.answer = browser.get(f"/events?{query}", environ_overrides=known)
        self.status = self.answer.status_code
        self._is_chunked = protocol == "HTTP/1.1"
        first = list(self.answer.iter_encoded()) if self.status == 200 else []  # the server sends it; then it is out
        self.answer.close()
        self.servers.close()
        self._received = self._line.makefile("rb")
        self._events = self._read(first)

    def _read(self, first: list[bytes]) -> Iterator[Event]:
        for part in first:
            yield event(part.decode())
        while part := chunk(self._received) if self._is_chunked else lines(self._received):
            yield event(part.decode())

    def news(self) -> Event | None:
        return next(self._events, None)

    def close(self) -> None:
        """Hang up."""
        self._received.close()
        self._line.close()


def chunk(received: BinaryIO) -> bytes:
    """The next chunk; the last one is empty. A line that is cut off before it is a fault."""
    size = int(received.readline(), 16)
    part = received.read(size)
    assert received.read(2) == b"\r\n"
    return part


def lines(received: BinaryIO) -> bytes:
    return b"".join(iter(received.readline, b"\n" if received.peek() else b""))


def event(text: str) -> Event:
    fields = dict(line.split(": ", 1) for line in text.strip().splitlines())
    return fields["event"], json.loads(fields["data"])
