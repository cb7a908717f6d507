"""An app whose pages may listen, and a game of two people."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.conftest import MakeApp, Pair


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    app = make_app(NOUGHTS_STREAMS=8, NOUGHTS_STREAMS_PER_USER=3)
    yield app
    watcher = app.extensions["noughts_watcher"]
    app.extensions["noughts_streams"].is_ending = True
    if thread := watcher._thread:
        thread.join(10)


@pytest.fixture
def game(pair: Pair) -> str:
    """The address of a game in which Ann has X and Bob O."""
    address = str(pair[0].send("/games", opponent="anyone", mark="X").location)
    assert pair[1].send(f"{address}/join").status_code == 303
    return address
