"""What programs that play cost, as ratios in one run. `python3 run.py bench agents`.

200 agents wait, 30 play each other, and 20 play people whose pages are open, over real HTTP on two workers, served as
run.py serves them. The agents here think as long as they are told to, and play from a list: what is measured is the
site. They share the machine's cores with the server, so every figure is worse than on a server of its own.
"""

import asyncio
import json
import re
import resource
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from flask import Flask

import bench.live as live
from bench._http import Client, Page
from bench._table import Table
from bench.live import (
    DRAWN,
    ROUNDS,
    SETTINGS,
    Pair,
    Stretch,
    a_few_at_once,
    leave,
    ms,
    percentile,
    playing,
    press,
    stretch,
)
from bench.site import bare_server, new_site, processes_of
from tests.factories import make_user
from tests.live_server import LiveServer
from webapp.agents.services import MOST_AGENTS, make_agent

WAITING, BUSY, PEOPLE = 200, 30, 40
PACE = 1.0  # seconds between two moves of a person
THINKING = 0.25  # seconds for a move: about what alpha-beta on lists needs for the first one
NO_LIMITS = {"NOUGHTS_AGENT_REQUESTS": "1000000", "NOUGHTS_AGENT_GAMES": "1000000"}


class Agent:
    """One program on one connection."""

    def __init__(self, port: int, name: str, token: str) -> None:
        self.client, self.name, self.game = Client(port), name, ""
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    async def post(self, path: str, body: Any) -> Page:
        sent = json.dumps(body).encode()
        headers = {**self.headers, "Content-Length": str(len(sent))}
        return await self.client.request("POST", f"/api/v1{path}", headers, sent)

    async def ask(self, path: str, body: Any) -> dict[str, Any]:
        answer = await self.post(path, body)
        assert answer.status in (200, 201), (answer.status, answer.body)
        return dict(json.loads(answer.body))

    async def begin(self, other: "Agent") -> None:
        self.game = (await self.ask("/games", {"opponent": other.name, "mark": "X"}))["game"]

    async def leave(self) -> None:
        """The game that it began, if the end of a stretch has cut it short: it counts among those that it may play at
        once, and its job would be handed out before that of any newer game.
        """
        if self.game:
            await self.post(f"/games/{self.game}/resign", {})

    async def wait(self) -> None:
        while True:
            await self.ask("/agent/next", {})

    async def play(self, other: "Agent", is_first: bool, pace: float, noted: Stretch) -> None:
        """Game after game against one opponent; the first begins each. Every answer is a post, and what is `shown` is
        the time from the opponent's answer to the job that it made."""
        answer: dict[str, Any] | None = None
        is_new = True
        while True:
            if is_first and answer is None:
                await self.leave()
            if is_first and (answer is None or answer["ply"] == len(DRAWN) - 1):
                await self.begin(other)
            began = time.perf_counter()
            if answer:
                noted.pressed[answer["game"], str(answer["ply"])] = began
            came = await self.ask("/agent/next", {"answer": answer, "wait": 25})
            if answer:
                assert came["accepted"] or is_new, came  # the first may be for a game that was cut off
                noted.posts.append(time.perf_counter() - began)
                is_new = False
            job = came["job"]
            if job is None:
                answer = None
                continue
            if sent_at := noted.pressed.pop((job["game"], str(job["ply"] - 1)), 0.0):
                noted.shown.append(time.perf_counter() - sent_at)
            await asyncio.sleep(pace)
            answer = {"game": job["game"], "ply": job["ply"], "cell": DRAWN[job["ply"]], "nodes": 1, "microseconds": 1}


def main() -> int:
    table = Table("python3 run.py bench agents")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "agents"
        tokens = make_agents(new_site(home))
        server = LiveServer(home, **SETTINGS, **NO_LIMITS)
        with closing(server), bare_server(home, workers=2) as bare:
            server.start()
            agents = [Agent(server.port, name, token) for name, token in tokens]
            asyncio.run(measure(server, bare, agents, table))
    table.write()
    return 0


def make_agents(app: Flask) -> list[tuple[str, str]]:
    with app.app_context():
        owners = [make_user(app, f"owner{number}") for number in range(WAITING // MOST_AGENTS)]
        made = [make_agent(owner, f"agent{owner}-{number}") for owner in owners for number in range(MOST_AGENTS)]
    return [(one.name, one.token) for one in made]


async def measure(server: LiveServer, bare: int, agents: list[Agent], table: Table) -> None:
    await report_waiting(server, agents, table)
    for agent in agents:
        agent.client.hang_up()
    await report_play(server, bare, agents[:BUSY], table)
    people = [Client(server.port) for _ in range(PEOPLE)]
    await a_few_at_once([live.sign_up(client, number) for number, client in enumerate(people)])
    await report_people(server, agents[:BUSY], people, table)
    await report_seen(server, agents[: PEOPLE // 2], people, table)


async def report_waiting(server: LiveServer, agents: list[Agent], table: Table) -> None:
    print(f"{WAITING} agents wait")
    await asyncio.gather(*(agent.ask("/agent/next", {"wait": 0}) for agent in agents))  # the pools are at their size
    idle = await stretch(server, lambda noted: [])
    threads = threads_of(server)
    tasks = [asyncio.create_task(agent.wait()) for agent in agents]
    beside = await stretch(server, lambda noted: [])
    added = threads_of(server) - threads
    await end(tasks)
    words = f"{beside.cpu:.1%} of a core, without them {idle.cpu:.1%}"
    table.add(f"% of a core that {WAITING} waiting agents cost", 100 * (beside.cpu - idle.cpu), "<=", 5, words)
    table.add(f"threads that {WAITING} waiting agents add", added, "<=", 10, f"{threads} without them")


async def report_play(server: LiveServer, bare: int, agents: list[Agent], table: Table) -> None:
    print(f"{BUSY} agents play each other")
    rounds: list[tuple[Stretch, Stretch]] = []
    told = Stretch()
    for _ in range(ROUNDS):
        floor = await stretch(server, lambda noted: [post_bare(Client(bare), noted) for _ in range(BUSY // 2)])
        rounds.append((floor, await play_for_a_while(server, agents, 0)))
        told.add(await play_for_a_while(server, agents, THINKING))
    floor, quick = rounds[-1]
    floors = [floor.rate / quick.rate for floor, quick in rounds]
    games = quick.rate / len(DRAWN)
    words = f"in the last round {quick.rate:.0f} moves/s, {games:.0f} games/s, against {floor.rate:.0f} bare posts/s"
    table.add(f"{BUSY} agents as quickly as they can: bare posts : moves", statistics.median(floors), "<=", 4, words)
    words = f"p50 {ms(told.shown, 50)}, p99 {ms(told.shown, 99)}, {len(told.shown)} moves of {THINKING} s; "
    words += f"as quickly as they can p95 {ms(quick.shown, 95)}"
    slow = 1000 * percentile(told.shown, 95)
    table.add("ms from an answer until the opponent has its next job, p95", slow, "<=", 100, words)


async def report_people(server: LiveServer, agents: list[Agent], people: list[Client], table: Table) -> None:
    print(f"{PEOPLE} people beside {BUSY} busy agents")
    pairs = pairs_of(people)
    rounds: list[tuple[Stretch, Stretch]] = []
    for _ in range(ROUNDS):
        alone = await stretch(server, await playing(pairs, 0))
        tasks = busy(agents, THINKING, Stretch())
        rounds.append((alone, await stretch(server, await playing(pairs, 0))))
        await end(tasks)
    kept = [beside.rate / alone.rate for alone, beside in rounds]
    words = "moves/s in each round " + ", ".join(f"{beside.rate:.0f} : {alone.rate:.0f}" for alone, beside in rounds)
    what = f"people's moves beside {BUSY} agents that think {THINKING} s a move : without"
    table.add(what, statistics.median(kept), ">=", 0.8, words)


def pairs_of(people: list[Client]) -> list[Pair]:
    return list(zip(people[::2], people[1::2], strict=True))


async def report_seen(server: LiveServer, agents: list[Agent], people: list[Client], table: Table) -> None:
    """How soon an open page shows a move: people against agents, and beside them people against people."""
    for client in people:
        await leave(client)
    for agent in agents:  # of each two that played, the first
        await agent.leave()
    alone, ones, others = people[: len(agents)], people[len(agents) :: 2], people[len(agents) + 1 :: 2]
    print(f"{len(alone)} people against agents, {len(ones)} against people")
    by_agents, by_people = Stretch(), Stretch()
    games: list[Watched] = [AgainstAgent(*both, by_agents) for both in zip(alone, agents, strict=True)]
    games += [AgainstPerson(*both, by_people) for both in zip(ones, others, strict=True)]
    for _ in range(ROUNDS):
        await stretch(server, lambda noted: [task for one in games for task in (one.play(), one.answer())])
    for what, theirs, its in (
        ("is told of an agent's move", by_people.told, by_agents.told),
        ("shows it", by_people.shown, by_agents.shown),
    ):
        ratio = percentile(its, 95) / percentile(theirs, 95)
        words = f"p95 {ms(its, 95)} of {len(its)} moves, against {ms(theirs, 95)} of {len(theirs)}"
        table.add(f"how long until a person's page {what} : a person's, p95", ratio, "<=", 1.2, words)


class Watched:
    """Somebody who plays one opponent again and again, with the page open, and moves when it shows the answer."""

    def __init__(self, person: Client, opponent: Any, noted: Stretch) -> None:
        self.person, self.opponent, self.noted = person, opponent, noted
        self.began: dict[str, float] = {}  # when the opponent answered, by the version that its move makes
        self.first, self.seen = 0, asyncio.Event()

    async def begin(self) -> str:
        """Gives the address of the new game."""
        raise NotImplementedError

    async def answer(self) -> None:
        """Makes the opponent's moves."""
        raise NotImplementedError

    async def play(self) -> None:
        await leave(self.person)
        while True:
            self.began.clear()
            address = await self.begin()
            found = re.search(rb'data-version="(\d+)"', (await self.person.get(address)).body)
            assert found, "no version on the page"
            self.first = int(found[1])
            page = Page(self.person, self.person.game, lambda it: it not in self.began, self._told, self._shown)
            page.shows = True
            assert await page.open()
            try:
                for ply in range(0, len(DRAWN), 2):
                    await self._move(address, ply)
            finally:
                page.close()

    async def _move(self, address: str, ply: int) -> None:
        self.seen.clear()
        await press(self.person, f"{address}/moves", Stretch(), cell=DRAWN[ply], ply=ply)
        self.moved(ply)
        if ply + 1 < len(DRAWN):
            await self.seen.wait()
        await asyncio.sleep(PACE)

    def moved(self, ply: int) -> None:
        """For an opponent who is told by nobody else."""

    def answers_now(self, ply: int) -> None:
        self.began[str(self.first + ply + 1)] = time.perf_counter()

    def _told(self, version: str) -> None:
        if version in self.began:
            self.noted.told.append(time.perf_counter() - self.began[version])

    def _shown(self, version: str) -> None:
        self.noted.shown.append(time.perf_counter() - self.began[version])
        self.seen.set()


class AgainstAgent(Watched):
    async def begin(self) -> str:
        address = await press(self.person, "/games", Stretch(), opponent=self.opponent.name, mark="X")
        self.person.game = address.rsplit("/")[-1]
        return address

    async def answer(self) -> None:
        answer: dict[str, Any] | None = None
        while True:
            job = (await self.opponent.ask("/agent/next", {"answer": answer, "wait": 25}))["job"]
            answer = None
            if job and job["game"] == self.person.game:
                await asyncio.sleep(THINKING)
                answer = {"game": job["game"], "ply": job["ply"], "cell": DRAWN[job["ply"]]}
                self.answers_now(job["ply"])


class AgainstPerson(Watched):
    async def begin(self) -> str:
        return f"/games/{await live.begin(self.person, self.opponent)}"

    def moved(self, ply: int) -> None:
        if ply + 1 < len(DRAWN):
            self.asked.put_nowait(ply + 1)

    async def answer(self) -> None:
        self.asked: asyncio.Queue[int] = asyncio.Queue()
        while True:
            ply = await self.asked.get()
            await asyncio.sleep(THINKING)
            self.answers_now(ply)
            await press(self.opponent, f"/games/{self.person.game}/moves", Stretch(), cell=DRAWN[ply], ply=ply)


def busy(agents: list[Agent], pace: float, noted: Stretch) -> list[asyncio.Task[None]]:
    pairs = zip(agents[::2], agents[1::2], strict=True)
    plays = [play for one, other in pairs for play in (
        one.play(other, True, pace, noted), other.play(one, False, pace, noted)
    )]  # fmt: skip
    return [asyncio.create_task(play) for play in plays]


async def play_for_a_while(server: LiveServer, agents: list[Agent], pace: float) -> Stretch:
    noted = Stretch()
    tasks = busy(agents, pace, noted)
    await asyncio.sleep(2)
    before, began, cpu = len(noted.shown), time.perf_counter(), live.cpu_of(server)
    await asyncio.sleep(live.SECONDS)
    passed = time.perf_counter() - began
    noted.cpu, noted.shown = (live.cpu_of(server) - cpu) / passed, noted.shown[before:]
    noted.rate = len(noted.shown) / passed
    await end(tasks)
    return noted


async def post_bare(client: Client, noted: Stretch) -> None:
    while True:
        began = time.perf_counter()
        assert (await client.post("/row", cell=0, ply=0)).status == 303
        noted.posts.append(time.perf_counter() - began)


async def end(tasks: list[asyncio.Task[None]]) -> None:
    """Whoever ended before has failed: that is told."""
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(result, asyncio.CancelledError):
            raise AssertionError(repr(result))
    await asyncio.sleep(2)  # what the server was still busy with


def threads_of(server: LiveServer) -> int:
    return sum(int(fields[17]) for fields in processes_of(server))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    sys.exit(main())
