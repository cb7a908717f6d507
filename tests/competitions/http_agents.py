"""Agents as threads that speak HTTP to a real server, and go on when it is killed and started again."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from tests.competitions.agent_contests import Choose, any_cell
from tests.live_server import LiveBrowser

PATIENCE = 30
WAIT = 20  # seconds: a job that wakes nobody is missed
DOWN = (502, 503)  # the server behind a proxy; the database


class HttpAgent(threading.Thread):
    """Plays until it is stopped. What no answer came to is sent again."""

    def __init__(self, browser: LiveBrowser, token: str, choose: Choose = any_cell) -> None:
        super().__init__(daemon=True)
        self.browser, self.choose = browser, choose
        browser.headers |= {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.connection: http.client.HTTPConnection | None = None
        self.stopped = threading.Event()
        self.failures: list[str] = []
        self.moves = 0

    def run(self) -> None:
        answer: dict[str, Any] | None = None
        while not self.stopped.is_set():
            told = self.next(answer)
            if told is None:  # the server is down
                self.stopped.wait(0.1)
                continue
            self.moves += told["accepted"] is True
            job = told["job"]
            answer = job and {"game": job["game"], "ply": job["ply"], "cell": self.choose(job), "nodes": 1}

    def next(self, answer: dict[str, Any] | None) -> dict[str, Any] | None:
        body = json.dumps({"wait": WAIT, **({"answer": answer} if answer else {})})
        try:
            self.connection = connection = self.connection or self.browser.connect()
            connection.request("POST", self.browser.path_of("/api/v1/agent/next"), body, self.browser.own_headers())
            given = connection.getresponse()
            content = given.read()
        except (OSError, http.client.HTTPException):
            self.hang_up()
            return None
        if given.status in DOWN:
            return None
        if given.status != 200:
            self.failures.append(f"{given.status} {content.decode()}")
            return {"accepted": None, "job": None}
        told: dict[str, Any] = json.loads(content)
        return told

    def hang_up(self) -> None:
        if self.connection:
            self.connection.close()
        self.connection = None

    def stop(self) -> None:
        """In the middle of its wait."""
        self.stopped.set()
        connection = self.connection
        if connection and connection.sock:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)
        self.join(PATIENCE)
        self.hang_up()


@contextmanager
def playing(agents: Sequence[HttpAgent]) -> Iterator[None]:
    for agent in agents:
        agent.start()
    try:
        yield
    finally:
        for agent in agents:
            agent.stop()
    assert [failure for agent in agents for failure in agent.failures] == []
