"""The ASGI app in front of Flask: a request takes a thread when it has come whole, and gives it back while it waits."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from types import MappingProxyType
from typing import Any, TypeVar

from webapp.headers import FIXED, LARGEST_BODY, largest_body
from webapp.mount import WsgiApp
from webapp.serving.channel import OPEN_CHANNEL, Channel
from webapp.serving.clients import TELL_KNOWN, Clients
from webapp.serving.deferral import DEFER, DEFERRED, LATER, Deferral
from webapp.serving.environ import Scope, environ_of
from webapp.serving.turns import Client, Turns
from webapp.serving.wsgi_call import WsgiCall

# In an app's extensions.
SLOW_POSTS, CLIENTS, POSTS_AT_ONCE = "noughts_slow_posts", "noughts_clients", "noughts_posts_at_once"
THREADS = 48  # no more than the database has connections for; whoever comes then waits without one
THREADS_OF_POSTS = 32  # of these at most: posts wait for one another, and leave threads to those who read
THREADS_OF_SLOW_POSTS = 4  # of those at most, for each kind of slow posts
# Of the others: they write one after another, and more of them at work would only take the interpreter from the one
# that has the write lock. If those wait for something themselves, more begin after this many seconds.
QUICK_POSTS, SECONDS_FOR_A_TURN = 4, 1.0
FILES = 8  # bodies larger than a form's that are in memory at once
BODY_SECONDS = 20
LINGER_SECONDS = 2
CLOSE = (b"connection", b"close")
OF_BODY = (b"content-length", b"content-type")
ALWAYS = [(name.lower().encode(), value.encode()) for name, value in FIXED.items()]
NOTHING: Mapping[str, Any] = MappingProxyType({})
TOO_SLOW = "The request came too slowly. Try again."

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Result = TypeVar("Result")


class Front:
    def __init__(
        self,
        app: WsgiApp,
        slow_posts: Iterable[tuple[str, ...]] = (),
        threads: int = THREADS,
        clients: Clients | None = None,
        posts_at_once: int = QUICK_POSTS,
    ) -> None:
        """`slow_posts` are parts of paths whose posts keep a core busy for long, one tuple for each kind: those of one
        kind wait for one another.
        """
        self.app, self.clients = app, clients or Clients("session")
        self.is_ending = False
        self.channels: set[Channel] = set()
        self.deferrals: set[Deferral] = set()
        self.turns_of_all = Turns(threads)
        self.turns_of_posts = Turns(min(threads - 1, THREADS_OF_POSTS))
        self.turns_of_quick_posts = Turns(posts_at_once, SECONDS_FOR_A_TURN)
        at_once = min(threads - 1, THREADS_OF_SLOW_POSTS)
        self._turns_of_slow_posts = [(parts, Turns(at_once)) for parts in slow_posts]
        self.turns_of_files = Turns(FILES)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _Exchange(self, scope, receive, send).run()

    def turns_of_slow(self, path: str) -> Turns | None:
        kinds = self._turns_of_slow_posts
        return next((turns for parts, turns in kinds if any(part in path for part in parts)), None)

    async def in_thread(self, step: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._pool, step)

    def end(self) -> None:
        """From now on each response is the last on its connection, and what is held open comes to its end."""
        self.is_ending = True
        for channel in self.channels:
            channel.close()
        for deferral in self.deferrals:
            deferral.wake()


class _Exchange:
    """One request and its response."""

    def __init__(self, front: Front, scope: Scope, receive: Receive, send: Send) -> None:
        self._front, self._scope, self._receive, self._send = front, scope, receive, send
        self._channel: Channel | None = None
        self._deferral: Deferral | None = None
        self._loop = asyncio.get_running_loop()
        headers = dict(scope["headers"])
        # By the app, whatever the body holds: with 411 where it has no length, with 413 where it is too long.
        length = int(headers.get(b"content-length", 0))
        self._is_refused = b"transfer-encoding" in headers or length > largest_body(scope["path"])
        self._is_file = length > LARGEST_BODY and not self._is_refused
        self._is_post = scope["method"] not in ("GET", "HEAD")
        may_be_slow = self._is_post and not self._is_refused
        self._slow_turns = front.turns_of_slow(scope["path"]) if may_be_slow else None

    def _client(self) -> Client:
        return self._front.clients.client_of(self._scope)

    async def run(self) -> None:
        if self._is_file and not await self._is_welcome():
            return
        async with AsyncExitStack() as turn:
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    if self._is_file:
                        await turn.enter_async_context(self._front.turns_of_files.one(self._client))
                    body = b"" if self._is_refused else await self._read_body()
            except TimeoutError:
                await self._refuse(408, TOO_SLOW)
            except ConnectionError:
                pass  # the client has gone
            else:
                await self._answer(body)

    async def _is_welcome(self) -> bool:
        """Who may not see the page of the form sends no file either: its answer is theirs, and nothing is read."""
        headers = [header for header in self._scope["headers"] if header[0] not in OF_BODY]
        asked = {**self._scope, "method": "GET", "headers": headers}
        call = WsgiCall(self._front.app, environ_of(asked, b""))
        async with self._front.turns_of_all.one(self._client):
            piece = await self._front.in_thread(call.begin)
        if not call.is_over:
            await self._front.in_thread(call.close)
        if call.status == 200:
            return True
        self._is_refused = True
        await self._send_head(call.status, self._headers(call))
        await self._send_body(piece, more=True)
        await self._go_on(call)
        return False

    async def _read_body(self) -> bytes:
        body, is_whole = bytearray(), False
        while not is_whole:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            body += message["body"]
            is_whole = not message["more_body"]
        return bytes(body)

    async def _until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _answer(self, body: bytes) -> None:
        call = self._call(body)
        try:
            piece = await self._begin(call)
            while self._deferral and call.status == LATER:
                if not await self._wait(self._deferral):
                    return
                call = self._call(body, {DEFERRED: self._deferral.state})
                self._close_deferral()
                piece = await self._begin(call)
            if piece is None:
                return
            if call.status != 200 or self._scope["method"] == "HEAD":
                self._close_channel()
            await self._send_head(call.status, self._headers(call))
            is_done = call.is_over and not self._channel and not self._is_refused
            await self._send_body(piece, more=not is_done)
            if not is_done:
                await self._go_on(call)
        finally:
            self._close_channel()
            self._close_deferral()

    def _call(self, body: bytes, more: Mapping[str, Any] = NOTHING) -> WsgiCall:
        ways = {OPEN_CHANNEL: self._open_channel, DEFER: self._defer, TELL_KNOWN: self._front.clients.tell_known}
        return WsgiCall(self._front.app, {**environ_of(self._scope, body), **ways, **more})

    def _defer(self, seconds: float, state: Any) -> Deferral | None:
        """Called by a view, in its thread."""
        self._deferral = None if self._front.is_ending else Deferral(self._loop, seconds, state)
        return self._deferral

    def _close_deferral(self) -> None:
        if self._deferral:
            self._deferral.close()
            self._deferral = None

    async def _wait(self, deferral: Deferral) -> bool:
        """Until it is to be asked again; False if the client has gone meanwhile."""
        self._front.deferrals.add(deferral)
        if self._front.is_ending:
            deferral.wake()
        gone = asyncio.create_task(self._until_gone())
        gone.add_done_callback(lambda _: deferral.wake())
        try:
            await deferral.wait()
            return not gone.done()
        finally:
            gone.cancel()
            self._front.deferrals.discard(deferral)

    async def _begin(self, call: WsgiCall) -> bytes | None:
        """Pages take a thread at once, posts and slow posts when there is one for their kind; all if there is one.

        None if the client has gone while it waited to log in, as those do who press the button again.
        """
        gone = asyncio.create_task(self._until_gone()) if self._slow_turns else None
        try:
            async with AsyncExitStack() as stack:
                for turns in self._turns():
                    await stack.enter_async_context(turns.one(self._client))
                return None if gone and gone.done() else await self._front.in_thread(call.begin)
        finally:
            if gone:
                gone.cancel()

    def _turns(self) -> list[Turns]:
        """In this order everywhere: who waits for one holds those before it."""
        front = self._front
        if not self._is_post:
            return [front.turns_of_all]
        if self._slow_turns:
            return [self._slow_turns, front.turns_of_posts, front.turns_of_all]
        return [front.turns_of_posts, front.turns_of_quick_posts, front.turns_of_all]

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
        """As quickly as the client reads, and until it hangs up."""
        gone = asyncio.create_task(self._until_gone())
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

    async def _refuse(self, status: int, sentence: str) -> None:
        """Without the app. Programs are told in JSON, as by the app itself (error_pages)."""
        is_program = "/api/" in self._scope["path"]  # which may begin with the prefix of the site
        kind, text = (b"application/json", json.dumps({"error": sentence})) if is_program else (b"text/plain", sentence)
        await self._send_head(status, [(b"content-type", kind), *ALWAYS, CLOSE])
        await self._send_body(f"{text}\n".encode(), more=False)

    async def _send_head(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def _send_body(self, body: bytes, more: bool) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": more})
