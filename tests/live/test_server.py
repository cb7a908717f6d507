"""The real server with two workers: whichever a page listens to, it is told; and its place is free when it goes."""

import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live_server import HeldStream, LiveBrowser, LiveServer, live_server

STREAMS = 6  # for each worker


@pytest.fixture
def server(empty_database: Path, tmp_path: Path) -> Iterator[LiveServer]:
    shutil.copy(empty_database, tmp_path / "noughts.db")
    with live_server(tmp_path, NOUGHTS_STREAMS=str(STREAMS), NOUGHTS_STREAMS_PER_USER="100") as server:
        yield server


def begin(server: LiveServer) -> tuple[LiveBrowser, LiveBrowser, str]:
    ann, bob = LiveBrowser(server), LiveBrowser(server)
    ann.sign_up("ann")
    bob.sign_up("bob")
    address = ann.send("/games", opponent="bob", mark="X").location
    bob.send(f"{address}/join")
    return ann, bob, address


Fill = Callable[[LiveBrowser, str], list[HeldStream]]


@pytest.fixture
def fill() -> Iterator[Fill]:
    """Opens streams until neither worker has one left."""
    opened: list[HeldStream] = []

    def fill(browser: LiveBrowser, query: str) -> list[HeldStream]:
        held: list[HeldStream] = []
        while len(held) < 2 * STREAMS:
            opened.append(HeldStream(browser, query))
            assert opened[-1].status in (200, 204)
            held += opened[-1:] if opened[-1].status == 200 else []
        return held

    yield fill
    for line in opened:
        line.close()


def test_a_move_is_told_to_the_pages_of_both_workers(
    server: LiveServer, fill: Fill
) -> None:
    ann, bob, address = begin(server)
    held = fill(bob, f"game={address.rsplit('/')[-1]}")
    assert {bob.get("/events?lobby").status for _ in range(6)} == {204}
    assert {line.next_event() for line in held} == {"event: hello"}
    assert ann.send(f"{address}/moves", cell=4, ply=0).status == 303  # and one of the workers did not see it made
    assert {line.next_event() for line in held} == {"event: changed"}
    assert bob.get(address).status == 200


def test_who_hangs_up_makes_room_at_once(server: LiveServer, fill: Fill) -> None:
    _, bob, address = begin(server)
    for line in fill(bob, f"game={address.rsplit('/')[-1]}"):
        line.close()
    fill(bob, "lobby")


@pytest.mark.parametrize(("protocol", "end"), [("HTTP/1.1", b"0\r\n\r\n"), ("HTTP/1.0", b"}\n\n")])
def test_a_server_that_is_told_to_stop_ends_its_streams(server: LiveServer, protocol: str, end: bytes) -> None:
    """With the last chunk, where the browser knows chunks: it would take a stream that is cut off for a fault."""
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall(f"GET /events?lobby {protocol}\r\nHost: 127.0.0.1\r\n\r\n".encode())
        heard = b""
        while b"event: hello" not in heard:
            heard += connection.recv(4096)
        server.end(signal.SIGTERM)
        while part := connection.recv(4096):
            heard += part
    assert heard.endswith(end)
