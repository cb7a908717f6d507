"""An app and the real server on this test's own database, of each kind in turn."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import MakeApp
from tests.live_server import LiveServer, live_server


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """On a database of its own: it is spoilt, migrated and replaced here."""
    return make_app()


@pytest.fixture
def server(database: str, tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, DATABASE_URL=database) as server:
        yield server


@pytest.fixture
def small_disk(tmp_path: Path, empty_database: Path) -> Iterator[Path]:
    """A disk of 16 megabytes with an empty database on it. SQLite's log of writes takes four of them before it goes
    into the database: on a smaller disk it never would.
    """
    folder = tmp_path / "small"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder]
    mounted = subprocess.run(words, capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be made here: {mounted.stderr.strip()}")
    try:
        shutil.copy(empty_database, folder / "noughts.db")
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)  # a killed worker may take a moment to let go
