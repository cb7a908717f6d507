"""From the account page to a game against one's own file: a real browser, the real client in a real terminal."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.agents.clients import RunningClient
from tests.journeys.pages import position_on, press, sign_up
from tests.journeys.test_labs import take
from webapp.labs.starters import model_text
from webapp.tictactoe import X


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "tictactoe.py").write_text(model_text("tictactoe"), encoding="utf-8")
    return tmp_path / "tictactoe.py"


@pytest.fixture
def client(page: Page, file: Path, scripts: bool) -> Iterator[RunningClient]:
    """What a student does once: an agent, its token, the client out of the site, the command as it is shown."""
    page.goto("/sign-up")
    sign_up(page, f"ada-{scripts}")
    page.goto("/account")
    page.get_by_role("link", name="Your agents").click()
    page.get_by_label("Name").fill(f"mini-{scripts}")
    page.get_by_role("button", name="Make the agent").click()
    token = page.locator("code").inner_text()
    assert re.fullmatch(r"[A-Za-z0-9_-]{40,}", token)
    pyz = take(page, "labs.pyz", file.parent)
    typed = page.get_by_text("python3 labs.pyz connect").inner_text().split()[1:]
    assert typed[0] == pyz.name and typed[3:] == ["tictactoe", "tictactoe.py"]
    with RunningClient(token, *typed, folder=file.parent, is_typed=True) as client:
        client.wait_for("Waiting for games")
        yield client


def challenge(page: Page, agent: str, scripts: bool) -> None:
    page.goto("/lobby")
    wait_for(page, f"Challenge {agent}", scripts)  # the client says that it waits before the site has heard of it
    here = page.get_by_role("region", name="Agents here now")
    here.get_by_role("link", name=f"Challenge {agent}").click()
    page.locator("#challenge").get_by_label("X", exact=True).check()
    page.get_by_role("button", name="Challenge", exact=True).click()
    page.wait_for_url("**/games/*")


def wait_for(page: Page, words: str, scripts: bool) -> None:
    """With scripts the page tells by itself; without them one looks again."""
    said = page.get_by_text(re.compile(words)).filter(visible=True).first
    while not scripts and not said.count():
        page.wait_for_timeout(300)  # the file thinks on the same cores
        page.reload()
    expect(said).to_be_visible(timeout=30_000)


def test_a_student_plays_against_their_own_file(page: Page, client: RunningClient, file: Path, scripts: bool) -> None:
    settings = file.parent / "settings/noughts/tokens.json"
    assert settings.stat().st_mode & 0o777 == 0o600 and client.token in settings.read_text()
    agent = f"mini-{scripts}"
    challenge(page, agent, scripts)
    while not page.locator("[data-over]").count():
        wait_for(page, r"Your turn|wins|Drawn", scripts)
        if page.get_by_role("heading", name="Your turn").count():
            press(page, position_on(page, X).legal_cells[0])
    expect(page.locator("#headline")).to_contain_text(f"{agent} wins")
    client.wait_for(rf"Game 1: {agent} is O against ada-{scripts}\.")
    client.wait_for(r"Game 1: won against ")

    file.write_text("def minimax(board):\n    return board[7]\n", encoding="utf-8")
    challenge(page, agent, scripts)
    press(page, 0)
    wait_for(page, f"{agent} resigned: you won", scripts)
    expect(page.locator("#happened")).to_contain_text("IndexError: list index out of range (line 2 of tictactoe.py:")
    assert "line 2, in minimax\n" in client.wait_for("lost against")

    page.goto("/account/agents")
    page.locator("summary", has_text="Stop this token").click()
    page.get_by_role("button", name="Yes, stop this token").click()
    expect(page.get_by_text("is stopped. It works no longer.")).to_be_visible()
    code, said = client.wait_for_end()
    assert code == 1 and "The site no longer takes this token" in said
