"""What one machine carries: 1, 2 and 4 workers on SQLite and on PostgreSQL, side by side. `python3 run.py bench scale`.

Writes the figures into docs/scale.md. About seven minutes; with BENCH_SECONDS=1 it tries two workers only and writes
nothing. The clients share the machine's cores with the server, so besides what is answered in a second it counts the
processor time that the server and the database take for one thing: that is what carries over to another machine.
"""

import asyncio
import os
import resource
import signal
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import bench.live as live
from bench._http import Client
from bench.agents import NO_LIMITS, Agent, end, make_agents
from bench.live import Pages, Pair, Stretch, a_few_at_once, percentile, playing, sign_up, stretch, token_on
from bench.site import memory_of, new_site, processes_of
from tests.factories import PASSWORD, make_classroom, put_into
from tests.live_server import LiveServer
from tests.postgres import PostgresServer, running_postgres
from webapp.config import ROOT

DOCUMENT = ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- written by python3 run.py bench scale -->\n", "<!-- as far as here -->\n"
IS_SHORT = "BENCH_SECONDS" in os.environ
WORKERS = (2,) if IS_SHORT else (1, 2, 4)
PEOPLE, IN_CLASS, PAGES, VIEWERS = 60, 30, 500, 8
PACE = 1.0  # seconds between two moves of a game: quicker than people, so that what they cost stands out
BETWEEN_MOVES = 5  # seconds between two moves of one student, of whom the arithmetic of the document speaks
BUSY_AT_MOST = 0.6  # of the cores: beyond it waiting grows quickly, and something must be left for a rush
# Autovacuum stays off: it would fall into one figure and not into the next.
AS_DURABLE_AS_OURS = ["fsync=on", "synchronous_commit=on", "full_page_writes=on"]


class Figures(NamedTuple):
    """Of one database with so many workers. Times in milliseconds, shares of one core in per cent."""

    database: str
    workers: int
    moves: float  # a second, as quickly as possible
    slowest: float  # the slowest of a hundred of them
    move: float  # processor time for one, at a pace, with the opponent's page told and drawn
    shown: float  # until the opponent's page shows it, 95 of 100
    views: float  # of a lesson, a second
    view: float  # processor time for one
    held: int  # open pages
    page: float  # KiB for each
    pages: float  # share that they cost while nothing happens
    agents: float  # share that waiting agents cost


class Place:
    """A server whose workers can be changed, and the database beside it."""

    def __init__(self, name: str, server: LiveServer, postgres: PostgresServer | None) -> None:
        self.name, self.server = name, server
        self.postgres = int((postgres.folder / "data" / "postmaster.pid").read_text().split()[0]) if postgres else 0

    def serve_with(self, workers: int) -> None:
        self.server.end(signal.SIGTERM)
        self.server.environment["NOUGHTS_WORKERS"] = str(workers)
        self.server.start()

    def cpu(self) -> float:
        """Seconds of processor time of the server and the database."""
        ours = sum(int(fields[11]) + int(fields[12]) for fields in processes_of(self.server))
        return (ours + sum(self._of_postgres())) / os.sysconf("SC_CLK_TCK")

    def _of_postgres(self) -> Iterator[int]:
        """Its first process counts those that have ended as well."""
        for status in Path("/proc").glob("[0-9]*/stat") if self.postgres else ():
            try:
                fields = status.read_text().rsplit(")", 1)[1].split()
            except (OSError, IndexError):  # it has just ended
                continue
            if int(status.parent.name) == self.postgres:
                yield sum(map(int, fields[11:15]))
            elif int(fields[1]) == self.postgres:
                yield int(fields[11]) + int(fields[12])


class Scene(NamedTuple):
    """Who is there, the same for any number of workers."""

    pairs: list[Pair]
    teacher: Client
    lesson: str
    agents: list[Agent]


def main() -> int:
    if not IS_SHORT:
        live.SECONDS = 4.0
    found: list[Figures] = []
    for name in ("SQLite", "PostgreSQL"):
        with new_place(name) as (place, app, tokens):
            found += asyncio.run(measure_all(place, app, tokens))
    text = "\n".join(tables(found))
    print(text)
    if not IS_SHORT:
        write(text)
    return 0


@contextmanager
def new_place(name: str) -> Iterator[tuple]:
    """On this machine's disk, each commit as durable as a host has it."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "scale"
        postgres, database = None, {}
        if name == "PostgreSQL":
            postgres = stack.enter_context(running_postgres(AS_DURABLE_AS_OURS, Path(tempfile.gettempdir())))
            database = {"DATABASE_URL": postgres.url(postgres.create())}
        app = new_site(home, **database)
        tokens = make_agents(app)
        server = stack.enter_context(closing(LiveServer(home, 1, **live.SETTINGS, **NO_LIMITS, **database)))
        server.start()
        yield Place(name, server, postgres), app, tokens


async def measure_all(place: Place, app, tokens) -> list[Figures]:
    scene = await prepare(place.server, app, tokens)
    live.cpu_of = lambda server: place.cpu()  # what a stretch counts is the database as well
    return [await measure(place, scene, workers) for workers in WORKERS]


async def prepare(server: LiveServer, app, tokens) -> Scene:
    """People with accounts, half of them in a class whose lesson goes on."""
    people = [Client(server.port) for _ in range(PEOPLE)]
    await a_few_at_once([sign_up(client, number) for number, client in enumerate(people)])
    classroom = make_classroom(app, "teacher7")
    for client in people[:IN_CLASS]:
        put_into(app, classroom, client.name)
    teacher = Client(server.port, name="teacher7")
    teacher.token = token_on((await teacher.get("/log-in")).body)
    assert (await teacher.post("/log-in", name="teacher7", password=PASSWORD)).status == 303
    teacher.token = token_on((await teacher.get("/lobby")).body)
    assert (await teacher.post(f"/classrooms/{classroom}/lesson")).status == 303
    agents = [Agent(server.port, *each) for each in tokens]
    return Scene(list(zip(people[::2], people[1::2], strict=True)), teacher, f"/classrooms/{classroom}/lesson", agents)


async def measure(place: Place, scene: Scene, workers: int) -> Figures:
    print(f"{place.name}, {workers} workers", flush=True)
    place.serve_with(workers)
    server, pairs = place.server, scene.pairs
    quick = await stretch(server, await playing(pairs, 0))
    async with Pages(pairs, PEOPLE, shows=True) as pages:
        paced = await stretch(server, await playing(pairs, PACE, pages))
    viewers = [scene.teacher.copy() for _ in range(VIEWERS)]
    views = await stretch(server, lambda noted: [look(viewer, scene.lesson, noted) for viewer in viewers])
    calm, before = await stretch(server, lambda noted: []), memory_of(server)
    async with Pages(pairs, PAGES) as pages:
        await playing(pairs, 0, pages)
        open_pages = await stretch(server, lambda noted: [])
        held = sum(page.is_open for page in pages.open)
        each = (memory_of(server) - before) * resource.getpagesize() / 1024 / max(held, 1)
    return Figures(
        place.name, workers, quick.rate, 1000 * percentile(quick.posts, 99),
        1000 * paced.cpu / paced.rate, 1000 * percentile(paced.shown, 95),
        views.rate, 1000 * views.cpu / views.rate,
        held, max(each, 0), 100 * (open_pages.cpu - calm.cpu), 100 * (await waiting(server, scene.agents) - calm.cpu),
    )  # fmt: skip


async def look(viewer: Client, lesson: str, noted: Stretch) -> None:
    while True:
        assert (await viewer.get(f"{lesson}/piece")).status == 200
        noted.posts.append(0)


async def waiting(server: LiveServer, agents: list[Agent]) -> float:
    await a_few_at_once([agent.ask("/agent/next", {"wait": 0}) for agent in agents])  # it knows them all
    tasks = [asyncio.create_task(agent.wait()) for agent in agents]
    beside = await stretch(server, lambda noted: [])
    await end(tasks)
    for agent in agents:
        agent.client.hang_up()
    return beside.cpu


# What is written


def tables(found: list[Figures]) -> list[str]:
    first = {one.database: one for one in found if one.workers == WORKERS[0]}
    lines = [f"Measured on {os.cpu_count()} cores of this kind, which the simulated people used as well.", ""]
    lines += head("moves/s", ": one worker", "slowest of 100", "shown, 95 of 100", "lesson views/s", ": one worker")
    for one in found:
        base = first[one.database]
        cells = [f"{one.moves:.0f}", f"{one.moves / base.moves:.2f}", f"{one.slowest:.0f} ms", f"{one.shown:.0f} ms"]
        lines.append(row(one, *cells, f"{one.views:.0f}", f"{one.views / base.views:.2f}"))
    lines += ["", *head("a move", "a lesson view", "pages held", "each page", "all, idle", "200 waiting agents")]
    for one in found:
        cells = [f"{one.move:.1f} ms", f"{one.view:.1f} ms", f"{one.held} of {PAGES}", f"{one.page:.0f} KiB"]
        lines.append(row(one, *cells, f"{one.pages:.1f} % of a core", f"{one.agents:.1f} % of a core"))
    return [*lines, "", *arithmetic(found), ""]


def head(*columns: str) -> list[str]:
    return ["| " + " | ".join(["database", "workers", *columns]) + " |", "| --- |" + " ---: |" * (1 + len(columns))]


def row(one: Figures, *cells: str) -> str:
    return "| " + " | ".join([one.database, str(one.workers), *cells]) + " |"


def arithmetic(found: list[Figures]) -> list[str]:
    """For each database with two workers, as run.py serves: how many students one core carries, step by step."""
    lines = []
    for one in (one for one in found if one.workers == 2):
        each, given = one.move / BETWEEN_MOVES, 1000 * BUSY_AT_MOST
        words = f"- **{one.database}**: a move takes {one.move:.1f} ms of processor time, so a student who makes "
        words += f"one every {BETWEEN_MOVES} s takes {each:.2f} ms of each second. A core busy "
        lines.append(words + f"{BUSY_AT_MOST:.0%} of the time gives {given:.0f} ms: **{given / each:.0f} students**.")
    names = ("SQLite", "PostgreSQL")
    sqlite, postgres = (statistics.fmean(one.move for one in found if one.database == name) for name in names)
    words = "- A move on PostgreSQL : on SQLite, in processor time, the database's own included"
    return [*lines, f"{words}: {postgres / sqlite:.2f}."]


def write(text: str) -> None:
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    DOCUMENT.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192 if hard < 0 else min(8192, hard), hard))
    sys.exit(main())
