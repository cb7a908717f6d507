"""A page on 127.0.0.1 on which a person plays against their own file. Standard library only.

It answers nobody else: only that address, only under a token that nobody can guess, and only by that name, so that no
site on the internet can reach it through the person's browser (DNS rebinding, requests from other pages)."""
# ruff: noqa: T201  (it speaks to the terminal)

import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from webapp.labs.checker.labs import LABS
from webapp.labs.desk.look import look
from webapp.labs.loading.student import Student
from webapp.labs.playing import answered, load, stopped
from webapp.tictactoe import Mark, Position, Refused

HOST = "127.0.0.1"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
HEADERS = {
    "Content-Security-Policy": POLICY + "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
LONGEST_REQUEST = 1000
KINDS = {".css": "text/css", ".js": "text/javascript", "": "text/html"}


class Table:
    """The student's file on the table, and what is said about it in the terminal."""

    def __init__(self, lab: str, file: Path) -> None:
        self.lab, self.file, self.student = lab, file, Student(file)
        self.lock = threading.Lock()  # two tabs take turns
        self.is_stopped = False

    def play(self, wanted: dict[str, Any]) -> dict[str, Any]:
        position, human = Position.parse(wanted["board"]), Mark(wanted["mark"])
        with self.lock:
            self.is_stopped = False
            if wanted["new"]:
                print(f"A new game. You are {human}, {self.file.name} is {human.other}.", flush=True)
                if trouble := load(self.lab, self.student):
                    return self.told(stopped(position, trouble, self.file.name))
            return self.told(answered(self.lab, self.student, position, human, self.file.name, time.perf_counter))

    def told(self, game: dict[str, Any]) -> dict[str, Any]:
        if self.is_stopped:
            game |= {"sentence": "You stopped it.", "trace": ""}
        is_end = game["next"] is None
        said = [f"{game['headline']}."] * is_end + [game.get("trace", ""), game["sentence"]]
        if any(said):
            print(*filter(None, said), sep="\n", flush=True)
        return game

    def stop(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """End the process that thinks: whoever waits for its answer is then told so."""
        self.is_stopped = True
        self.student.close()
        return {}


class Desk(ThreadingHTTPServer):
    """The server. `address` is what the person opens."""

    daemon_threads = True

    def __init__(self, lab: str, file: Path) -> None:
        super().__init__((HOST, 0), Handler)
        self.table, self.token = Table(lab, file), secrets.token_urlsafe(24)
        self.name = f"{HOST}:{self.server_address[1]}"
        self.address = f"http://{self.name}/{self.token}/"
        self.given = look(file.name, LABS[lab].title)
        self.done: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "play": self.table.play, "stop": self.table.stop,
        }  # fmt: skip

    def server_close(self) -> None:
        self.table.student.close()
        super().server_close()


class Handler(BaseHTTPRequestHandler):
    """Each request: is it ours, and then what it asks for."""

    server: Desk
    timeout = 30  # seconds for a request that comes slowly

    def do_GET(self) -> None:
        name = self.wanted()
        if name in self.server.given:
            self.answer(200, self.server.given[name], KINDS[Path(name or "").suffix])
        elif name is not None:
            self.answer(404)

    def do_POST(self) -> None:
        name = self.wanted()
        if name not in self.server.done:
            return self.answer(404) if name is not None else None
        try:
            result = self.server.done[name](self.body())
        except (ValueError, KeyError, TypeError, Refused):  # not from our page
            return self.answer(400)
        return self.answer(200, json.dumps(result), "application/json")

    def wanted(self) -> str | None:
        """What is asked for under the token; None, and an empty refusal sent, if it is not from our own page."""
        token, slash, name = self.path.removeprefix("/").partition("/")
        origins = {f"http://{self.server.name}", None if self.command == "GET" else ""}
        is_ours = (
            self.headers["Host"] == self.server.name
            and self.headers["Origin"] in origins
            and secrets.compare_digest((token + slash).encode(), f"{self.server.token}/".encode())
        )
        if not is_ours:
            self.answer(404)
        return name if is_ours else None

    def body(self) -> dict[str, Any]:
        length = int(self.headers["Content-Length"] or 0)
        if length > LONGEST_REQUEST or self.headers["Content-Type"] != "application/json":
            raise ValueError
        sent = json.loads(self.rfile.read(length))
        if not isinstance(sent, dict):
            raise TypeError
        return sent

    def answer(self, status: int, text: str = "", kind: str = "text/plain") -> None:
        content = text.encode()
        self.send_response_only(status)
        for name, value in (HEADERS | {"Content-Type": f"{kind}; charset=utf-8"}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def send_error(self, code: int, *_: object) -> None:
        """What is no request of ours gets no page, either."""
        self.answer(code)

    def log_message(self, *_: object) -> None:
        """The terminal is for the game."""
