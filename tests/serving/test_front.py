"""The front between HTTP and WSGI: when a thread is taken, and when it is given back."""

import asyncio
import contextvars
import threading
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest
from flask import Flask

from tests.coroutines import run_coroutine
from webapp.headers import LARGEST_BODY
from webapp.serving import front as fronts
from webapp.serving.channel import MOST_UNSENT, Channel, open_channel
from webapp.serving.clients import TELL_KNOWN, Clients
from webapp.serving.front import Front, Message
from webapp.serving.turns import Client as Whose

App = Callable[[dict[str, Any], Callable[..., Any]], Any]
OK = ("200 OK", [("Content-Type", "text/plain")])


class Client:
    """What it has to send is given part by part, and what it was sent is kept. None in its place: it has hung up."""

    def __init__(self, app: App, method: str = "GET", **headers: object) -> None:
        self.front = app if isinstance(app, Front) else Front(app, threads=2)
        named = [(name.replace("_", "-").encode(), str(value).encode()) for name, value in headers.items()]
        self.scope = {"method": method, "raw_path": b"/", "path": "/", "query_string": b"", "http_version": "1.1"}
        self.scope |= {"headers": named, "client": None, "server": None}
        self.parts: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        part = await self.parts.get()
        if part is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": part, "more_body": not part.endswith(b".")}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    def ask(self, *parts: bytes | None) -> asyncio.Task[None]:
        for part in parts:
            self.parts.put_nowait(part)
        return asyncio.create_task(self.front(self.scope, self.receive, self.send))

    @property
    def status(self) -> int | None:
        return self.sent[0]["status"] if self.sent else None

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])

    @property
    def body(self) -> bytes:
        return b"".join(message["body"] for message in self.sent[1:])

    @property
    def is_complete(self) -> bool:
        return bool(self.sent) and not self.sent[-1].get("more_body", True)


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    start_response(*OK)
    return [environ["wsgi.input"].read()]


def never(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    raise AssertionError("The app was called.")


async def turns_of_the_loop(count: int = 20) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_the_app_is_called_when_the_body_has_come_whole() -> None:
    async def run() -> None:
        client = Client(echo, "POST", content_length=9)
        answering = client.ask(b"one ")
        await turns_of_the_loop()
        assert client.status is None and not client.front._pool._threads
        client.parts.put_nowait(b"two .")
        await answering
        assert (client.status, client.body, client.is_complete) == (200, b"one two .", True)

    run_coroutine(run())


def test_a_body_that_comes_too_slowly_is_refused_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        sentence = b"The request came too slowly. Try again."
        for path, kind, told in (
            ("/log-in", b"text/plain", sentence),
            ("/noughts/api/v1/games", b"application/json", b'{"error": "%s"}' % sentence),
        ):
            client = Client(never, "POST", content_length=100)
            client.scope["path"] = path
            await client.ask(b"name=")
            assert (client.status, client.headers[b"connection"], client.is_complete) == (408, b"close", True)
            assert (client.headers[b"content-type"], client.body) == (kind, told + b"\n")
            assert client.headers[b"x-content-type-options"] == b"nosniff"

    monkeypatch.setattr(fronts, "BODY_SECONDS", 0.01)
    run_coroutine(run())


def test_who_hangs_up_before_the_body_has_come_is_forgotten() -> None:
    async def run() -> None:
        client = Client(never, "POST", content_length=100)
        await client.ask(b"name=", None)
        assert client.sent == []

    run_coroutine(run())


def test_of_large_files_only_a_few_are_read_at_once_and_forms_need_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        front = Front(echo, threads=2)
        first, second, form = (Client(front, "POST", content_length=length) for length in (*[LARGEST_BODY + 1] * 2, 9))
        for client in (first, second):
            client.scope["path"] = "/classrooms/abc/roster"
        sending, waiting = first.ask(b"names "), second.ask(b"names ", b"of others.")
        await form.ask(b"a form .")
        assert (first.parts.qsize(), second.parts.qsize(), form.status) == (0, 2, 200), "the second is not read"
        first.parts.put_nowait(None)
        await sending
        await waiting
        assert (first.sent, second.status, second.body) == ([], 200, b"names of others.")

    monkeypatch.setattr(fronts, "FILES", 1)
    run_coroutine(run())


def test_a_file_is_read_only_from_who_may_see_the_page_of_its_form() -> None:
    asked: list[tuple[str, str]] = []

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        asked.append((environ["REQUEST_METHOD"], environ.get("CONTENT_LENGTH", "")))
        start_response("404 Not Found" if "HTTP_STRANGER" in environ else "200 OK", [("Content-Type", "text/plain")])
        return [b"No such page."]

    async def run() -> None:
        for who, part, status in (("stranger", b"names ", 404), ("teacher", b"names.", 200)):
            client = Client(app, "POST", content_length=LARGEST_BODY + 1, **{who: "yes"})
            client.scope["path"] = "/classrooms/abc/roster"
            sending = client.ask(part)
            while client.status is None:
                await asyncio.sleep(0)
            assert (client.status, client.body) == (status, b"No such page."), who
            client.parts.put_nowait(b".")  # the stranger's is read away, so that they get to see the answer
            await sending
            assert client.is_complete

    run_coroutine(run())
    assert asked == [("GET", ""), ("GET", ""), ("POST", str(LARGEST_BODY + 1))]


def test_who_would_send_files_waits_in_turn_with_the_others() -> None:
    at_work, most, turn = [0], [0], threading.Event()

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        at_work[0] += 1
        most[0] = max(most[0], at_work[0])
        turn.wait(0.05)
        at_work[0] -= 1
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"No such page."]

    async def run() -> None:
        front = Front(app, threads=4)
        front.turns_of_all._free = 2
        strangers = [Client(front, "POST", content_length=LARGEST_BODY + 1) for _ in range(6)]
        for stranger in strangers:
            stranger.scope["path"] = "/classrooms/abc/roster"
        await asyncio.gather(*(stranger.ask(b".") for stranger in strangers))

    run_coroutine(run())
    assert most == [2]


def test_a_file_that_waits_for_its_turn_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        client = Client(echo, "POST", content_length=LARGEST_BODY + 1)
        client.scope["path"] = "/classrooms/abc/roster"
        async with client.front.turns_of_files.one(lambda: Whose("somebody", None)):
            await client.ask(b"names.")
        assert (client.status, client.parts.qsize()) == (408, 1)

    monkeypatch.setattr(fronts, "FILES", 1)
    monkeypatch.setattr(fronts, "BODY_SECONDS", 0.01)
    run_coroutine(run())


@pytest.mark.parametrize("headers", [{"content_length": LARGEST_BODY + 1}, {"transfer_encoding": "chunked"}])
def test_a_body_that_the_app_refuses_is_not_read_for_it_but_read_away(headers: dict[str, Any]) -> None:
    """Before the answer is complete: to close a connection with unread bytes in it destroys what was sent last."""

    async def run() -> None:
        client = Client(echo, "POST", **headers)
        answering = client.ask(b"much ")
        while client.parts.qsize() or len(client.sent) < 2:
            await asyncio.sleep(0)
        assert (client.status, client.body, client.is_complete) == (200, b"", False)
        client.parts.put_nowait(b"too much.")
        await answering
        assert (client.headers[b"connection"], client.is_complete) == (b"close", True)

    run_coroutine(run())


def test_posts_that_wait_leave_threads_to_those_who_read() -> None:
    turn = threading.Event()

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["REQUEST_METHOD"] == "POST":
            assert turn.wait(30)
        return echo(environ, start_response)

    async def run() -> None:
        front = Front(app, threads=2)
        posts = [Client(front, "POST") for _ in range(3)]
        waiting = [post.ask(b".") for post in posts]
        page = Client(front)
        await page.ask(b".")
        assert page.is_complete and not any(post.sent for post in posts)
        turn.set()
        await asyncio.gather(*waiting)
        assert [post.status for post in posts] == [200, 200, 200]

    run_coroutine(run())


def test_slow_posts_wait_for_one_another_and_leave_threads_to_other_posts(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = threading.Event()

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        assert environ["PATH_INFO"] == "/" or turn.wait(30)
        return echo(environ, start_response)

    async def run() -> None:
        front = Front(app, [("/log-in",)], threads=4)
        slow = [Client(front, "POST") for _ in range(8)]
        for client in slow:
            client.scope |= {"path": "/noughts/log-in", "raw_path": b"/noughts/log-in"}
        waiting = [client.ask(b".") for client in slow]
        other = Client(front, "POST")
        await other.ask(b".")
        assert other.is_complete and not any(client.sent for client in slow)
        turn.set()
        await asyncio.gather(*waiting)
        assert all(client.is_complete for client in slow)

    monkeypatch.setattr(fronts, "THREADS_OF_SLOW_POSTS", 2)
    run_coroutine(run())


def test_who_logs_in_does_not_wait_for_the_passwords_of_whole_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = threading.Event()

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        assert environ["PATH_INFO"] != "/classrooms/abc/roster" or turn.wait(30)
        return echo(environ, start_response)

    async def run() -> None:
        front = Front(app, [("/log-in",), ("/roster",)])
        clients = {"/classrooms/abc/roster": [Client(front, "POST") for _ in range(8)]}
        clients |= {path: [Client(front, "POST")] for path in ("/log-in", "/games/abc/moves")}
        for path, those in clients.items():
            for client in those:
                client.scope |= {"path": path, "raw_path": path.encode()}
        *rosters, log_in, move = (client for those in clients.values() for client in those)
        waiting = [client.ask(b".") for client in rosters]
        await log_in.ask(b".")
        await move.ask(b".")
        assert log_in.is_complete and move.is_complete and not any(client.sent for client in rosters)
        turn.set()
        await asyncio.gather(*waiting)
        assert all(client.is_complete for client in rosters)

    monkeypatch.setattr(fronts, "SECONDS_FOR_A_TURN", 30)  # as long as the rosters take
    run_coroutine(run())


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_neither_a_crowd_nor_invented_cookies_keep_others_waiting(method: str) -> None:
    turn, called = threading.Event(), []

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        cookie = environ.get("HTTP_COOKIE", "")
        if cookie == "noughts=ann":
            environ[TELL_KNOWN]("ann", 7)
        called.append(cookie)
        assert environ["HTTP_X_FORWARDED_FOR"] == "first" or turn.wait(30)
        return echo(environ, start_response)

    async def run() -> None:
        front = Front(app, threads=2, clients=Clients("noughts", proxies=1))
        front.turns_of_all._free = front.turns_of_posts._free = 1
        await Client(front, method, cookie="noughts=ann", x_forwarded_for="first").ask(b".")
        crowd = [Client(front, method, cookie=f"noughts={n}", x_forwarded_for="1.2.3.4") for n in range(30)]
        late = [Client(front, method, cookie="noughts=ann", x_forwarded_for="1.2.3.4")]
        late.append(Client(front, method, cookie="noughts=zoe", x_forwarded_for="1.2.3.4, 1.2.3.5"))
        waiting = [client.ask(b".") for client in [*crowd, *late]]
        while len(called) < 2:
            await asyncio.sleep(0)
        await turns_of_the_loop()
        turn.set()
        await asyncio.gather(*waiting)
        assert {"noughts=ann", "noughts=zoe"} <= {*called[2:6]}, called

    run_coroutine(run())


def test_a_slow_post_whose_client_has_gone_before_its_turn_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    turn, called = threading.Event(), []

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        called.append(environ["wsgi.input"].read())
        assert turn.wait(30)
        return echo(environ, start_response)

    async def run() -> None:
        front = Front(app, [("/",)])
        clients = [Client(front, "POST") for _ in range(4)]
        waiting = [client.ask(f"{number}.".encode()) for number, client in enumerate(clients)]
        while not called:
            await asyncio.sleep(0)
        for client in clients[:3]:  # the first has begun, and is brought to its end
            client.parts.put_nowait(None)
        await turns_of_the_loop()
        turn.set()
        await asyncio.gather(*waiting)
        assert called == [b"0.", b"3."]

    monkeypatch.setattr(fronts, "THREADS_OF_SLOW_POSTS", 1)
    run_coroutine(run())


def test_a_long_body_is_made_as_it_is_read_and_no_further_when_the_client_has_gone() -> None:
    variable, made, closed = contextvars.ContextVar[str]("variable"), [], []

    def rows() -> Iterator[bytes]:
        try:
            variable.set("set in one thread")
            while True:
                made.append(variable.get())
                yield b"x" * 70_000
        finally:
            closed.append(variable.get("lost"))

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response(*OK)
        return rows()

    async def run() -> None:
        client = Client(app)
        answering = client.ask(b".")
        while len(client.sent) < 5:
            await asyncio.sleep(0)
        assert len(made) <= len(client.sent)
        client.parts.put_nowait(None)
        await answering

    run_coroutine(run())
    assert set(made) | set(closed) == {"set in one thread"} and len(closed) == 1


def test_what_is_sent_to_a_channel_follows_until_it_is_closed() -> None:
    channels: list[Channel] = []

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        channel = open_channel(environ)
        assert channel
        channels.append(channel)
        start_response("200 OK", [("Content-Length", "6")])
        return [b"hello "]

    async def run() -> None:
        client = Client(app)
        answering = client.ask(b".")
        while len(client.sent) < 2:
            await asyncio.sleep(0)
        await asyncio.to_thread(channels[0].send, "later ")
        while len(client.sent) < 3:
            await asyncio.sleep(0)
        assert (client.body, client.is_complete, client.headers) == (b"hello later ", False, {})
        channels[0].send("the end")
        channels[0].close()
        await answering
        assert (client.body, client.is_complete) == (b"hello later the end", True)

    run_coroutine(run())


@pytest.mark.parametrize(("method", "status"), [("GET", "503 Busy"), ("HEAD", "200 OK")])
def test_a_channel_that_the_response_does_not_use_is_closed(method: str, status: str) -> None:
    channels: list[Channel | None] = []

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        channels.append(open_channel(environ))
        start_response(status, [])
        return [b"busy"]

    async def run() -> None:
        client = Client(app, method)
        await client.ask(b".")
        assert client.is_complete and channels[0] and channels[0].is_closed

    run_coroutine(run())


def test_who_reads_nothing_is_let_go_and_keeps_no_more_than_a_few_words() -> None:
    async def run() -> None:
        channel = Channel(asyncio.get_running_loop())
        for _ in range(MOST_UNSENT):
            channel.send("word ")
        assert not channel.is_closed
        channel.send("word ")
        assert channel.is_closed

    run_coroutine(run())


def test_the_posts_that_are_called_slow_are_posts_of_the_site(app: Flask) -> None:
    posts = [rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    for part in chain(*app.extensions[fronts.SLOW_POSTS]):
        assert any(part in path for path in posts), part


def test_quick_posts_are_let_in_a_few_at_once() -> None:
    begun: list[int] = []
    turn = threading.Event()

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        begun.append(1)
        assert turn.wait(30)
        return echo(environ, start_response)

    async def run() -> None:
        front = Front(app, threads=8, posts_at_once=2)
        posts = [Client(front, "POST").ask(b".") for _ in range(6)]
        while len(begun) < 2:
            await asyncio.sleep(0.001)
        await turns_of_the_loop()
        let_in = len(begun)
        turn.set()
        await asyncio.gather(*posts)
        assert (let_in, len(begun)) == (2, 6)

    run_coroutine(run())


def test_they_are_fewer_where_one_writes_at_a_time(app: Flask, database_kind: str) -> None:
    found = app.extensions.get(fronts.POSTS_AT_ONCE, fronts.QUICK_POSTS)
    assert found == {"SQLite": 2, "PostgreSQL": 4}[database_kind]
