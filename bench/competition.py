"""What a competition of agents costs, as a ratio in one run. `python3 run.py bench competition`.

Thirty agents play a whole schedule over real HTTP on two workers, as quickly as they can; they share the machine's
cores with the server. Every game must be played once, or there is no figure.
"""

import asyncio
import resource
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import func, select

import bench.live as live
from bench._http import Client
from bench._table import Table
from bench.agents import NO_LIMITS, Agent, end, post_bare
from bench.live import SETTINGS, stretch
from bench.site import bare_server, new_site
from tests.competitions.agent_contests import Contest, any_cell
from tests.live_server import LiveServer
from webapp.competitions.models import Pairing
from webapp.competitions.states import PairingState
from webapp.database import reading

AGENTS = 30


def main() -> int:
    table = Table("python3 run.py bench competition")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "competition"
        app = new_site(home)
        contest = Contest(app, openings=1)
        programs = contest.enter(*(f"agent{number}" for number in range(AGENTS)))
        contest.start()
        server = LiveServer(home, **SETTINGS, **NO_LIMITS)
        with closing(server), bare_server(home, workers=2) as bare:
            server.start()
            agents = [Agent(server.port, program.name, program.token) for program in programs]
            asyncio.run(measure(app, server, bare, agents, table))
    table.write()
    return 0


async def measure(app: Flask, server: LiveServer, bare: int, agents: list[Agent], table: Table) -> None:
    print(f"{AGENTS} agents play all against all")
    floors = [await floor_of(server, bare)]
    moves: list[int] = [0]
    began, cpu = time.perf_counter(), live.cpu_of(server)
    tasks = [asyncio.create_task(play(agent, moves)) for agent in agents]
    planned = await all_played(app)
    passed = time.perf_counter() - began
    busy = (live.cpu_of(server) - cpu) / passed
    await end(tasks)
    floors.append(await floor_of(server, bare))
    check_each_once(app, planned)
    games, posts, floor = planned / passed, moves[0] / passed, statistics.mean(floors)
    words = f"{planned} games, {games:.0f} games/s, {posts:.0f} moves/s, {busy:.0%} of a core; {floor:.0f} bare posts/s"
    table.add("a competition of 30 agents: bare posts : games", floor / games, "<=", 25, words)
    what = "a competition of 30 agents: bare posts : moves"
    table.add(what, floor / posts, "<=", 6, "the time that the beginning of games takes counted in")


async def floor_of(server: LiveServer, bare: int) -> float:
    return (await stretch(server, lambda noted: [post_bare(Client(bare), noted) for _ in range(AGENTS // 2)])).rate


async def play(agent: Agent, moves: list[int]) -> None:
    answer: dict[str, Any] | None = None
    while True:
        told = await agent.ask("/agent/next", {"wait": 5, **({"answer": answer} if answer else {})})
        moves[0] += told["accepted"] is True
        job = told["job"]
        answer = job and {"game": job["game"], "ply": job["ply"], "cell": any_cell(job), "nodes": 1}


async def all_played(app: Flask) -> int:
    """How many games there were."""
    while True:
        with app.app_context(), reading() as connection:
            over, planned = connection.execute(select(func.count(Pairing.score), func.count())).one()
        if over == planned:
            return int(planned)
        await asyncio.sleep(0.5)


def check_each_once(app: Flask, planned: int) -> None:
    with app.app_context(), reading() as connection:
        finished = (Pairing.state == PairingState.FINISHED, Pairing.game_id.is_not(None))
        games = connection.scalar(select(func.count(Pairing.game_id.distinct())).where(*finished))
    assert games == planned, f"{games} of {planned} games were played to their end"


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    sys.exit(main())
