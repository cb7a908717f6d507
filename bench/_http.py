"""Browsers by the hundred for the benchmarks: HTTP over asyncio, just as much of it as our server speaks."""

import asyncio
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlencode

PATIENCE = 60


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """One browser with its cookie and one line, which it keeps open between two requests.

    Its scripts take a page as the answer to a form (static/js/play.js); without them it is led there.
    """

    has_scripts = True

    def __init__(self, port: int, cookie: str = "", token: str = "", name: str = "") -> None:
        self.port, self.cookie, self.token, self.name, self.game = port, cookie, token, name, ""
        self.line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def copy(self) -> "Client":
        """The same browser on another line, for a page of its own."""
        return Client(self.port, self.cookie, self.token, self.name)

    async def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        return await self.request("GET", path, headers or {})

    async def post(self, path: str, **fields: object) -> Answer:
        body = urlencode({"csrf_token": self.token, **fields}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
        wish = {"Prefer": "return=representation"} if self.has_scripts else {}
        return await self.request("POST", path, kind | wish, body)

    async def request(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Answer:
        try:
            async with asyncio.timeout(PATIENCE):
                try:
                    return await self._request(method, path, headers, body)
                except (asyncio.IncompleteReadError, ConnectionError):  # the server closed a line that was idle
                    self.hang_up()
                    return await self._request(method, path, headers, body)
        except BaseException:
            self.hang_up()
            raise

    async def _request(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        reader, writer = self.line = self.line or await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(self.head(method, path, headers) + body)
        status, answered = await read_head(reader)
        if "set-cookie" in answered:
            self.cookie = answered["set-cookie"].partition(";")[0]
        length = int(answered.get("content-length", 0))
        content = await reader.readexactly(length) if status not in (204, 304) else b""
        if answered.get("connection", "").lower() == "close":
            self.hang_up()
        return Answer(status, answered, content)

    def head(self, method: str, path: str, headers: dict[str, str]) -> bytes:
        sent = {"Host": f"127.0.0.1:{self.port}", **({"Cookie": self.cookie} if self.cookie else {}), **headers}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def hang_up(self) -> None:
        if self.line:
            self.line[1].close()
            self.line = None


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    fields = (line.partition(": ") for line in lines if line)
    return int(first.split()[1]), {name.lower(): value for name, _, value in fields}


class Page(asyncio.Protocol):
    """A page that listens to a game on a line of its own, and fetches the piece if it `shows` what it is told.

    It reads no more than it must: hundreds of them share the machine with the server that is measured.
    """

    NEWS = re.compile(rb'event: changed\ndata: {"version": "([^"]+)"(, "what": "people")?}')

    def __init__(
        self,
        browser: Client,
        game: str,
        is_own: Callable[[str], bool],
        told: Callable[[str], None],
        shown: Callable[[str], None],
    ) -> None:
        self.browser, self.game, self.is_own, self.told, self.shown = browser.copy(), game, is_own, told, shown
        self.shows = self.is_open = False
        self._line: asyncio.Transport | None = None
        self._fetches: list[asyncio.Task[None]] = []
        self._one_at_a_time = asyncio.Lock()
        self._answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def open(self) -> bool:
        make = asyncio.get_running_loop().create_connection
        self._line, _ = await make(lambda: self, "127.0.0.1", self.browser.port)
        self._line.write(self.browser.head("GET", f"/events?game={self.game}", {}))
        self.is_open = await self._answered
        if not self.is_open:
            self._line.close()
        return self.is_open

    def data_received(self, data: bytes) -> None:
        if not self._answered.done():
            self._answered.set_result(data.startswith(b"HTTP/1.1 200"))
        for found, is_of_people in self.NEWS.findall(data):
            version = "people" if is_of_people else found.decode()
            self.told(version)
            if self.shows and not self.is_own(version):
                self._fetches.append(asyncio.create_task(self._show(version)))

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        if not self._answered.done():
            self._answered.set_result(False)

    async def _show(self, version: str) -> None:
        async with self._one_at_a_time:
            await self.browser.get(f"/games/{self.game}/piece")
        self.shown(version)

    def close(self) -> None:
        self.is_open = False
        for fetch in self._fetches:
            fetch.cancel()
        if self._line:
            self._line.close()
        self.browser.hang_up()
