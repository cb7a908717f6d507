"""The real server on this test's database, of each kind in turn."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import LiveServer, live_server


@pytest.fixture
def server(database: str, tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, DATABASE_URL=database) as server:
        yield server
