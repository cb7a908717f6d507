"""The real server with its own settings: two workers, and more open files than most systems allow unasked."""

import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live_server import LiveServer, live_server


@pytest.fixture(scope="module")
def server(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("server")
    shutil.copy(empty_database, folder / "noughts.db")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard) if hard > 0 else 8192, hard))  # for our end of them
    with live_server(folder) as server:
        yield server
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
