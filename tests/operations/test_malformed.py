"""Two thousand requests that no page of ours sends: each is answered, none breaks anything."""

import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from urllib.parse import urlencode

from flask import Flask

from tests.live_server import PATIENCE, LiveBrowser, LiveServer
from tests.operations.answer_checks import check_beside
from tests.operations.players import Player

REQUESTS = 2000
METHODS = ["GET", "POST", "POST", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "BREW", "G\tT"]
FIELDS = [
    "csrf_token", "cell", "ply", "mark", "level", "opponent", "visibility", "key", "public_id",
    "name", "password", "next", "current_password", "new_password", "code", "position", "to_move", "page", "before",
    "result",
]  # fmt: skip
VALUES = [
    "", "0", "-1", "9", "1.5", "true", "0 ", "1e9", str(2**70), "\u0660", "X", "O", "Z", "random", "perfect",
    "computer", "player7", "{{7*7}}", "' OR 1=1 --", "<script>", "\0", "\r\nSet-Cookie: a=b", "a" * 5000,
    "../../etc/passwd", "//example.org", "%00", "\U0001f600",
]  # fmt: skip
ODD_PATHS = [
    "*", "", "//", "/..", "/%2e%2e/%2e%2e/etc/passwd", "/static/..%2f..%2finstance%2fsecret_key", "/%ff%fe",
    "/games/%00", "/games/" + "a" * 3000, "/\u00e9", "/games/%E2%80%AE", "http://example.org/",
]  # fmt: skip
ODD_HEADERS = [
    "Host: example.org", "Host: a b", "Host:", "Content-Length: -1", "Content-Length: 99999999999", "Content-Length: x",
    "Transfer-Encoding: chunked", "Content-Type: multipart/form-data; boundary=", "Content-Type: \xff",
    "Content-Type: application/json", "Cookie: noughts=" + "A" * 43, "Cookie: noughts=\xff\xfe; ;=; a",
    "X-Forwarded-For: 1.2.3.4, nonsense", "X-Forwarded-Proto: gopher", "Range: bytes=9-1", "Accept: ,;q=x",
    "If-None-Match: \"", "If-Modified-Since: yesterday", "Expect: 200-maybe", "Accept-Encoding: " + "x," * 900,
    "Authorization: Bearer " + "=" * 100, "Referer: javascript:1", "Origin: null", "no colon at all",
]  # fmt: skip


class Mischief:
    """Builds requests out of the routes of the site, some forms that are almost right, and plain nonsense."""

    def __init__(self, app: Flask, browser: LiveBrowser, game: str) -> None:
        self.random, self.browser, self.game = Random(20), browser, game
        self.routes = sorted({rule.rule for rule in app.url_map.iter_rules()} - {"/log-out"})  # it would work
        self.token = browser.get("/").csrf_token

    def path(self) -> str:
        if self.random.random() < 0.1:
            return self.random.choice(ODD_PATHS)
        words = self.random.choice(self.routes).replace(">", "<").split("<")
        words[1::2] = [self.random.choice([self.game, self.game, "nothere", "%0a", "7"]) for _ in words[1::2]]
        query = "?" + self.form() if self.random.random() < 0.3 else ""
        return "".join(words) + query

    def form(self) -> str:
        names = self.random.choices(FIELDS, k=self.random.randrange(6))
        fields = [(name, self.random.choice(VALUES)) for name in names]
        if self.random.random() < 0.7:
            fields.append(("csrf_token", self.token))
        return urlencode(fields)

    def body(self) -> bytes:
        if self.random.random() < 0.2:
            return self.random.randbytes(self.random.randrange(300))
        return self.form().encode()

    def request(self) -> bytes:
        body = self.body()
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        lines = [f"{self.random.choice(METHODS)} {self.path()} HTTP/1.1", "Connection: close"]
        lines += self.random.choices(ODD_HEADERS, k=self.random.choice([0, 0, 1, 2]))
        told = {line.partition(":")[0] for line in lines}
        for line in (f"Host: 127.0.0.1:{self.browser.port}", f"Content-Length: {len(body)}", f"Cookie: {cookies}",
                     "Content-Type: application/x-www-form-urlencoded"):  # fmt: skip
            if line.partition(":")[0] not in told:
                lines.append(line)
        return "\r\n".join([*lines, "", ""]).encode("utf-8") + body


def head_of_answer(port: int, request: bytes) -> bytes:
    """The answer's first lines; nothing where the connection was closed without a word."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        try:
            connection.sendall(request)
            head = b""
            while b"\r\n\r\n" not in head and (more := connection.recv(4096)):
                head += more
            return head
        except ConnectionError:
            return b""


def test_two_thousand_malformed_requests_break_nothing(app: Flask, server: LiveServer) -> None:
    player = Player(server, 1, [])
    player.sign_up()
    game = player.begin(player.get("/").csrf_token)
    mischief = Mischief(app, player, game)
    requests = [mischief.request() for _ in range(REQUESTS)]
    with ThreadPoolExecutor(4) as threads:
        heads = list(threads.map(lambda request: head_of_answer(server.port, request), requests))
    statuses = Counter(head.split(b" ")[1].decode() if head else "none" for head in heads)
    broken = [(request, head) for request, head in zip(requests, heads, strict=True) if is_broken(head)]
    assert broken == [], statuses
    assert statuses.keys() >= {"200", "303", "400", "404", "405"}, "the mischief reaches the site"
    assert player.get("/account").status == 200, "all the while somebody was logged in"
    assert "Traceback" not in server.log.read_text()
    assert check_beside(server.database, player.log) == []


def is_broken(head: bytes) -> bool:
    status = head.partition(b" ")[2][:3]
    return status.startswith(b"5") and not (status == b"503" and b"retry-after:" in head)
