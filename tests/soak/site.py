"""The site under test: the real server, whose processes, disk and clock can be broken underneath it."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from flask import Flask

from tests.databases import migrate
from tests.live_server import LiveServer, workers_of
from tests.postgres import PostgresServer, running_postgres
from webapp import create_app
from webapp.config import ROOT
from webapp.extensions import db

DISK = "size=1g"
# What was acknowledged outlives a kill or a failing disk only if it was written before; and old rows are cleared away.
AS_ON_A_REAL_SERVER = ["synchronous_commit=on", "fsync=on", "full_page_writes=on", "autovacuum=on"]
# Everybody comes from one address here; one person's limits stay as they are.
ONE_ADDRESS = {f"NOUGHTS_{what}_PER_ADDRESS": "100000" for what in ("GUESSES", "SIGN_UPS", "GUESTS")}


class Site:
    """`folder` is on a small disk of its own, which holds the database of either kind."""

    def __init__(self, folder: Path, server: LiveServer, postgres: PostgresServer | None) -> None:
        self.folder, self.server, self.postgres = folder, server, postgres
        self.filler, self.sync_fails, self.clock = folder / "filler", folder / "sync_fails", folder / "clock"

    @property
    def has_small_disk(self) -> bool:
        return self.folder.is_mount()

    @property
    def is_faulty(self) -> bool:
        """Whether the server's disk can fail and its clock jump."""
        return bool(self.server.environment.get("LD_PRELOAD"))

    @contextmanager
    def app(self) -> Iterator[Flask]:
        """An app in this process on the same database."""
        with app_on(self.server.instance, self.server.environment["DATABASE_URL"]) as app:
            yield app

    def workers(self) -> list[int]:
        """None while the server is down."""
        process = self.server.process
        try:
            return sorted(workers_of(process)) if process else []
        except OSError:
            return []

    def kill_a_worker(self, number: int) -> None:
        if workers := self.workers():
            os.kill(workers[number % len(workers)], signal.SIGKILL)

    def set_clock(self, offset: int) -> None:
        """So many seconds off the real time."""
        self.clock.write_text(f"{offset}\n")


@contextmanager
def app_on(folder: Path, database: str) -> Iterator[Flask]:
    app = create_app({"NOUGHTS_INSTANCE": str(folder), "DATABASE_URL": database})
    yield app
    with app.app_context():
        db.engine.dispose()


@contextmanager
def running_site(kind: str, workers: int = 2) -> Iterator[Site]:
    """Of this kind of database, SQLite or PostgreSQL; all of it is gone afterwards."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="noughts-soak-")))
        _mount(folder, stack)
        faulty = _preloaded(folder)
        postgres = None
        if kind == "PostgreSQL":
            postgres = stack.enter_context(running_postgres(AS_ON_A_REAL_SERVER, folder, faulty))
        url = postgres.url(postgres.create()) if postgres else ""
        instance = folder / "instance"
        with app_on(instance, url) as app:
            migrate(app)
        server = LiveServer(instance, workers, DATABASE_URL=url, **ONE_ADDRESS, **faulty)
        stack.callback(server.close)
        site = Site(folder, server, postgres)
        site.set_clock(0)
        server.start()
        yield site


def _mount(folder: Path, stack: ExitStack) -> None:
    """Where that is allowed; else the disk is not filled up."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", folder], capture_output=True)
    if not mounted.returncode:
        stack.callback(subprocess.run, ["umount", "--lazy", folder], check=True)


def _preloaded(folder: Path) -> dict[str, str]:
    """What lets disk and clock fail underneath the server, where there is a compiler for it."""
    compiler, library = shutil.which("cc"), folder / "faulty.so"
    words = [str(compiler), "-shared", "-fPIC", "-o", str(library), str(ROOT / "tests" / "soak" / "faulty.c"), "-ldl"]
    if not compiler or subprocess.run(words, check=False).returncode:
        return {}
    flags = {"SYNC_FAILS": str(folder / "sync_fails"), "CLOCK_OFFSET": str(folder / "clock")}
    return {"LD_PRELOAD": str(library), **flags}
