"""Two app servers at ports of their own, the three ways to them through nginx, and a client that comes by https."""

import http.client
import re
import ssl
from pathlib import Path

from tests.live_server import LiveBrowser, LiveServer
from tests.nginx import Site

PREFIX = "/noughts"
GUESTS, REQUESTS = 12, 30  # that an address may bring, that a token may send; in a quarter of an hour


class Client(LiveBrowser):
    """Comes to nginx by https, from any address of this machine."""

    prefix = PREFIX

    def __init__(self, site: Site, address: str = "127.0.0.1") -> None:
        self.port, self.patience, self.address = site.port, 30, address
        self.cookies: dict[str, str] = {}
        self.headers = {"Referer": f"https://127.0.0.1:{site.port}{PREFIX}/"}  # without which no form counts by https

    def connect(self) -> http.client.HTTPConnection:
        anyone = ssl.create_default_context()
        anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection(
            "127.0.0.1", self.port, timeout=self.patience, context=anyone, source_address=(self.address, 0)
        )


class AppServers:
    """`both` asks one after the other; with `first` and `second` one of them is asked as long as it answers.

    nginx asks none that did not answer for ten seconds, for each site by itself: who kills twice takes `spare` ones.
    """

    def __init__(self, folders: list[Path], databases: list[str]) -> None:
        self.made = [
            lambda port=0, folder=folder, database=database: LiveServer(
                folder, 1, port, NOUGHTS_SECRET_KEY="the same for both app servers", NOUGHTS_HTTPS="on",
                NOUGHTS_PREFIX=PREFIX, NOUGHTS_PROXIES="1", NOUGHTS_HOSTS="127.0.0.1",
                NOUGHTS_GUESTS_PER_ADDRESS=str(GUESTS), NOUGHTS_AGENT_REQUESTS=str(REQUESTS), DATABASE_URL=database,
            )
            for folder, database in zip(folders, databases, strict=True)
        ]
        self.running = [make() for make in self.made]
        one, other = (f"127.0.0.1:{server.port}" for server in self.running)
        self.both, self.first = Site("both", one, other), Site("first", one, f"{other} backup")
        self.second = Site("second", other, f"{one} backup")
        self.spare = Site("spare1", one, f"{other} backup"), Site("spare2", other, f"{one} backup")
        self.sites = (self.both, self.first, self.second, *self.spare)

    def kill(self, number: int) -> None:
        """With -9, and nobody listens at its port any more."""
        self.running[number].close()

    def start(self) -> None:
        """Those that do not run."""
        for number, server in enumerate(self.running):
            if server.process is None:
                self.running[number] = server if server.is_listening else self.made[number](server.port)
                self.running[number].start()

    def answered(self) -> list[int]:
        return [len(re.findall(r"(?m) \d{3} [\d.]+ ms$", server.log.read_text())) for server in self.running]
