"""What breaks, one thing at a time, while a class plays. Each fault takes about so many seconds, and mends itself."""

import errno
import itertools
import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import psycopg

from tests.live_server import LiveBrowser
from tests.operations.test_malformed import Mischief, head_of_answer, is_broken
from tests.postgres import PostgresServer
from tests.serving.slow_clients import HALF_A_BODY, HALF_A_HEAD, held, log_in_request
from tests.soak.site import Site

Break = Callable[[Site, float], str]  # gives what was done, in words


class Fault(NamedTuple):
    name: str
    run: Break
    needs: Callable[[Site], bool] = lambda site: True  # of the machine
    kinds: tuple[str, ...] = ("SQLite", "PostgreSQL")  # of database for which it means something
    is_pause: bool = False  # nobody can be answered while it lasts, so that its p99 says how long it lasted
    cuts: bool = False  # whoever asks a process that is killed gets no answer; in any other stretch everybody does


def calm(site: Site, seconds: float) -> str:
    time.sleep(seconds)
    return ""


def kill_workers(site: Site, seconds: float) -> str:
    numbers = itertools.count()
    count = _repeat(lambda: site.kill_a_worker(next(numbers)), 2, seconds)
    return f"{count} killed with -9"


def kill_server(site: Site, seconds: float) -> str:
    def kill_and_start() -> None:
        site.server.kill()
        site.server.start()

    return f"{_repeat(kill_and_start, 5, seconds)} times, all workers at once, with -9"


def reload(site: Site, seconds: float) -> str:
    """A new version comes in: its workers first, then the old ones end what they have begun."""
    def tell_supervisor() -> None:
        assert site.server.process
        os.kill(site.server.process.pid, signal.SIGHUP)

    return f"{_repeat(tell_supervisor, 10, seconds)} times SIGHUP"


def kill_postgres(site: Site, seconds: float) -> str:
    """In turns all of it, which somebody must start again, and one process, whose end lets all of it recover."""
    postgres = site.postgres
    assert postgres is not None
    ways = itertools.cycle((lambda: (postgres.kill(), postgres.recover()), lambda: _kill_a_process(postgres)))
    return f"{_repeat(lambda: next(ways)(), 5, seconds)} times with -9, in turns all of it and one of its processes"


def _kill_a_process(postgres: PostgresServer) -> None:
    theirs = "SELECT pid FROM pg_stat_activity WHERE datname LIKE 'test%' AND state IS NOT NULL LIMIT 1"
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        row = connection.execute(theirs).fetchone()
    if row:
        os.kill(row[0], signal.SIGKILL)


def fill_disk(site: Site, seconds: float) -> str:
    with site.filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(2**20))
        except OSError as error:
            assert error.errno == errno.ENOSPC
    time.sleep(seconds)
    site.filler.unlink()
    return "no byte free" + _started_again(site)


def fail_to_sync(site: Site, seconds: float) -> str:
    site.sync_fails.touch()
    time.sleep(seconds)
    site.sync_fails.unlink()
    return "each fsync fails with an input/output error" + _started_again(site)


def _started_again(site: Site) -> str:
    """PostgreSQL gives itself up if it cannot write its log; a service manager would start it again."""
    is_new = site.postgres is not None and site.postgres.recover()
    return "; PostgreSQL ended itself and was started again" if is_new else ""


def send_nonsense(site: Site, seconds: float) -> str:
    browser = LiveBrowser(site.server)
    browser.sign_up(f"mischief{time.monotonic_ns() % 10**9}")
    with site.app() as app:
        mischief = Mischief(app, browser, "nothere")
    requests = [mischief.request() for _ in range(int(10_000 * min(1, seconds / 30)))]
    begins, each = time.monotonic(), seconds / len(requests)

    def send(number: int) -> bytes:
        """Evenly over the time: as quickly as possible would measure who shares these two cores, not the site."""
        time.sleep(max(0, begins + number * each - time.monotonic()))
        return head_of_answer(site.server.port, requests[number])

    with ThreadPoolExecutor(4) as threads:
        heads = list(threads.map(send, range(len(requests))))
    broken = [head for head in heads if is_broken(head)]
    assert not broken, broken[:3]
    kinds = Counter(f"{head[9:10].decode()}xx" if head else "closed" for head in heads)
    return f"{len(requests)} malformed requests: " + ", ".join(f"{kind} {kinds[kind]}" for kind in sorted(kinds))


def dawdle(site: Site, seconds: float) -> str:
    with held(site.server, 250, HALF_A_HEAD), held(site.server, 250, HALF_A_BODY), held(site.server, 2000, b""):
        time.sleep(seconds)
    return "500 half-sent requests and 2,000 idle connections"


def log_in_together(site: Site, seconds: float) -> str:
    """Sixty at one moment, behind one address; again and again. Fewer in a short soak: each hashes a password."""
    many = max(8, int(60 * min(1, seconds / 20)))

    def log_in() -> None:
        request = log_in_request(site.server, f"class{time.monotonic_ns() % 10**9}")
        with ThreadPoolExecutor(many) as threads:
            heads = list(threads.map(lambda _: head_of_answer(site.server.port, request), range(many)))
        assert all(head.split(b" ")[1:2] == [b"303"] for head in heads), Counter(head[:12] for head in heads)

    return f"{_repeat(log_in, 10, seconds)} times {many} log-ins at one moment"


def set_clock(site: Site, seconds: float) -> str:
    for offset in (3600, -3600, 0):
        site.set_clock(offset)
        time.sleep(seconds / 3)
    return "an hour forward, two back, one forward"


FAULTS = (
    Fault("workers killed", kill_workers, cuts=True),
    Fault("server killed", kill_server, is_pause=True, cuts=True),
    Fault("new version", reload),
    Fault("PostgreSQL killed", kill_postgres, kinds=("PostgreSQL",), is_pause=True),
    Fault("disk full", fill_disk, lambda site: site.has_small_disk),
    Fault("disk fails", fail_to_sync, lambda site: site.is_faulty),
    Fault("malformed requests", send_nonsense),
    Fault("slow clients", dawdle),
    Fault("log-ins at once", log_in_together),
    Fault("clock jumps", set_clock, lambda site: site.is_faulty),
)


def _repeat(action: Callable[[], None], pause: float, seconds: float) -> int:
    """With pauses between, at least once; gives how often."""
    ends_at, count = time.monotonic() + seconds, 0
    while not count or time.monotonic() + pause < ends_at:
        action()
        count += 1
        time.sleep(max(0, min(pause, ends_at - time.monotonic())))
    return count
