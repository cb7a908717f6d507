"""The real server with two workers: pages that listen hold no thread, and cost those who play nothing."""

import http.client
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from tests.live import LiveBrowser, LiveServer, live_server

STREAMS, THREADS = 6, 3  # for each worker: streams hold no thread


class HeldLine:
    """A stream over a connection that stays open."""

    def __init__(self, browser: LiveBrowser, query: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", browser.port, timeout=30)
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        self.connection.request("GET", f"/events?{query}", headers={"Cookie": cookies} if cookies else {})
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def lines(self) -> Iterator[str]:
        while line := self.answer.readline():
            yield line.decode().strip()

    def next_event(self) -> str:
        return next(line for line in self.lines() if line.startswith("event: "))

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


@pytest.fixture
def server(empty_database: Path, tmp_path: Path) -> Iterator[LiveServer]:
    shutil.copy(empty_database, tmp_path / "noughts.db")
    settings = {"NOUGHTS_STREAMS": str(STREAMS), "NOUGHTS_STREAMS_PER_USER": "100"}
    server = LiveServer(tmp_path, workers=2, threads=THREADS, **settings)
    server.start()
    yield server
    server.close()


def begin(server: LiveServer) -> tuple[LiveBrowser, LiveBrowser, str]:
    ann, bob = LiveBrowser(server), LiveBrowser(server)
    ann.sign_up("ann")
    bob.sign_up("bob")
    address = ann.send("/games", opponent="bob", mark="X").location
    bob.send(f"{address}/join")
    return ann, bob, address


Fill = Callable[[LiveBrowser, str], list[HeldLine]]


@pytest.fixture
def fill() -> Iterator[Fill]:
    """Opens streams until neither worker has one left."""
    opened: list[HeldLine] = []

    def fill(browser: LiveBrowser, query: str) -> list[HeldLine]:
        held: list[HeldLine] = []
        while len(held) < 2 * STREAMS:
            opened.append(HeldLine(browser, query))
            assert opened[-1].status in (200, 204)
            held += opened[-1:] if opened[-1].status == 200 else []
        return held

    yield fill
    for line in opened:
        line.close()


def test_more_pages_listen_than_there_are_threads_and_moves_are_answered_and_told(
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


def test_a_server_that_is_told_to_stop_ends_its_streams(empty_database: Path, tmp_path: Path) -> None:
    """With the configuration that run.py serves with; a stream that was cut off would lack its last chunk."""
    shutil.copy(empty_database, tmp_path / "noughts.db")
    settings = {"GUNICORN_CMD_ARGS": "--config python:webapp.serving", "NOUGHTS_STREAMS": "8"}
    with live_server(tmp_path, **settings) as server, socket.create_connection(("127.0.0.1", server.port), 30) as line:
        line.sendall(b"GET /events?lobby HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        heard = b""
        while b"event: hello" not in heard:
            heard += line.recv(4096)
        server.end(signal.SIGTERM)
        while part := line.recv(4096):
            heard += part
    assert heard.endswith(b"0\r\n\r\n")


def test_templates_are_compiled_before_the_workers_fork(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the first to come to each worker would wait for it, and with them everybody who plays there."""
    for name in ("NOUGHTS_STREAMS", "NOUGHTS_STREAMS_PER_USER"):
        monkeypatch.setenv(name, "1")  # the module sets them for the server that loads it
    serving = import_module("webapp.serving")
    serving.when_ready(SimpleNamespace(app=SimpleNamespace(wsgi=lambda: app)))
    assert len(app.jinja_env.cache) == len(app.jinja_env.list_templates())
