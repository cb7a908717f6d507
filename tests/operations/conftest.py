"""An instance folder with an empty database, and the real server on it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import LiveServer, live_server


@pytest.fixture
def instance(empty_database: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "instance"
    folder.mkdir()
    shutil.copy(empty_database, folder / "noughts.db")
    return folder


@pytest.fixture
def server(instance: Path) -> Iterator[LiveServer]:
    with live_server(instance) as server:
        yield server
