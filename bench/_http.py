"""Browsers by the hundred for the benchmarks: HTTP over asyncio, just as much of it as our server speaks."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

PATIENCE = 60


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """One browser with its cookie and one line, which it keeps open between two requests."""

    def __init__(self, port: int, cookie: str = "", token: str = "", name: str = "") -> None:
        self.port, self.cookie, self.token, self.name = port, cookie, token, name
        self.line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def copy(self) -> "Client":
        """The same browser on another line, for a page of its own."""
        return Client(self.port, self.cookie, self.token, self.name)

    async def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        return await self.request("GET", path, headers or {})

    async def post(self, path: str, **fields: object) -> Answer:
        body = urlencode({"csrf_token": self.token, **fields}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
        return await self.request("POST", path, kind, body)

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


class Page:
    """A page that listens to a game on a line of its own, and fetches the piece if it `shows` what it is told."""

    def __init__(self, browser: Client, game: str, told: Callable[[str], None], shown: Callable[[str], None]) -> None:
        self.browser, self.game, self.told, self.shown = browser.copy(), game, told, shown
        self.shows = self.is_open = False
        self._writer: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> bool:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self.browser.port)
        self._writer.write(self.browser.head("GET", f"/events?game={self.game}", {}))
        status, _ = await read_head(reader)
        if status == 200:
            self.is_open = True
            self._task = asyncio.create_task(self._listen(reader))
        else:
            self._writer.close()
        return self.is_open

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        event = ""
        while line := (await reader.readline()).decode().strip() or not reader.at_eof():
            if line is not True and line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line is not True and line.startswith("data: ") and event == "changed":
                await self._hear(json.loads(line.removeprefix("data: ")))
        self.is_open = False

    async def _hear(self, data: dict[str, Any]) -> None:
        if "what" not in data:
            self.told(data["version"])
        if self.shows:
            await self.browser.get(f"/games/{self.game}/piece")
            self.shown(data["version"])

    def close(self) -> None:
        self.is_open = False
        if self._task:
            self._task.cancel()
        if self._writer:
            self._writer.close()
        self.browser.hang_up()
