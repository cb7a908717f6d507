"""Workers of the real server: replaced if they crash, exchanged for a new version, and gone with their supervisor."""

import asyncio
import fcntl
import http.client
import os
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from flask import Flask

from tests.coroutines import run_coroutine
from tests.live_server import is_running, pools_of, program_of, until, workers_of
from webapp.config import ROOT
from webapp.serving import supervisor, worker_pool
from webapp.serving.child import LOOK_EVERY, STOP
from webapp.serving.worker import LOWER_PRIORITY, SECONDS_TO_END, compile_templates

pytestmark = pytest.mark.slow  # each starts several programs

APP = """
import os, time
from flask import Flask, request
app = Flask("small")

@app.route("/", methods=["GET", "POST"])
def home():
    time.sleep(float(request.args.get("wait", 0)))
    return f"{VERSION} {os.getpid()}"
"""
# Python takes a compiled file for current if second and size are the same, as those of our two may be.
OWN_SETTINGS = {"NOUGHTS_WORKERS": "2", "PYTHONDONTWRITEBYTECODE": "1"}


def _sit_at(terminal: int) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may have been started with nohup
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


class SmallSite:
    """A site of one page, which tells its version and its process."""

    def __init__(self, folder: Path, terminal: int | None = None, more: str = "", everywhere: str = "") -> None:
        """`everywhere` is run in each of its processes, before anything else."""
        self.folder, self.log = folder, folder / "log"
        self.write("VERSION = 1" + APP + more)
        (folder / "sitecustomize.py").write_text(everywhere)
        with socket.create_server(("127.0.0.1", 0)) as listener, self.log.open("wb") as log:
            self.port: int = listener.getsockname()[1]
            words = ["--app", "small_site:app", "--fd", str(listener.fileno())]
            self.process = subprocess.Popen(
                [sys.executable, "-m", "webapp.serving", *words], cwd=folder, stderr=log,
                env={**os.environ, **OWN_SETTINGS, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"},
                pass_fds=[listener.fileno()], start_new_session=True,
                preexec_fn=None if terminal is None else lambda: _sit_at(terminal),
            )  # fmt: skip
        self._wait_for_workers()

    def _wait_for_workers(self) -> None:
        """For both: a site whose worker ends before it was ready does not begin to serve, which is not meant here."""
        answered: set[int] = set()
        while len(answered) < 2:
            answered.add(self.ask()[1])

    def write(self, program: str) -> None:
        (self.folder / "small_site.py").write_text(program)

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(self, path: str = "/") -> tuple[str, int]:
        """The version and the process that answered."""
        with closing(self.connect()) as connection:
            return ask(connection, path)

    def workers(self) -> set[int]:
        return workers_of(self.process)

    def processes(self) -> set[int]:
        """But for the supervisor."""
        return pools_of(self.process) | self.workers()

    def until(self, is_so: Callable[[], bool]) -> None:
        until(is_so, self.log)


def ask(connection: http.client.HTTPConnection, path: str = "/") -> tuple[str, int]:
    connection.request("GET", path)
    version, number = connection.getresponse().read().split()
    return version.decode(), int(number)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SmallSite]:
    yield from running(SmallSite(tmp_path))


def running(site: SmallSite) -> Iterator[SmallSite]:
    yield site
    end(site)


def end(site: SmallSite) -> None:
    if site.process.poll() is None:
        os.killpg(site.process.pid, signal.SIGKILL)
        site.process.wait()


def test_a_worker_that_crashed_is_replaced(site: SmallSite) -> None:
    _, crashed = site.ask()
    os.kill(crashed, signal.SIGKILL)
    site.until(lambda: crashed not in site.workers() and len(site.workers()) == 2)
    assert {site.ask()[0] for _ in range(10)} == {"1"}
    site.until(lambda: "another takes its place" in site.log.read_text())


NO_MEMORY = """
import os
from multiprocessing import util
def unless_full(start):
    def begin(*arguments):
        if os.path.exists("full"):
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return start(*arguments)
    return begin
os.fork, util.spawnv_passfds = unless_full(os.fork), unless_full(util.spawnv_passfds)
"""


@pytest.fixture
def full_site(tmp_path: Path) -> Iterator[SmallSite]:
    """It can start no more processes while there is a file `full`."""
    yield from running(SmallSite(tmp_path, everywhere=NO_MEMORY))


def test_a_machine_without_memory_for_a_worker_gets_it_later(full_site: SmallSite) -> None:
    site, old = full_site, full_site.workers()
    (site.folder / "full").touch()
    for worker in old:
        os.kill(worker, signal.SIGKILL)
    site.until(lambda: "could not be started: [Errno 11]" in site.log.read_text())
    (site.folder / "full").unlink()
    site.until(lambda: len(site.workers() - old) == 2)
    assert site.ask()[0] == "1"


def test_a_machine_without_memory_for_a_new_version_keeps_the_old_one(full_site: SmallSite) -> None:
    site, old = full_site, full_site.workers()
    (site.folder / "full").touch()
    site.process.send_signal(signal.SIGHUP)
    site.until(lambda: "the old one goes on" in site.log.read_text())
    assert (site.ask()[0], site.workers()) == ("1", old)


REQUEST = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: {}\r\n\r\nbody"


class Visitors:
    """Hundreds of connections. Each asks until the new version answers; no answer is a failure, and ends the test."""

    def __init__(self, site: SmallSite) -> None:
        self.site, self.is_draining = site, asyncio.Event()
        self.all_are_there, self.missing = asyncio.Event(), 0

    async def all(self, kept: int, idle: int, single: int) -> list[list[str]]:
        """So many who keep their connection, who send nothing on it until the old workers end, who open another."""
        kinds = [(True, False)] * kept + [(True, True)] * idle + [(False, False)] * single
        self.missing = len(kinds)
        visits = [asyncio.create_task(self.visit(*kind)) for kind in kinds]
        await self.all_are_there.wait()
        self.site.write("VERSION = 2" + APP)
        self.site.process.send_signal(signal.SIGHUP)
        return await asyncio.gather(*visits)

    async def visit(self, keeps: bool, is_idle: bool) -> list[str]:
        heard: list[str] = []
        request = REQUEST.format("keep-alive" if keeps else "close").encode()
        while heard[-1:] != ["2"]:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.site.port)
            is_open = True
            while is_open and heard[-1:] != ["2"]:
                writer.write(request)
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
                length = int(head.lower().partition(b"content-length: ")[2].split()[0])
                heard.append((await reader.readexactly(length)).decode().split()[0])
                is_open = b"connection: close" not in head.lower()
                self.missing -= len(heard) == 1
                if not self.missing:
                    self.all_are_there.set()
                if keeps and not is_open:
                    self.is_draining.set()
                await self.pause(is_idle and is_open)
            writer.close()
        return heard

    async def pause(self, is_idle: bool) -> None:
        """Less long than a connection may be idle, however slow the machine is."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.is_draining.wait() if is_idle else asyncio.sleep(0.1), 5)


def test_a_new_version_comes_in_without_a_refused_or_cut_connection(site: SmallSite) -> None:
    old = site.workers()
    with closing(site.connect()) as slow:
        slow.request("GET", "/?wait=3")  # it is under way when the new version comes in, and answered by the old one
        heard = run_coroutine(Visitors(site).all(kept=60, idle=180, single=60))
        assert slow.getresponse().read().startswith(b"1 ")
    assert len(heard) == 300 and all(versions[0] == "1" and versions[-1] == "2" for versions in heard)
    assert all(len(versions) >= 3 for versions in heard[60:240]), "the idle ones were answered where they were"
    site.until(lambda: not old & site.workers())
    assert len(site.workers()) == 2


PRIORITY = """
import threading
def priority():
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
WHILE_LOADING = priority()

@app.get("/priority")
def told():
    return f"{WHILE_LOADING} {priority()}"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread has no priority of its own")
def test_a_new_version_is_loaded_with_low_priority_and_serves_with_the_usual_one(tmp_path: Path) -> None:
    site, usual = SmallSite(tmp_path, more=PRIORITY), os.getpriority(os.PRIO_PROCESS, 0)
    try:
        assert site.ask("/priority") == (str(usual), usual)
        old = site.workers()
        site.process.send_signal(signal.SIGHUP)
        site.until(lambda: len(site.workers()) == 2 and not old & site.workers())
        assert site.ask("/priority") == (str(min(19, usual + LOWER_PRIORITY)), usual)
    finally:
        end(site)


def test_a_new_version_that_does_not_start_changes_nothing(site: SmallSite) -> None:
    old = site.workers()
    site.write("VERSION =")
    site.process.send_signal(signal.SIGHUP)
    site.until(lambda: "the old one goes on" in site.log.read_text())
    site.until(lambda: len(pools_of(site.process)) == 1)
    assert site.workers() == old and site.ask()[0] == "1"


def test_the_old_version_replaces_its_crashed_workers_if_the_new_one_does_not_start(site: SmallSite) -> None:
    site.write("VERSION =")
    site.process.send_signal(signal.SIGHUP)
    site.until(lambda: "the old one goes on" in site.log.read_text())
    old = site.workers()
    for worker in old:
        os.kill(worker, signal.SIGKILL)
    site.until(lambda: len(site.workers() - old) == 2)
    assert site.ask()[0] == "1"


def test_workers_whose_common_process_is_killed_are_replaced_with_it(site: SmallSite) -> None:
    old, pools = site.workers(), pools_of(site.process)
    os.kill(pools.pop(), signal.SIGKILL)
    site.until(lambda: len(site.workers() - old) == 2)
    site.until(lambda: not any(is_running(worker) for worker in old))
    assert site.ask()[0] == "1"
    assert "others take their place" in site.log.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_whatever_is_under_way(site: SmallSite, number: int) -> None:
    """A terminal sends Ctrl-C to every process, and so does a service manager with SIGTERM."""
    processes = site.processes()
    with closing(site.connect()) as idle, closing(site.connect()) as waiting, closing(site.connect()) as half:
        ask(idle)
        waiting.request("GET", "/?wait=3600")
        half.putrequest("POST", "/")
        half.connect()
        os.killpg(site.process.pid, number)
        assert site.process.wait(30) == 0
    assert len(processes) == 3
    site.until(lambda: not any(is_running(process) for process in processes))
    assert site.log.read_text() == ""


HANGS = "import time; time.sleep(3600)"


def begin_a_reload_that_hangs(site: SmallSite) -> set[int]:
    """What loads the new version, and does not hear that it is to stop."""
    site.write(HANGS)
    site.process.send_signal(signal.SIGHUP)
    site.until(lambda: len(spawned(site)) == 1)
    return spawned(site)


def spawned(site: SmallSite) -> set[int]:
    """Not what is about to become another program, as the tracker that begins with the first of them."""
    return {child for child in pools_of(site.process) if b"spawn_main" in program_of(child)}


def test_who_does_not_stop_is_killed_within_two_seconds(site: SmallSite) -> None:
    """Held by its own deadline, not by a clock of the tests."""
    assert SECONDS_TO_END[STOP] < worker_pool.STOP_SECONDS
    assert LOOK_EVERY + worker_pool.STOP_SECONDS < supervisor.STOP_SECONDS < 2 - 2 * LOOK_EVERY
    processes = begin_a_reload_that_hangs(site) | site.processes()
    site.process.terminate()
    assert site.process.wait(30) == 0
    assert len(processes) == 4
    site.until(lambda: not any(is_running(process) for process in processes))


def test_a_worker_that_hangs_is_killed_when_it_is_to_stop(tmp_path: Path) -> None:
    """By its pool: with one whose own time has not come, it has ended all the same."""
    site = SmallSite(tmp_path, everywhere="import webapp.serving.supervisor as own; own.STOP_SECONDS = 3600")
    try:
        worker = min(site.workers())
        os.kill(worker, signal.SIGSTOP)
        site.process.terminate()
        assert site.process.wait(30) == 0 and not is_running(worker)
    finally:
        end(site)


def test_a_stop_during_a_reload_has_one_deadline_for_all(tmp_path: Path) -> None:
    """With one that is far away, the old workers have ended while the new version hangs still."""
    site = SmallSite(tmp_path, everywhere="import webapp.serving.supervisor as own; own.STOP_SECONDS = 3600")
    try:
        new = begin_a_reload_that_hangs(site)
        site.process.terminate()
        site.until(lambda: site.processes() == new)
    finally:
        end(site)


def test_it_stops_when_its_terminal_is_closed(tmp_path: Path) -> None:
    """The same signal asks for a new version where there is a terminal still, or never was one."""
    ours, terminal = os.openpty()
    site = SmallSite(tmp_path, terminal)
    os.close(terminal)
    os.close(ours)
    assert site.process.wait(30) == 0


def test_all_end_when_their_supervisor_is_killed(site: SmallSite) -> None:
    processes = site.processes()
    site.process.kill()
    site.process.wait()
    site.until(lambda: not any(is_running(process) for process in processes))


def test_an_app_that_does_not_load_ends_the_server_with_its_reason(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "webapp.serving", "--port", "0", "--app", "no_such_site:app"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "no_such_site" in done.stderr


def test_templates_are_compiled_before_a_worker_serves(app: Flask) -> None:
    """Else the first to come to each worker would wait for it, and with them everybody who plays there."""
    compile_templates(app)
    assert len(app.jinja_env.cache) == len(app.jinja_env.list_templates())
