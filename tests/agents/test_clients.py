"""Real clients on a real server: they compete through a power cut, and each accident has its sentence."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from tests.agents.clients import RunningClient
from tests.agents.programs import make_program
from tests.competitions.agent_contests import Contest
from tests.competitions.recount import check_schedule, wait_until_played
from tests.conftest import DatabaseIn, MakeApp
from tests.cut_network import cut_network
from tests.live_server import LiveBrowser, LiveServer, live_server
from webapp.accounts.queries import account_named
from webapp.agents.services import revoke_token
from webapp.config import ROOT
from webapp.database import reading
from webapp.games.models import Game
from webapp.games.states import Status
from webapp.labs.starters import model_text
from webapp.operations.invariants import check

pytestmark = pytest.mark.slow
FIRST_FREE = """\
def minimax(board):
    return next((i, j) for i in range(3) for j in range(3) if not board[i][j])
"""
# By the cell that the opponent took first: what goes wrong, at once or when the board is nearly full.
FAULTY = """\
import time

def minimax(board):
    free = [(i, j) for i in range(3) for j in range(3) if not board[i][j]]
    if len(free) == 8:
        if board[0][0]:
            return board[0][3]
        return (1, 1) if board[0][1] else (2, 2)
    if len(free) > 2:
        return free[0]
    while True:
        time.sleep(0.01)
"""


@pytest.fixture(scope="module")
def server(database_in: DatabaseIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Whoever is not seen for a second is gone."""
    folder = tmp_path_factory.mktemp("clients")
    database_in("SQLite", folder)
    with live_server(folder, NOUGHTS_GONE_SECONDS="1") as server:
        yield server
    assert check(server.database) == []


@pytest.fixture(scope="module")
def own_app(server: LiveServer, build_app: MakeApp) -> Flask:
    """On the server's database, to make agents without forms."""
    return build_app(server.instance, "")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(model_text("tictactoe"), encoding="utf-8")
    return tmp_path / "mine.py"


def count(app: Flask, column: object, *where: object) -> int:
    with app.app_context(), reading() as connection:
        return connection.scalar(select(func.count(column)).where(*where)) or 0  # type: ignore[arg-type,call-overload]


def example_of(site: str) -> str:
    """The agent that docs/api.md shows, at this site."""
    [text] = re.findall(r"```python\n(from noughts_client.+?)```", (ROOT / "docs/api.md").read_text(), re.S)
    assert len([line for line in text.splitlines() if line.strip()]) <= 21
    return str(text).replace("http://192.168.1.20:8000", site)


def test_two_clients_compete_and_each_game_ends_though_the_site_is_killed(
    server: LiveServer, own_app: Flask, file: Path
) -> None:
    """With the client that the site gives out; then the agent of docs/api.md takes the place of one of them."""
    for name in ("labs.pyz", "noughts_client.py"):
        (file.parent / name).write_bytes(LiveBrowser(server).get(f"/labs/{name}").body)
    (file.parent / "first_free.py").write_text(FIRST_FREE, encoding="utf-8")
    (file.parent / "agent.py").write_text(example_of(server.url), encoding="utf-8")
    contest, planned = Contest(own_app), 2 + 2 * 2 * 5
    mini, first = contest.enter("mini1", "first1")
    contest.start()
    words, folder = ("labs.pyz", "connect", server.url, "tictactoe"), file.parent
    with (
        RunningClient(mini.token, *words, file.name, folder=folder) as one,
        RunningClient(first.token, *words, "first_free.py", folder=folder) as other,
    ):
        wait_until_played(own_app, planned // 4)
        server.kill()
        assert count(own_app, Game.id, Game.status == Status.PLAYING), "or nothing was under way"
        server.start()
        wait_until_played(own_app, planned)
        best, worst = check_schedule(own_app, contest, 2)
        assert best.entrant.entry_id < worst.entrant.entry_id, "the model answer, which entered first"

        with RunningClient(first.token, "agent.py", folder=folder) as newer:
            assert "A newer copy of this agent has started. This one ends." in other.wait_for_end()[1]
            mini.start("first1", "X")
            one.wait_for(r"Game 13: (won|drawn) against first1\.")  # told at once by who moves last
            assert newer.press_ctrl_c()[0] == 0 and "Good-bye. Games: " in newer.said
        with own_app.app_context():
            revoke_token(account_named("owner-mini1"), mini.agent_id)
        assert one.wait_for_end()[0] == 1 and "The site no longer takes this token" in one.said
    assert not count(own_app, Game.id, Game.status == Status.PLAYING)


class Person(LiveBrowser):
    """Who plays X against an agent, with scripts off."""

    token = ""

    def challenge(self, agent: str, cell: int) -> str:
        self.token = self.token or self.get("/account").csrf_token
        address = self.post("/games", {"csrf_token": self.token, "opponent": agent, "mark": "X"}).location
        self.move(address, cell, 0)
        return address

    def move(self, address: str, cell: int, ply: int) -> None:
        while len(self.state(address)["moves"]) < ply:
            pass
        answer = self.post(f"{address}/moves", {"csrf_token": self.token, "cell": cell, "ply": ply})
        assert answer.status == 303, answer.text

    def state(self, address: str) -> dict[str, Any]:
        return dict(json.loads(self.get(f"{address}/state").text))


def test_each_accident_has_its_cause_on_the_page(server: LiveServer, own_app: Flask, file: Path) -> None:
    file.write_text(FAULTY, encoding="utf-8")
    faulty = make_program(own_app, "owner3", "faulty3")
    ada = Person(server)
    ada.sign_up("ada3")
    with (
        cut_network(server.port) as network,
        RunningClient.on_lab(faulty.token, network.url, "tictactoe", file) as client,
    ):
        crash = "An error, IndexError: list index out of range (line 7 of mine.py: return board[0][3])."
        illegal = "It answered (2, 2), but there is an X in (2, 2) already."
        loop = "(line 12 of mine.py: time.sleep(0.01))"
        for cell, cause in ((0, crash), (8, illegal), (1, loop)):
            address = ada.challenge("faulty3", cell)
            if cause == loop:
                for ply, more in ((2, 8), (4, 7), (6, 5)):
                    ada.move(address, more, ply)
            client.wait_for(re.escape(cause))
            client.wait_for(r"lost against ada3, by resignation\.  .+\n", 1 + (crash, illegal, loop).index(cause))
            assert cause in unescape(ada.get(address).text), cause

        address = ada.challenge("faulty3", 1)
        ada.move(address, 8, 2)
        while len(ada.state(address)["moves"]) < 4:
            pass
        network.cut()
        ada.move(address, 7, 4)
        client.wait_for("Trying again until it works")
        network.mend()
        while len(ada.state(address)["moves"]) < 6:  # what was lost on the way is asked for again
            pass
        client.wait_for("The site is back.")
        network.cut()
        ada.move(address, 5, 6)
        while not ada.state(address)["can_be_claimed"]:
            pass
        ada.send(f"{address}/claim", claim="win")
        page = ada.get(address).text
        assert "faulty3 left" in page, page
        network.mend()
        client.wait_for(r"Game 4: lost against ada3, by a claim")
