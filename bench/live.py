"""What it costs that pages are told of changes by themselves, as ratios in one run. `python3 run.py bench live`.

200 people play 100 games through real HTTP on two workers, served as run.py serves them. The clients
share the machine's cores with the server, so every figure is worse than on a server of its own.
"""

import asyncio
import os
import re
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from bench._http import Client, Page
from bench._table import Table
from bench.site import bare_server, memory_of, new_site, processes_of
from tests.live_server import LiveServer

PEOPLE, PAGES, MANY = 200, 300, 1000
SECONDS = float(os.environ.get("BENCH_SECONDS", "12"))  # for each stretch that is measured: a minute in five rounds
ROUNDS = 5  # what is compared takes turns, and the middle ratio counts: a noisy machine is noisy for a while
PACE = 3.0  # seconds between two moves of a game, where people play as people do
DRAWN = [0, 1, 2, 4, 3, 5, 7, 6, 8]  # a game of nine moves
SETTINGS = {
    "NOUGHTS_STREAMS_PER_USER": "1000", "NOUGHTS_SIGN_UPS_PER_ADDRESS": "1000", "NOUGHTS_OPENED_GAMES": "1000000",
}  # fmt: skip

Pair = tuple[Client, Client]
Work = Coroutine[Any, Any, Any]
Result = TypeVar("Result")


class Stretch:
    """What happened in one stretch of time: posts with the page that each leads to, and how long after a press other
    pages were told and showed it.
    """

    def __init__(self) -> None:
        self.posts: list[float] = []
        self.told: list[float] = []
        self.shown: list[float] = []
        self.pressed: dict[tuple[str, str], float] = {}
        self.rate = self.cpu = 0.0
        self.busy = 0  # answers of 503

    def add(self, other: "Stretch") -> None:
        """Many rounds as one: what is rare shows only among many."""
        self.posts += other.posts
        self.told += other.told
        self.shown += other.shown
        self.cpu += other.cpu


def main() -> int:
    table = Table("python3 run.py bench live")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "live"
        new_site(home)
        server = LiveServer(home, **SETTINGS)
        with closing(server), bare_server(home, workers=2) as bare:
            server.start()
            asyncio.run(measure(server, bare, table))
    table.write()
    return 0


async def measure(server: LiveServer, bare: int, table: Table) -> None:
    print(f"{PEOPLE} people sign up")
    people = [Client(server.port) for _ in range(PEOPLE)]
    await a_few_at_once([sign_up(client, number) for number, client in enumerate(people)])
    pairs = list(zip(people[::2], people[1::2], strict=True))
    before = memory_of(server)
    await report_speed(server, bare, pairs, table)
    await report_pace(server, pairs, table)
    await report_many(server, pairs, before, table)


async def report_speed(server: LiveServer, bare: int, pairs: list[Pair], table: Table) -> None:
    print("As quickly as the machine can")
    rounds: list[tuple[Stretch, Stretch, Stretch]] = []
    without_scripts = []
    for _ in range(ROUNDS):
        floor = await stretch(server, lambda noted: [post_rows(Client(bare), noted) for _ in pairs])
        let_scripts(pairs, False)
        without_scripts.append(floor.rate / (await stretch(server, await playing(pairs, 0))).rate)
        let_scripts(pairs, True)
        alone = await stretch(server, await playing(pairs, 0))
        async with Pages(pairs, PAGES) as pages:
            rounds.append((floor, alone, await stretch(server, await playing(pairs, 0, pages))))
    floor, alone, _ = rounds[-1]
    words = f"in the last round {alone.rate:.0f} moves/s, p50 {ms(alone.posts, 50)}, p99 {ms(alone.posts, 99)}; bare: "
    words += f"{floor.rate:.0f} posts/s, p50 {ms(floor.posts, 50)}, p99 {ms(floor.posts, 99)}; "
    words += f"too busy {sum(one.busy for _, one, _ in rounds)} times, bare {sum(one.busy for one, _, _ in rounds)}"
    floors = [floor.rate / alone.rate for floor, alone, _ in rounds]
    table.add("100 games by 200 people: bare posts : moves", statistics.median(floors), "<=", 4, words)
    words = "each move a post and a page, as each bare post is in both"
    table.add("the same, scripts off: bare posts : moves", statistics.median(without_scripts), "<=", 4, words)
    slowest = [percentile(alone.posts, 99) / percentile(floor.posts, 99) for floor, alone, _ in rounds]
    what = "the slowest move in a hundred : the slowest bare post, each with its page"
    table.add(what, statistics.median(slowest), "<=", 3)
    kept = [beside.rate / alone.rate for _, alone, beside in rounds]
    words = "moves/s in each round " + ", ".join(f"{beside.rate:.0f} : {alone.rate:.0f}" for _, alone, beside in rounds)
    table.add(f"moves beside {PAGES} pages that are told : without", statistics.median(kept), ">=", 0.8, words)


async def report_pace(server: LiveServer, pairs: list[Pair], table: Table) -> None:
    print("At the pace of people")
    shares = []
    for _ in range(ROUNDS):
        alone = await stretch(server, await playing(pairs, PACE))
        async with Pages(pairs, PAGES) as pages:
            told = await stretch(server, await playing(pairs, PACE, pages))
        asked = await stretch(server, await playing(pairs, PACE, asking=PAGES))
        more, much_more = max(told.cpu - alone.cpu, 0.001), max(asked.cpu - alone.cpu, 0.001)
        shares.append((more / much_more, more, much_more, alone.cpu))
    share, more, much_more, play = statistics.median_low(shares)
    words = f"{more:.1%} against {much_more:.1%} of a core, beside {play:.1%} for the play alone"
    table.add(f"CPU that {PAGES} streams add : that asking every 2 s adds", share, "<=", 0.25, words)
    seen = Stretch()
    for _ in range(ROUNDS):
        async with Pages(pairs, PAGES, shows=True) as pages:
            seen.add(await stretch(server, await playing(pairs, PACE, pages)))
    for what, times in (("is told of it", seen.told), ("shows it, HTML and all", seen.shown)):
        slow, words = 1000 * percentile(times, 95), f"p50 {ms(times, 50)}, p99 {ms(times, 99)}, {len(times)} moves"
        table.add(f"ms from a press until the opponent's page {what}, p95", slow, "<=", 100, words)


async def report_many(server: LiveServer, pairs: list[Pair], before: float, table: Table) -> None:
    print(f"{MANY} pages")
    alone, beside = Stretch(), Stretch()
    for _ in range(ROUNDS):
        alone.add(await stretch(server, await playing(pairs, PACE)))
        async with Pages(pairs, MANY) as pages:
            beside.add(await stretch(server, await playing(pairs, PACE, pages)))
            held = sum(page.is_open for page in pages.open)
            each = (memory_of(server) - before) * resource.getpagesize() / 1024 / max(held, 1)
    words = f"{each:.0f} KiB each; play and streams take {beside.cpu / ROUNDS:.1%} of a core, "
    table.add("streams held", held, ">=", MANY, words + f"play alone {alone.cpu / ROUNDS:.1%}")
    slowest = percentile(beside.posts, 99) / percentile(alone.posts, 99)
    words = f"{ms(beside.posts, 99)} against {ms(alone.posts, 99)}; told p95 {ms(beside.told, 95)}"
    table.add(f"the slowest move in a hundred beside {MANY} streams : without", slowest, "<=", 2, words)


# What people do


def let_scripts(pairs: list[Pair], run: bool) -> None:
    for client in (client for pair in pairs for client in pair):
        client.has_scripts = run


def token_on(page: bytes) -> str:
    found = re.search(rb'name="csrf_token"[^>]* value="([^"]+)"', page)
    assert found, "no form on the page"
    return found[1].decode()


async def sign_up(client: Client, number: int) -> None:
    client.name = f"player{number}"
    client.token = token_on((await client.get("/sign-up")).body)
    assert (await client.post("/sign-up", name=client.name, password="correct horse")).status == 303
    client.token = token_on((await client.get("/lobby")).body)


async def press(client: Client, path: str, noted: Stretch, **fields: object) -> str:
    """Post, and get the page: in the answer, or where it leads to, as every browser does; gives its address.

    Once more if the database was too busy to take it: with SQLite a hundred at once may wait too long.
    """
    began = time.perf_counter()
    while (answer := await client.post(path, **fields)).status >= 500:
        noted.busy += 1
    address = answer.headers.get("content-location") or answer.headers["location"]
    if answer.status == 303:
        answer = await client.get(address)
    assert answer.status == 200, (answer.status, answer.body)
    noted.posts.append(time.perf_counter() - began)
    return address


async def begin(one: Client, other: Client) -> str:
    """A new game of the two; gives its id."""
    address = await press(one, "/games", Stretch(), opponent=other.name, mark="X")
    await press(other, f"{address}/join", Stretch())
    one.game = address.rsplit("/")[-1]
    return one.game


async def leave(one: Client) -> None:
    """The game that the end of the last stretch has cut short: nobody may have many that are unfinished."""
    if one.game:
        await one.post(f"/games/{one.game}/resign")


async def play(pair: Pair, game: str, pace: float, noted: Stretch, pages: "Pages | None", number: int) -> None:
    """Game after game; the pages follow. All leave the first one early, each at another ply, so as not to keep step."""
    await asyncio.sleep(pace * number / PEOPLE * 2)
    moves, following = DRAWN[: 1 + number % len(DRAWN)], None
    while True:
        for ply, cell in enumerate(moves):
            noted.pressed[game, str(ply + 2)] = time.perf_counter()
            await press(pair[ply % 2], f"/games/{game}/moves", noted, cell=cell, ply=ply)
            await asyncio.sleep(pace)
        game, moves = await begin(*pair), DRAWN
        if pages:  # whoever plays need not wait until a page listens
            if following:
                await following
            following = asyncio.create_task(pages.follow(number, game, pace))


async def post_rows(client: Client, noted: Stretch) -> None:
    while True:
        await press(client, "/row", noted, cell=0, ply=0)


async def ask(client: Client, game: str, number: int) -> None:
    """A page without a stream, on a line of its own."""
    own, tag = client.copy(), ""
    await asyncio.sleep(2 * number / PAGES)
    while True:
        answer = await own.get(f"/games/{game}/state", {"If-None-Match": tag} if tag else {})
        tag = answer.headers.get("etag", tag)
        await asyncio.sleep(2)


class Pages:
    """So many open pages: one for each player, and the rest watch. They are opened when the games are known."""

    def __init__(self, pairs: list[Pair], count: int, shows: bool = False) -> None:
        self.pairs, self.count, self.shows = pairs, count, shows
        self.open: list[Page] = []
        self.noted = Stretch()

    async def __aenter__(self) -> "Pages":
        return self

    async def __aexit__(self, *_: object) -> None:
        for page in self.open:
            page.close()
        await asyncio.sleep(2)

    async def begin(self, games: list[str]) -> None:
        self.open = await a_few_at_once([self._page(number, games) for number in range(self.count)])

    async def _page(self, number: int, games: list[str]) -> Page:
        """Page 2n is the first player's of game n, page 2n + 1 the second's, as long as there are games."""
        which = (number // 2) % len(games)
        page = self._new(number, which, games[which])
        for _ in range(5):  # whoever is refused tries again later, and perhaps meets the other worker
            if await page.open():
                break
            await asyncio.sleep(0.5)
        return page

    def _new(self, number: int, which: int, game: str) -> Page:
        is_players = number < 2 * len(self.pairs)

        def is_own(version: str) -> bool:
            """Version 2 is the first player's move. Whoever made a move has the page already that shows it."""
            return is_players and version.isdigit() and int(version) % 2 == number % 2

        def note(times: Callable[[Stretch], list[float]]) -> Callable[[str], None]:
            def noted(version: str) -> None:
                began = self.noted.pressed.get((game, version))
                if began and is_players and not is_own(version):
                    times(self.noted).append(time.perf_counter() - began)

            return noted

        page = Page(self.pairs[which][number % 2], game, is_own, note(lambda s: s.told), note(lambda s: s.shown))
        page.shows = self.shows
        return page

    async def follow(self, which: int, game: str, pace: float) -> None:
        """The pages of one game go on to the next: those of its players at once, each of the others in its own time."""
        numbers = [number for number in range(len(self.open)) if (number // 2) % len(self.pairs) == which]
        watchers = numbers[2:]
        waits = [0.0, 0.0, *(pace * place / len(watchers) for place in range(len(watchers)))]
        await asyncio.gather(*(self._go_on(*each, which, game) for each in zip(numbers, waits, strict=True)))

    async def _go_on(self, number: int, wait: float, which: int, game: str) -> None:
        await asyncio.sleep(wait)
        self.open[number].close()
        self.open[number] = self._new(number, which, game)
        await self.open[number].open()


async def playing(
    pairs: list[Pair], pace: float, pages: Pages | None = None, asking: int = 0
) -> Callable[[Stretch], list[Work]]:
    await a_few_at_once([leave(pair[0]) for pair in pairs])
    games = await a_few_at_once([begin(*pair) for pair in pairs])
    if pages:
        await pages.begin(games)

    def work(noted: Stretch) -> list[Work]:
        if pages:
            pages.noted = noted
        plays = [play(pair, games[n], pace, noted, pages, n) for n, pair in enumerate(pairs)]
        return plays + [ask(pairs[n % len(pairs)][n % 2], games[n % len(games)], n) for n in range(asking)]

    return work


# Measuring


async def a_few_at_once(work: list[Coroutine[Any, Any, Result]]) -> list[Result]:
    room = asyncio.Semaphore(8)

    async def one(each: Coroutine[Any, Any, Result]) -> Result:
        async with room:
            return await each

    return await asyncio.gather(*map(one, work))


async def stretch(server: LiveServer, work: Callable[[Stretch], list[Work]]) -> Stretch:
    """Let it run for a while. The processor time that the server took is given as a share of one core."""
    noted = Stretch()
    tasks = [asyncio.create_task(each) for each in work(noted)]
    await asyncio.sleep(2)
    noted.posts.clear()
    began, cpu = time.perf_counter(), cpu_of(server)
    await asyncio.sleep(SECONDS)
    passed = time.perf_counter() - began
    noted.cpu, noted.rate = (cpu_of(server) - cpu) / passed, len(noted.posts) / passed
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(result, asyncio.CancelledError):
            raise AssertionError(repr(result))
    await asyncio.sleep(2)  # what the server was still busy with
    return noted


def cpu_of(server: LiveServer) -> float:
    """Seconds of processor time that the server and its workers have used."""
    ticks = sum(int(fields[11]) + int(fields[12]) for fields in processes_of(server))
    return ticks / os.sysconf("SC_CLK_TCK")


def percentile(times: list[float], which: int) -> float:
    return statistics.quantiles(times, n=100)[which - 1] if len(times) > 1 else float("nan")


def ms(times: list[float], which: int) -> str:
    return f"{1000 * percentile(times, which):.0f} ms"


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192 if hard < 0 else min(8192, hard), hard))
    sys.exit(main())
