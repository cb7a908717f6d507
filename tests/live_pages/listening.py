"""A page that listens, without a browser: the events of a stream, one by one."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tests.conftest import Browser

Event = tuple[str, Any]


class Page:
    """`news()` waits for the next event; a beat among them shows that there was nothing for long."""

    def __init__(self, browser: Browser, query: str) -> None:
        self.answer = browser.get(f"/events?{query}")
        self.status = self.answer.status_code
        self._events = events(part.decode() for part in self.answer.iter_encoded()) if self.status == 200 else iter(())

    def news(self) -> Event | None:
        return next(self._events, None)

    def close(self) -> None:
        self.answer.close()


def listen(browser: Browser, address: str) -> Page:
    """To a game by its address, or to the lobby. The first word has come and gone."""
    page = Page(browser, "lobby" if address == "/lobby" else f"game={address.rsplit('/')[-1]}")
    if page.status == 200:
        first = page.news()
        assert first and first[0] == "hello"
    return page


def events(lines: Iterable[str]) -> Iterator[Event]:
    for part in lines:
        fields = dict(line.split(": ", 1) for line in part.strip().splitlines())
        yield fields["event"], json.loads(fields["data"])
