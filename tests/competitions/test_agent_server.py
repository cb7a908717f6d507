"""A competition of agents on the real server with two workers: each game once, whatever happens to the server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.competitions.agent_contests import Contest
from tests.competitions.http_agents import HttpAgent, playing
from tests.competitions.recount import check_schedule, games_over, wait_until_played
from tests.conftest import MakeApp
from tests.live_server import LiveBrowser, LiveServer, live_server
from tests.tables import rows_of

NO_LIMITS = {"NOUGHTS_AGENT_REQUESTS": "1000000"}


@pytest.fixture
def app(make_app: MakeApp, database: str) -> Flask:
    return make_app()


@pytest.fixture
def server(app: Flask, database: str, tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, DATABASE_URL=database, **NO_LIMITS) as server:
        yield server


@pytest.mark.slow
def test_every_game_is_played_once_and_ends_though_the_server_is_killed(
    app: Flask, server: LiveServer, request: pytest.FixtureRequest
) -> None:
    """Three agents; a whole class of thirty with --whole."""
    agents = 30 if request.config.getoption("whole") else 3
    contest = Contest(app)
    programs = contest.enter(*(f"agent{number}" for number in range(agents)))
    contest.start()
    planned = len(rows_of(app, "competition_game"))
    with playing([HttpAgent(LiveBrowser(server), program.token) for program in programs]):
        wait_until_played(app, planned // 3)
        server.kill()
        assert games_over(app) < planned, "or nothing was under way"
        server.start()
        wait_until_played(app, planned)
    assert all(line.nodes for line in check_schedule(app, contest, agents))
