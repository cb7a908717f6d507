"""uvicorn's HTTP/1.1 with deadlines: for a head that comes slowly, and for a client that does not read its answer."""

import asyncio
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from webapp.headers import FIXED

NONSENSE = b"That request was not understood.\n"
HEAD_SECONDS = 20  # from its first byte, or from the start of the connection
UNREAD_SECONDS = 30  # a phone out of reach says no goodbye: it only leaves unanswered what it is sent


class BoundedProtocol(H11Protocol):
    _head_deadline: asyncio.TimerHandle | None = None
    _read_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        _set_options(transport.get_extra_info("socket"))
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._await_head()

    def _await_head(self) -> None:
        """Between two requests uvicorn counts the time, until the first byte of the next."""
        if self.conn.their_state is not h11.IDLE:
            self._cancel("_head_deadline")
        elif not self._head_deadline:
            self._head_deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """With the headers of every answer. Where one is under way already there is no place for another."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            own = {"Content-Type": "text/plain", "Content-Length": str(len(NONSENSE)), "Connection": "close"}
            answer = h11.Response(status_code=400, reason="Bad Request", headers=list((FIXED | own).items()))
            for event in (answer, h11.Data(data=NONSENSE), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._read_deadline = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel("_read_deadline")

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._cancel("_head_deadline")
        self._cancel("_read_deadline")

    def _cancel(self, name: str) -> None:
        if timer := getattr(self, name):
            timer.cancel()
            setattr(self, name, None)


def _set_options(connection: socket.socket) -> None:
    # Head and body are sent one after the other: the body must not wait until the head is acknowledged.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNREAD_SECONDS * 1000))
