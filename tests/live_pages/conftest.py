"""Two people, their game, and an app whose pages may listen."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from tests.conftest import Browser, MakeApp

Pair = tuple[Browser, Browser]


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    app = make_app(NOUGHTS_STREAMS=8, NOUGHTS_STREAMS_PER_USER=3)
    yield app
    watcher = app.extensions["noughts_watcher"]
    app.extensions["noughts_streams"].is_ending = True
    if thread := watcher._thread:
        thread.join(10)


@pytest.fixture
def pair(browser_of: Callable[[], Browser]) -> Pair:
    ann, bob = browser_of(), browser_of()
    ann.sign_up("ann")
    bob.sign_up("bob")
    return ann, bob


@pytest.fixture
def game(pair: Pair) -> str:
    """The address of a game in which Ann has X and Bob O."""
    address = str(pair[0].send("/games", opponent="anyone", mark="X").location)
    assert pair[1].send(f"{address}/join").status_code == 303
    return address
