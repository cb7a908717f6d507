"""Two students' files compete: the real clients, and a page that tells of it by itself in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.agents.clients import RunningClient
from tests.competitions.agent_contests import Contest
from tests.conftest import MakeApp
from tests.journeys.looking import faults_of
from tests.live_server import LiveServer
from webapp.competitions import services
from webapp.labs.starters import model_text

pytestmark = pytest.mark.parametrize("scripts", [True], indirect=True)


@pytest.mark.slow
def test_the_page_follows_two_clients_and_tells_why_one_lost(
    page: Page, server: LiveServer, build_app: MakeApp, tmp_path: Path
) -> None:
    app = build_app(server.instance, "")
    contest = Contest(app)
    good, faulty = contest.enter("good5", "faulty5")
    files = tmp_path / "good.py", tmp_path / "faulty.py"
    files[0].write_text(model_text("tictactoe"), encoding="utf-8")
    files[1].write_text("def minimax(board):\n    return board[7]\n", encoding="utf-8")
    page.goto(f"/competitions/{contest.public_id}")
    expect(page.locator("#happened")).to_have_text("2 agents have entered.")
    with (
        RunningClient.on_lab(good.token, server.url, "tictactoe", files[0]) as one,
        RunningClient.on_lab(faulty.token, server.url, "tictactoe", files[1]) as other,
    ):
        for client in (one, other):
            client.wait_for("Waiting for games")
        with app.app_context():
            services.start(contest.about)
        expect(page.locator("#happened")).to_contain_text("All 22 games are over. good5 leads.", timeout=300_000)
    assert faults_of(page) == []
    expect(page.get_by_role("region", name="Table").get_by_role("row").nth(1)).to_contain_text("good5 of owner-good5")
    page.get_by_title("good5 against faulty5: 2 of 2").click()
    expect(page.get_by_role("heading", name="good5 and faulty5")).to_be_visible()
    told = page.get_by_text("gave no move: IndexError: list index out of range (line 2 of faulty.py")
    expect(told.first).to_be_visible()
    assert faults_of(page) == []
