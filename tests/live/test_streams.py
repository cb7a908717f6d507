"""Who may listen and how many, without an app, a thread or a network."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from webapp.live.streams import Stream, Streams, event
from webapp.serving.channel import Channel


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


class Pages:
    """Opens streams, and tells which of them were let in."""

    def __init__(self, streams: Streams, loop: asyncio.AbstractEventLoop) -> None:
        self.streams, self._loop = streams, loop

    def open(self, holder: Any, game_id: int | None = 1, is_account: bool = True, **how: Any) -> Stream | None:
        stream = Stream(game_id, Channel(self._loop), holder, is_account=is_account, **how)
        return stream if self.streams.add(stream) else None

    def count(self) -> int:
        return len(self.streams.listening())


@pytest.fixture
def pages(loop: asyncio.AbstractEventLoop) -> Pages:
    return Pages(Streams(most=8, most_each=3), loop)


def test_one_person_has_so_many_pages_and_another_is_not_kept_out_by_them(pages: Pages) -> None:
    assert [bool(pages.open("ann")) for _ in range(5)] == [True, True, True, False, False]
    assert pages.open("bob")


def test_there_is_room_for_so_many_in_all(pages: Pages) -> None:
    assert [bool(pages.open(person)) for person in range(10)] == [True] * 8 + [False] * 2


def test_one_in_four_goes_to_people_without_an_account(pages: Pages) -> None:
    assert [bool(pages.open(f"visitor {number}", is_account=False)) for number in range(3)] == [True, True, False]
    assert pages.open("ann")


def test_a_connection_that_was_closed_makes_room(pages: Pages) -> None:
    first, *_ = (pages.open("ann") for _ in range(3))
    assert first
    first.channel.close()
    assert pages.count() == 2
    assert pages.open("ann")
    assert pages.count() == 3


def test_a_page_of_neither_game_nor_lobby_makes_room_for_one_s_own_game_only(pages: Pages) -> None:
    other = pages.open("ann", game_id=None)
    games = [pages.open("ann") for _ in range(2)]
    assert other and all(games)
    assert pages.open("ann", game_id=None) is None, "nothing is ended for a page that can ask instead"
    assert pages.open("ann")
    assert other.channel.is_closed
    assert pages.open("ann") is None


def test_what_is_ended_is_closed_and_counted_once(pages: Pages) -> None:
    stream = pages.open("ann")
    assert stream
    for _ in range(2):
        pages.streams.end([stream])
    assert stream.channel.is_closed and pages.count() == 0
    assert [bool(pages.open("ann")) for _ in range(4)] == [True, True, True, False]


def test_closed_connections_are_dropped(pages: Pages) -> None:
    streams = [pages.open(person, is_account=False) for person in ("one", "two")]
    for stream in streams:
        assert stream
        stream.channel.close()
    pages.streams.drop_closed()
    assert [bool(pages.open(person, is_account=False)) for person in ("three", "four")] == [True, True]


def test_an_event_is_a_name_and_json_between_empty_lines() -> None:
    name, data, *rest = event("changed", version="3").split("\n")
    assert (name, rest) == ("event: changed", ["", ""])
    assert json.loads(data.removeprefix("data: ")) == {"version": "3"}


def test_what_is_sent_reaches_the_channel_and_counts_as_a_sign_of_life(pages: Pages) -> None:
    stream = pages.open("ann")
    assert stream
    stream.sent_at = 0.0
    stream.send(event("beat"))
    assert stream.sent_at > 0
    assert list(stream.channel._unsent) == [event("beat")]
