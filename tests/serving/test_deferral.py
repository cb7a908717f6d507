"""A response that comes later, whole: the view is asked again, and holds no thread while it waits."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.coroutines import run_coroutine
from tests.serving.test_front import OK, Client, turns_of_the_loop
from webapp.serving.deferral import Deferral, defer, deferred_state
from webapp.serving.front import Front

LATER = ("202 Accepted", [])


class Waiting:
    """An app that waits until it is woken `times` times, or its time is up; then it tells what it knows."""

    def __init__(self, seconds: float = 60, times: int = 1, ends: str = "409 Conflict") -> None:
        self.seconds, self.times, self.ends = seconds, times, ends
        self.deferrals: list[Deferral] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        count = deferred_state(environ) or 0
        if count < self.times and (deferral := defer(environ, self.seconds, count + 1)):
            self.deferrals.append(deferral)
            start_response(*LATER)
            return []
        start_response(self.ends, [("X-Times", str(count))])
        return [environ["wsgi.input"].read()]


async def is_deferred(front: Front, count: int) -> None:
    while len(front.deferrals) < count:
        await asyncio.sleep(0.001)


def test_the_status_comes_from_the_view_that_is_asked_again_with_the_same_body() -> None:
    async def run() -> None:
        app = Waiting(times=2)
        client = Client(app, "POST", content_length=5)
        answering = client.ask(b"body.")
        for count in (1, 2):
            while len(app.deferrals) < count or not client.front.deferrals:
                await asyncio.sleep(0.001)
            assert client.sent == []
            app.deferrals[-1].wake()
        await answering
        assert (client.status, client.headers[b"x-times"], client.body) == (409, b"2", b"body.")
        assert all(one.is_closed for one in app.deferrals) and not client.front.deferrals

    run_coroutine(run())


def test_many_may_wait_and_none_of_them_holds_a_thread_or_the_turn_of_a_post() -> None:
    async def run() -> None:
        app = Waiting()
        front = Front(app, threads=2)
        clients = [Client(front, "POST") for _ in range(50)]
        waiting = [client.ask(b".") for client in clients]
        await is_deferred(front, 50)
        app.deferrals[7].wake()
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert len(done) == 1 and sum(client.is_complete for client in clients) == 1
        for deferral in app.deferrals:
            deferral.wake()
        await asyncio.gather(*waiting)

    run_coroutine(run())


def test_it_is_asked_again_when_its_time_is_up() -> None:
    async def run() -> None:
        client = Client(Waiting(seconds=0.01, ends=OK[0]), "POST")
        await client.ask(b".")
        assert (client.status, client.headers[b"x-times"]) == (200, b"1")

    run_coroutine(run())


def test_who_hangs_up_is_not_asked_again_and_is_forgotten() -> None:
    async def run() -> None:
        app = Waiting()
        client = Client(app, "POST")
        answering = client.ask(b".")
        await is_deferred(client.front, 1)
        client.parts.put_nowait(None)
        await answering
        assert client.sent == [] and app.deferrals[0].is_closed and not client.front.deferrals

    run_coroutine(run())


def test_when_the_server_ends_those_who_wait_are_answered_and_nobody_waits_any_more() -> None:
    async def run() -> None:
        app = Waiting(times=100)
        client = Client(app, "POST")
        answering = client.ask(b".")
        await is_deferred(client.front, 1)
        client.front.end()
        await answering
        assert (client.status, client.headers[b"connection"], len(app.deferrals)) == (409, b"close", 1)
        late = Client(client.front, "POST")
        await late.ask(b".")
        assert late.status == 409

    run_coroutine(run())


def test_a_view_that_breaks_after_it_asked_to_wait_is_not_waited_for() -> None:
    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        assert defer(environ, 60, None)
        start_response("503 Service Unavailable", [])
        return [b"busy"]

    async def run() -> None:
        client = Client(app, "POST")
        await client.ask(b".")
        await turns_of_the_loop()
        assert (client.status, client.body) == (503, b"busy")

    run_coroutine(run())


def test_a_plain_wsgi_server_defers_nothing() -> None:
    assert defer({}, 60, None) is None
