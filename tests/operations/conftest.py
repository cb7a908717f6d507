"""An app and the real server on this test's own database, of each kind in turn."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import MakeApp
from tests.live import LiveServer, live_server


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """On a database of its own: it is spoilt, migrated and replaced here."""
    return make_app()


@pytest.fixture
def server(database: str, tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, DATABASE_URL=database) as server:
        yield server
