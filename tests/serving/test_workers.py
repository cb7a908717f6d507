"""Workers of the real server: replaced if they crash, exchanged for a new version, and gone with their supervisor."""

import fcntl
import http.client
import os
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from webapp.config import ROOT
from webapp.serving.worker import compile_templates

pytestmark = pytest.mark.slow  # each starts several programs

APP = """
import os, time
from flask import Flask, request
app = Flask("small")

@app.get("/")
def home():
    time.sleep(float(request.args.get("wait", 0)))
    return f"{VERSION} {os.getpid()}"
"""


def _sit_at(terminal: int) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may have been started with nohup
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


class SmallSite:
    """A site of one page, which tells its version and its process."""

    def __init__(self, folder: Path, terminal: int | None = None) -> None:
        self.folder, self.log = folder, folder / "log"
        self.write("VERSION = 1" + APP)
        with socket.create_server(("127.0.0.1", 0)) as listener, self.log.open("wb") as log:
            self.port: int = listener.getsockname()[1]
            words = ["--app", "small_site:app", "--fd", str(listener.fileno())]
            self.process = subprocess.Popen(
                [sys.executable, "-m", "webapp.serving", *words], cwd=folder, stderr=log,
                env={**os.environ, "PYTHONPATH": str(ROOT), "NOUGHTS_WORKERS": "2"},
                pass_fds=[listener.fileno()], start_new_session=True,
                preexec_fn=None if terminal is None else lambda: _sit_at(terminal),
            )  # fmt: skip
        self.ask()

    def write(self, program: str) -> None:
        (self.folder / "small_site.py").write_text(program)

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(self, path: str = "/") -> tuple[str, int]:
        """The version and the process that answered."""
        with closing(self.connect()) as connection:
            return ask(connection, path)

    def workers(self) -> set[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        programs = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
        return {child for child, program in programs.items() if b"resource_tracker" not in program}

    def until(self, is_so: Callable[[], bool]) -> None:
        for _ in range(3000):
            if is_so():
                return
            time.sleep(0.01)
        raise AssertionError(self.log.read_text())


def ask(connection: http.client.HTTPConnection, path: str = "/") -> tuple[str, int]:
    connection.request("GET", path)
    version, number = connection.getresponse().read().split()
    return version.decode(), int(number)


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SmallSite]:
    site = SmallSite(tmp_path)
    yield site
    if site.process.poll() is None:
        os.killpg(site.process.pid, signal.SIGKILL)
        site.process.wait()


def test_a_worker_that_crashed_is_replaced(site: SmallSite) -> None:
    _, crashed = site.ask()
    os.kill(crashed, signal.SIGKILL)
    site.until(lambda: crashed not in site.workers() and len(site.workers()) == 2)
    assert {site.ask()[0] for _ in range(10)} == {"1"}
    assert "another takes its place" in site.log.read_text()


class Asking(threading.Thread):
    """Asks again and again, on one connection after another or on one that it keeps; no answer is a failure."""

    def __init__(self, site: SmallSite, keeps: bool) -> None:
        super().__init__()
        self.site, self.keeps, self.is_over = site, keeps, False
        self.heard: list[str] = []
        self.failures: list[Exception] = []

    def run(self) -> None:
        connection = self.site.connect()
        while not self.is_over:
            try:
                self.heard.append(ask(connection)[0])
            except (OSError, http.client.HTTPException) as failure:
                self.failures.append(failure)
            if not self.keeps:
                connection.close()
        connection.close()


def test_a_new_version_comes_in_without_a_refused_or_cut_connection(site: SmallSite) -> None:
    old = site.workers()
    people = [Asking(site, keeps) for keeps in (True, False) * 4]
    for person in people:
        person.start()
    with closing(site.connect()) as slow:
        slow.request("GET", "/?wait=1")  # it is under way when the new version comes in, and answered by the old one
        site.write("VERSION = 2" + APP)
        site.process.send_signal(signal.SIGHUP)
        assert slow.getresponse().read().startswith(b"1 ")
    site.until(lambda: all("2" in person.heard[-20:] for person in people))
    for person in people:
        person.is_over = True
        person.join()
    assert [person.failures for person in people] == [[]] * 8
    assert all(person.heard == sorted(person.heard) for person in people if person.keeps)
    site.until(lambda: not old & site.workers())
    assert len(site.workers()) == 2


def test_a_new_version_that_does_not_start_changes_nothing(site: SmallSite) -> None:
    old = site.workers()
    site.write("VERSION =")
    site.process.send_signal(signal.SIGHUP)
    site.until(lambda: "the old one goes on" in site.log.read_text())
    assert (site.ask()[0], site.workers()) == ("1", old)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_whatever_is_under_way(site: SmallSite, number: int) -> None:
    """A terminal sends Ctrl-C to every process, and so does a service manager with SIGTERM."""
    workers = site.workers()
    with closing(site.connect()) as idle, closing(site.connect()) as waiting, closing(site.connect()) as half:
        ask(idle)
        waiting.request("GET", "/?wait=3600")
        half.putrequest("POST", "/")
        half.connect()
        os.killpg(site.process.pid, number)
        assert site.process.wait(30) == 0
    assert not any(is_running(worker) for worker in workers)
    assert site.log.read_text() == ""


def test_it_stops_when_its_terminal_is_closed(tmp_path: Path) -> None:
    """The same signal asks for a new version where there is a terminal still, or never was one."""
    ours, terminal = os.openpty()
    site = SmallSite(tmp_path, terminal)
    os.close(terminal)
    os.close(ours)
    assert site.process.wait(30) == 0


def test_workers_end_when_their_supervisor_is_killed(site: SmallSite) -> None:
    workers = site.workers()
    site.process.kill()
    site.process.wait()
    site.until(lambda: not any(is_running(worker) for worker in workers))


def test_an_app_that_does_not_load_ends_the_server_with_its_reason(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "webapp.serving", "--port", "0", "--app", "no_such_site:app"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "no_such_site" in done.stderr


def test_templates_are_compiled_before_a_worker_serves(app: Flask) -> None:
    """Else the first to come to each worker would wait for it, and with them everybody who plays there."""
    compile_templates(app)
    assert len(app.jinja_env.cache) == len(app.jinja_env.list_templates())
