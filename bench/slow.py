"""How long other people wait for a page while clients dawdle. `python3 run.py bench slow`.

Side by side in one run: the same pages without the others. All clients share the machine's cores with the server.
"""

import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket

from bench._table import Table
from bench.site import new_site
from tests.live_server import LiveBrowser, LiveServer, live_server
from tests.serving.slow_clients import HALF_A_BODY, HALF_A_HEAD, WHOLE, held, log_in_request

SECONDS = 8  # each attack is held so long; it is shorter than any deadline of the server
PACE = 0.05  # seconds between two pages


def main() -> int:
    table = Table("python3 run.py bench slow")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "slow"
        new_site(home)
        with live_server(home, NOUGHTS_GUESSES_PER_ADDRESS="10000") as server:
            measure(server, table)
    table.write()
    return 0


def measure(server: LiveServer, table: Table) -> None:
    log_in = log_in_request(server, "rusher")
    pages_meanwhile(server)
    for what, count, sent in (
        ("40 sockets left open after their answer (HTTP/1.0)", 40, WHOLE),
        ("900 half-sent heads", 900, HALF_A_HEAD),
        ("900 half-sent bodies", 900, HALF_A_BODY),
        ("2,000 idle connections", 2000, b""),
        ("240 log-ins with Connection: close", 240, log_in),
    ):
        report(server, table, what, lambda count=count, sent=sent: held(server, count, sent))
    report(server, table, "900 heads that come one byte a second", lambda: dripping(server, 900))


def report(server: LiveServer, table: Table, what: str, attack: Callable[[], object]) -> None:
    calm = pages_meanwhile(server)
    with attack():
        waits = pages_meanwhile(server)
    ratio = statistics.median(waits) / statistics.median(calm)
    words = f"seconds; without them {max(calm):.2f}; the middle one of {len(waits)} waits is {ratio:.1f} times as long"
    table.add(f"longest wait for a page beside {what}", max(waits), "<=", 1, words)


def pages_meanwhile(server: LiveServer) -> list[float]:
    """How long each page took that somebody fetched in this time."""
    waits, ends_at = [], time.perf_counter() + SECONDS
    while (began := time.perf_counter()) < ends_at:
        assert LiveBrowser(server, patience=60).get("/").status == 200
        waits.append(time.perf_counter() - began)
        time.sleep(PACE)
    return waits


@contextmanager
def dripping(server: LiveServer, count: int) -> Iterator[None]:
    with held(server, count, b"") as connections:
        is_over = threading.Event()
        thread = threading.Thread(target=drip, args=(connections, is_over))
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()


def drip(connections: list[socket], is_over: threading.Event) -> None:
    for byte in HALF_A_HEAD:
        for connection in connections:
            connection.send(bytes([byte]))
        if is_over.wait(1):
            return


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192 if hard < 0 else min(8192, hard), hard))
    sys.exit(main())
