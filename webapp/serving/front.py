"""The ASGI app in front of Flask: a request takes a thread when it has come whole, and gives it back while it waits."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from typing import Any, TypeVar

from webapp.headers import LARGEST_BODY
from webapp.mount import WsgiApp
from webapp.serving.channel import OPEN_CHANNEL, Channel
from webapp.serving.environ import Scope, environ_of
from webapp.serving.wsgi_call import WsgiCall

THREADS = 400  # few of them begin; whoever waits, to log in or to write, holds one
THREADS_OF_PAGES = 40  # of these: posts wait for one another, and never take the last threads from those who read
BODY_SECONDS = 20
LINGER_SECONDS = 2
CLOSE = (b"connection", b"close")
TOO_SLOW = b"The request came too slowly. Try again.\n"

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Result = TypeVar("Result")


class Front:
    def __init__(self, app: WsgiApp, threads: int = THREADS, threads_of_pages: int = THREADS_OF_PAGES) -> None:
        self.app = app
        self.is_ending = False
        self.channels: set[Channel] = set()
        self.posts = asyncio.Semaphore(threads - threads_of_pages)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _Exchange(self, scope, receive, send).run()

    async def in_thread(self, step: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._pool, step)

    def end(self) -> None:
        """From now on each response is the last on its connection, and what is held open comes to its end."""
        self.is_ending = True
        for channel in self.channels:
            channel.close()


class _Exchange:
    """One request and its response."""

    def __init__(self, front: Front, scope: Scope, receive: Receive, send: Send) -> None:
        self._front, self._scope, self._receive, self._send = front, scope, receive, send
        self._channel: Channel | None = None
        self._loop = asyncio.get_running_loop()
        headers = dict(scope["headers"])
        # By the app, whatever the body holds: with 411 where it has no length, with 413 where it is too long.
        self._is_refused = b"transfer-encoding" in headers or int(headers.get(b"content-length", 0)) > LARGEST_BODY

    async def run(self) -> None:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = b"" if self._is_refused else await self._read_body()
        except TimeoutError:
            await self._send_head(408, [CLOSE])
            await self._send_body(TOO_SLOW, more=False)
        except ConnectionError:
            pass  # the client has gone
        else:
            await self._answer(body)

    async def _read_body(self) -> bytes:
        body, is_whole = bytearray(), False
        while not is_whole:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            body += message["body"]
            is_whole = not message["more_body"]
        return bytes(body)

    async def _answer(self, body: bytes) -> None:
        call = WsgiCall(self._front.app, {**environ_of(self._scope, body), OPEN_CHANNEL: self._open_channel})
        try:
            async with nullcontext() if self._scope["method"] in ("GET", "HEAD") else self._front.posts:
                piece = await self._front.in_thread(call.begin)
            if call.status != 200 or self._scope["method"] == "HEAD":
                self._close_channel()
            await self._send_head(call.status, self._headers(call))
            is_done = call.is_over and not self._channel and not self._is_refused
            await self._send_body(piece, more=not is_done)
            if not is_done:
                await self._go_on(call)
        finally:
            self._close_channel()

    def _headers(self, call: WsgiCall) -> list[tuple[bytes, bytes]]:
        headers = [*call.headers, CLOSE] if self._is_refused or self._front.is_ending else call.headers
        return [header for header in headers if header[0] != b"content-length"] if self._channel else headers

    def _open_channel(self) -> Channel:
        """Called by a view, in its thread."""
        self._channel = Channel(self._loop)
        return self._channel

    def _close_channel(self) -> None:
        if self._channel:
            self._channel.close()
            self._channel = None

    async def _go_on(self, call: WsgiCall) -> None:
        if self._is_refused:
            await self._linger()
        else:
            await self._send_rest(call)
        await self._send_body(b"", more=False)

    async def _linger(self) -> None:
        """Read what is on its way before the connection is closed: else the client may not get to see the answer."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while (await self._receive()).get("more_body"):
                    pass

    async def _send_rest(self, call: WsgiCall) -> None:
        """As quickly as the client reads, and until it hangs up: the next that comes from it can only be its end."""
        gone = asyncio.ensure_future(self._receive())
        try:
            while not call.is_over and not gone.done():
                await self._send_body(await self._front.in_thread(call.more), more=True)
            if channel := self._channel:
                gone.add_done_callback(lambda _: channel.close())
                await self._follow(channel)
        finally:
            gone.cancel()
            if not call.is_over:
                await self._front.in_thread(call.close)

    async def _follow(self, channel: Channel) -> None:
        self._front.channels.add(channel)
        if self._front.is_ending:
            channel.close()
        try:
            while text := await channel.read():
                await self._send_body(text.encode(), more=True)
        finally:
            self._front.channels.discard(channel)

    async def _send_head(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def _send_body(self, body: bytes, more: bool) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": more})
