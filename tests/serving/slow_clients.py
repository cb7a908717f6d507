"""Clients that dawdle: connections by the hundred that have sent something and are left open."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from tests.live_server import LiveBrowser, LiveServer

WHOLE = b"GET /healthz HTTP/1.0\r\n\r\n"
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: noughts="
HALF_A_BODY = b"POST /log-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nname="


@contextmanager
def held(server: LiveServer, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    connections = []
    try:
        for _ in range(count):
            connections.append(socket.create_connection(("127.0.0.1", server.port), 60))
            connections[-1].sendall(sent)
        yield connections
    finally:
        for connection in connections:
            connection.close()


def log_in_request(server: LiveServer, name: str) -> bytes:
    """One that may be sent any number of times: nobody has been in this browser yet."""
    LiveBrowser(server).sign_up(name)
    stranger = LiveBrowser(server)
    form = urlencode({"csrf_token": stranger.get("/log-in").csrf_token, "name": name, "password": "correct horse"})
    cookie = "; ".join(f"{name}={value}" for name, value in stranger.cookies.items())
    lines = ["POST /log-in HTTP/1.1", "Host: localhost", "Connection: close", f"Cookie: {cookie}"]
    lines += [f"Content-Length: {len(form)}", "Content-Type: application/x-www-form-urlencoded", "", form]
    return "\r\n".join(lines).encode()
