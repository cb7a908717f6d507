"""An app whose pages may listen, and a game of two people."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from tests.conftest import Browser, Pair
from tests.databases import KeptApp
from tests.live.listening import Page
from webapp.serving.front import Front


@pytest.fixture
def app(database_kind: str, kept_apps: Callable[..., KeptApp]) -> Iterator[Flask]:
    with kept_apps(database_kind, NOUGHTS_STREAMS=8, NOUGHTS_STREAMS_PER_USER=3, NOUGHTS_WORKERS=1).lent() as app:
        yield app
        streams, watcher = app.extensions["noughts_streams"], app.extensions["noughts_watcher"]
        streams.end(streams.listening())
        streams.drop_closed()
        if thread := watcher._thread:
            thread.join(10)
        watcher._queued.clear()


@pytest.fixture
def front(app: Flask) -> Front:
    """With fewer threads than pages that listen."""
    return Front(app, threads=2)


@pytest.fixture
def game(pair: Pair) -> str:
    """The address of a game in which Ann has X and Bob O."""
    address = str(pair[0].send("/games", opponent="anyone", mark="X").location)
    assert pair[1].send(f"{address}/join").status_code == 303
    return address


Listen = Callable[..., Page]


@pytest.fixture
def listen(front: Front, loop: asyncio.AbstractEventLoop) -> Iterator[Listen]:
    """To a game by its address, or to the lobby; the first word has come and gone unless it is wanted."""
    pages: list[Page] = []

    def listen(browser: Browser, address: str, first_word: bool = False, **how: str) -> Page:
        query = f"game={address.rsplit('/')[-1]}" if address.startswith("/games") else address.lstrip("/")
        pages.append(page := Page(browser, query, front, loop, **how))
        if page.status == 200 and not first_word:
            first = page.news()
            assert first and first[0] == "hello"
        return page

    yield listen
    for page in pages:
        page.close()
