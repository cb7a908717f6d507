"""The real server, as run.py serves, on a port and an instance folder of its own, and a client over HTTP."""

import http.client
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from html import unescape
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.pooler import past_pooler
from tests.shared_templates import share_compiled_templates
from webapp.config import ROOT, database_url, read_settings
from webapp.serving.__main__ import main as serve

PATIENCE = 120  # seconds until a silent server counts as dead; nothing waits this long while all is well
LOADED = ["tests.live_server", "webapp.serving.worker", "webapp.factory"]


class ForkedProgram:
    """`python -m webapp.serving`, forked from a process that has loaded what it is made of: a test run starts it more
    than a hundred times, and to load it takes three quarters of each start. Looks like subprocess.Popen.
    """

    def __init__(self, environment: Mapping[str, str], listener: socket.socket, log: Path) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(LOADED)
        self._process = context.Process(target=_serve, args=(environment, listener, log))
        self._process.start()
        self.pid: int = self._process.pid

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, patience: float | None = None) -> int:
        self._process.join(patience)
        assert self._process.exitcode is not None, "it does not end"
        return self._process.exitcode


def _serve(environment: Mapping[str, str], listener: socket.socket, log: Path) -> None:
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    warnings.simplefilter("default")  # the variable for it is read when Python starts
    with log.open("ab") as file:
        for descriptor in (1, 2):
            os.dup2(file.fileno(), descriptor)
    sys.exit(serve(["--fd", str(listener.detach())]))


def _start_program(environment: Mapping[str, str], listener: socket.socket, log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "webapp.serving", "--fd", str(listener.fileno())],
            cwd=ROOT, env=environment, stdout=file, stderr=file, pass_fds=[listener.fileno()], start_new_session=True,
        )  # fmt: skip


class LiveServer:
    """`start`, `kill` and start again as often as you like: the port stays ours, and those who come while
    the server is down wait in its queue. It is killed with all its workers, as a group of its own.
    """

    forks = False  # in tests it is so where the system can; what is measured is started as a host starts it

    def __init__(self, instance: Path, workers: int = 2, port: int = 0, **environment: str) -> None:
        self.instance, self.log = instance, instance / "server.log"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NOUGHTS_")}
        own = {"NOUGHTS_INSTANCE": str(instance), "DATABASE_URL": "", "PYTHONWARNINGS": "default"}
        own["NOUGHTS_WORKERS"] = str(workers)
        own["NOUGHTS_LISTEN_URL"] = past_pooler(environment.get("DATABASE_URL", ""))
        self.environment = kept | own | environment
        share_compiled_templates(Path(self.environment["NOUGHTS_INSTANCE"]))
        self.database = database_url(read_settings(self.environment))
        self.listener = socket.create_server(("127.0.0.1", port), backlog=256)
        self.port: int = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: ForkedProgram | subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Comes back when the first request has been answered."""
        # What a library is loaded before needs a program of its own; so does what is measured.
        forks = LiveServer.forks and "LD_PRELOAD" not in self.environment
        self.process = (ForkedProgram if forks else _start_program)(self.environment, self.listener, self.log)
        try:
            assert LiveBrowser(self).get("/healthz").status == 200, self.log.read_text()
        except OSError as error:
            raise AssertionError(f"The server does not answer:\n{self.log.read_text()}") from error

    def end(self, number: signal.Signals) -> None:
        """Signal the whole group and wait for its end; SIGKILL is a power cut for the server."""
        if self.process is not None:
            os.killpg(self.process.pid, number)
            self.process.wait(PATIENCE)
            self.process = None

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    @property
    def is_listening(self) -> bool:
        return self.listener.fileno() >= 0

    def close(self) -> None:
        self.kill()
        self.listener.close()


def workers_of(process: Any) -> set[int]:
    """Of all versions that serve: each is a process of its own, whose children they are."""
    return {worker for pool in pools_of(process) for worker in _children_of(pool)}


def pools_of(process: Any) -> set[int]:
    return _children_of(process.pid)


def _children_of(parent: int) -> set[int]:
    try:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    except OSError:  # it has ended
        return set()
    programs = {int(child): program_of(int(child)) for child in children}
    return {child for child, program in programs.items() if program and b"resource_tracker" not in program}


def program_of(number: int) -> bytes:
    """Its command line; nothing if it has ended since it was listed, as one that is told to stop may."""
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return b""


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def until(is_so: Callable[[], bool], log: Path) -> None:
    """Wait for it; what the server wrote tells why it does not happen."""
    for _ in range(12_000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError(log.read_text())


@contextmanager
def live_server(instance: Path, workers: int = 2, **environment: str) -> Iterator[LiveServer]:
    """A server on the database in `instance`; settings go by name: live_server(path, NOUGHTS_GUESTS="off")."""
    server = LiveServer(instance, workers, **environment)
    try:
        server.start()
        yield server
    finally:
        server.close()


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def location(self) -> str:
        return self.headers["Location"] or ""

    @property
    def csrf_token(self) -> str:
        found = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', self.text)
        assert found, f"no form on this page ({self.status})"
        return found[1]

    def value_of(self, name: str) -> str:
        """What the first hidden field of this name holds."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        assert found, f"no field {name} on this page ({self.status})"
        return unescape(found[1])

    @property
    def free_cells(self) -> list[int]:
        return [int(cell) for cell in re.findall(r'name="cell" value="(\d+)"', self.text)]


class LiveBrowser:
    """Keeps cookies and sends back the tokens of forms, as a browser does. One connection for each request."""

    prefix = ""  # under which the site is; where a path begins with it already, as in a redirect, it stays as it is

    def __init__(self, server: LiveServer, patience: float = PATIENCE) -> None:
        self.port, self.patience = server.port, patience
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {}  # that it sends with each request

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)

    @contextmanager
    def connected(self) -> Iterator[http.client.HTTPConnection]:
        with closing(self.connect()) as connection:
            yield connection

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        with self.connected() as connection:
            connection.request(method, self.path_of(path), body, self.own_headers() | (headers or {}))
            answer = connection.getresponse()
            body = answer.read()
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return Answer(answer.status, answer.headers, body)

    def path_of(self, path: str) -> str:
        return path if path.startswith(f"{self.prefix}/") else self.prefix + path

    def own_headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return self.headers | ({"Cookie": cookies} if cookies else {})

    def get(self, path: str) -> Answer:
        return self.request("GET", path)

    def post(self, path: str, fields: dict[str, object]) -> Answer:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.request("POST", path, urlencode(fields).encode(), form)

    def send(self, path: str, page: str = "/", **fields: object) -> Answer:
        """Post the form that `page` holds, with these fields."""
        return self.post(path, {"csrf_token": self.get(page).csrf_token, **fields})

    def sign_up(self, name: str = "player7", password: str = "correct horse") -> Answer:
        return self.send("/sign-up", page="/sign-up", name=name, password=password)

    def start_game(self, **fields: object) -> str:
        """Start a game against the computer; gives its address."""
        answer = self.send("/games", page="/", opponent="computer", **fields)
        assert answer.status == 303, answer.text
        return answer.location


class HeldStream:
    """A stream over a connection that stays open."""

    def __init__(self, browser: LiveBrowser, query: str) -> None:
        self.connection = browser.connect()
        self.connection.request("GET", browser.path_of(f"/events?{query}"), headers=browser.own_headers())
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def lines(self) -> Iterator[str]:
        while line := self.answer.readline():
            yield line.decode().strip()

    def next_event(self) -> str:
        """But for how many games wait for somebody, which comes when it comes."""
        return next(line for line in self.lines() if line.startswith("event: ") and line != "event: waiting")

    def close(self) -> None:
        self.answer.close()
        self.connection.close()
