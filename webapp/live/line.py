"""A browser's line that waits for news without a thread: taken from the server's hands once its answer has begun."""

import os
import select
import socket
import threading
from collections.abc import Mapping
from functools import cache
from typing import Any

LAST_CHUNK = b"0\r\n\r\n"
# Where the system cannot tell that, whatever comes from a page that listens is its end: it sends nothing more.
HUNG_UP = getattr(select, "POLLRDHUP", 0) or getattr(select, "POLLIN", 0)
DEAD_AFTER = 30_000  # milliseconds: a phone out of reach says no goodbye, it only leaves what it is sent unanswered


def can_take_over(environ: Mapping[str, Any]) -> bool:
    """Whether the server shows the line, and it is a plain one: gunicorn's, without https or HTTP/2 of its own."""
    is_known = environ.get("SERVER_PROTOCOL") in ("HTTP/1.0", "HTTP/1.1")
    return is_known and type(environ.get("gunicorn.socket")) is socket.socket


class Line:
    """One thread sends, another may close: a lock keeps either from using a number that the system gave away again."""

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._socket = _taken_from(environ["gunicorn.socket"])
        self._is_chunked = environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        self._lock = threading.Lock()

    def send(self, text: str) -> bool:
        """False if it cannot be sent at once: the browser is gone, or has read nothing for very long."""
        body = text.encode()
        return self._send(b"%x\r\n%b\r\n" % (len(body), body) if self._is_chunked else body)

    def _send(self, sent: bytes) -> bool:
        with self._lock:
            try:
                return self._socket.send(sent) == len(sent)
            except OSError:
                return False

    def is_gone(self) -> bool:
        """Whether the browser has hung up. Without asking, we would learn it at the second beat from now."""
        poll = select.poll()
        with self._lock:
            try:
                poll.register(self._socket, HUNG_UP)
            except (OSError, ValueError):  # closed
                return True
            return bool(poll.poll(0))

    def close(self) -> None:
        if self._is_chunked:
            self._send(LAST_CHUNK)
        with self._lock:
            self._socket.close()


def _taken_from(server: socket.socket) -> socket.socket:
    """The server is left with a line to nobody: what it does to end its answer reaches no browser."""
    own = server.dup()
    os.dup2(_line_to_nobody().fileno(), server.fileno(), inheritable=False)
    own.setblocking(False)
    if own.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER)
    return own


@cache
def _line_to_nobody() -> socket.socket:
    one, other = socket.socketpair()
    other.close()
    return one
