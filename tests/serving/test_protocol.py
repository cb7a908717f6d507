"""Deadlines of a connection, on real sockets: they end what dawdles, and nothing else."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
from uvicorn.server import ServerState

from tests.coroutines import run_coroutine
from webapp.serving import protocol
from webapp.serving.protocol import UNREAD_SECONDS, BoundedProtocol
from webapp.serving.worker import LARGEST_HEAD, config_of

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def large_answer(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"10000000")]})
    await send({"type": "http.response.body", "body": b"x" * 10_000_000})


async def short_answer(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


def serve(app: Any, test: Callable[[Connection, BoundedProtocol], Awaitable[None]]) -> None:
    """Runs a test on one connection, with the server's end of it."""

    async def run() -> None:
        made: list[BoundedProtocol] = []
        failures: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        config = config_of(app)
        config.load()

        def make() -> BoundedProtocol:
            made.append(BoundedProtocol(config, ServerState(), {}))
            return made[0]

        server = await asyncio.get_running_loop().create_server(make, sock=socket.create_server(("127.0.0.1", 0)))
        async with server, asyncio.timeout(30):
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            while not (made and made[0].transport):
                await asyncio.sleep(0)
            await test((reader, writer), made[0])
            writer.close()
        assert failures == []

    run_coroutine(run())


async def until_it_ends(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionResetError):
        while await reader.read(65536):
            pass


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: lo"])
def test_a_head_that_never_comes_whole_ends_the_connection(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    async def test(connection: Connection, _: BoundedProtocol) -> None:
        connection[1].write(sent)
        await until_it_ends(connection[0])

    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.05)
    serve(short_answer, test)


def test_one_byte_after_another_does_not_put_the_deadline_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(connection: Connection, _: BoundedProtocol) -> None:
        async def drip() -> None:
            while True:
                connection[1].write(b"x")
                await asyncio.sleep(0.01)

        dripping = asyncio.create_task(drip())
        await until_it_ends(connection[0])
        dripping.cancel()

    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.1)
    serve(short_answer, test)


def test_a_connection_that_asks_again_in_time_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(connection: Connection, theirs: BoundedProtocol) -> None:
        for _ in range(3):
            connection[1].write(GET)
            assert b"200 OK" in await connection[0].readuntil(b"hello")
            assert theirs._head_deadline is None, "between two requests the time is uvicorn's to count"
        connection[1].write(GET[:9])
        await until_it_ends(connection[0])

    monkeypatch.setattr(protocol, "HEAD_SECONDS", 1.0)
    serve(short_answer, test)


def test_who_does_not_read_the_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(connection: Connection, theirs: BoundedProtocol) -> None:
        connection[1].transport.pause_reading()
        connection[1].write(GET)
        while theirs in theirs.connections:
            await asyncio.sleep(0.01)
        connection[1].transport.resume_reading()
        await until_it_ends(connection[0])

    monkeypatch.setattr(protocol, "UNREAD_SECONDS", 0.05)
    serve(large_answer, test)


async def hasty_answer(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 411, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"no", "more_body": True})
    await receive()


@pytest.mark.parametrize("app", [hasty_answer, short_answer])
def test_nonsense_after_the_answer_has_begun_ends_the_connection_and_breaks_nothing(app: Any) -> None:
    async def test(connection: Connection, _: BoundedProtocol) -> None:
        connection[1].write(b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        await connection[0].readuntil(b"\r\n\r\n")
        connection[1].write(b"no chunk at all\r\n")
        await until_it_ends(connection[0])

    serve(app, test)


def test_a_request_that_is_none_gets_a_sentence_and_the_headers_of_every_answer() -> None:
    async def test(connection: Connection, _: BoundedProtocol) -> None:
        connection[1].write(b"nonsense\r\n\r\n")
        answer = await connection[0].read(65536)
        assert answer.startswith(b"HTTP/1.1 400 ") and b"not understood" in answer
        assert b"Content-Security-Policy: default-src 'none'" in answer and b"nosniff" in answer

    serve(short_answer, test)


def test_a_head_is_read_to_its_largest_size_and_no_byte_further() -> None:
    head = GET.replace(b"\r\n\r\n", b"\r\nCookie: ").ljust(LARGEST_HEAD, b"a")

    async def test(connection: Connection, theirs: BoundedProtocol) -> None:
        connection[1].write(head)
        while len(theirs.conn.trailing_data[0]) < len(head) and not theirs.transport.is_closing():
            await asyncio.sleep(0)
        connection[1].write(b"\r\n\r\n")
        assert b"200 OK" in await connection[0].readuntil(b"hello")
        connection[1].write(head + b"a")
        assert (await connection[0].read(65536)).startswith(b"HTTP/1.1 400 ")

    serve(short_answer, test)


def test_who_reads_a_large_answer_gets_all_of_it() -> None:
    async def test(connection: Connection, theirs: BoundedProtocol) -> None:
        connection[1].write(GET)
        await connection[0].readuntil(b"\r\n\r\n")
        assert len(await connection[0].readexactly(10_000_000)) == 10_000_000
        assert theirs._read_deadline is None

    serve(large_answer, test)


def test_a_phone_out_of_reach_is_given_up_although_it_says_no_goodbye() -> None:
    """The system does the rest: what is not acknowledged for so long ends the connection (tried with a cable cut)."""

    async def test(_: Connection, theirs: BoundedProtocol) -> None:
        own = theirs.transport.get_extra_info("socket")
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == UNREAD_SECONDS * 1000
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    serve(short_answer, test)
