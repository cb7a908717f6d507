"""Looking back in a real browser: from the history into a replay, by links and by keys; and on paper."""

import re

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.history.playing import play_many
from tests.journeys.looking import faults_of

scripts_on = pytest.mark.parametrize("scripts", [True], indirect=True)


@pytest.fixture
def games(app: Flask, site: str, page: Page) -> list[str]:
    """Thirty finished games of the player who is logged in, oldest first."""
    assert app.test_client().sign_up("player7").status_code == 303  # type: ignore[attr-defined]
    played = play_many(app, "player7", 30)
    page.goto(f"{site}/log-in")
    page.get_by_label("Name").fill("player7")
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("link", name="player7")).to_be_visible()
    return played


def test_a_game_is_found_opened_and_stepped_through(page: Page, site: str, games: list[str]) -> None:
    page.goto(f"{site}/history")
    page.get_by_role("navigation", name="Which games").get_by_role("link", name="Perfect").click()
    page.get_by_role("navigation", name="Which games").get_by_role("link", name="Drawn").click()
    expect(page.get_by_role("navigation", name="Which games").locator("[aria-current]")).to_have_count(4)
    page.locator(".played").get_by_role("link", name="Replay").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Drawn")
    for name, title in [("First", "Before the first move"), ("Forward", "Move 1 of 9"), ("Forward", "Move 2 of 9"),
                        ("Back", "Move 1 of 9"), ("Last", "Drawn")]:  # fmt: skip
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    page.get_by_role("link", name="5 X").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 5 of 9")
    expect(page.locator(".board-picture .mark")).to_have_count(5)


def test_a_mistake_is_found_looked_into_and_practised(page: Page, site: str, games: list[str]) -> None:
    page.goto(f"{site}/history")
    page.get_by_role("link", name="With mistakes").click()
    page.locator(".played").get_by_role("link", name="Replay").first.click()
    page.get_by_role("link", name="See every move").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Every move of this game")
    expect(page.locator(".judged-moves > li").filter(has_text="Mistake:").first).to_contain_text("Better:")
    page.get_by_role("link", name="see the analysis").click()
    expect(page.get_by_role("heading", name="When both play their best")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Find a better move").click()
    expect(page).to_have_url(re.compile(r"/practice\?kind=mistake&game="))


@scripts_on
def test_the_arrow_keys_step_through_a_replay_and_the_board_is_told(page: Page, site: str, games: list[str]) -> None:
    page.goto(f"{site}/history?opponent=perfect&result=drawn")
    page.locator(".played").get_by_role("link", name="Replay").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Drawn")
    page.wait_for_load_state()  # the keys are the script's
    for key, title in [("Home", "Before the first move"), ("ArrowLeft", "Before the first move"),
                       ("ArrowRight", "Move 1 of 9"), ("ArrowRight", "Move 2 of 9"), ("End", "Drawn")]:  # fmt: skip
        page.keyboard.press(key)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator("#spoken")).to_contain_text("Drawn")
    assert page.url.endswith("?ply=9")
    page.go_back()
    expect(page.get_by_role("heading", name="By opponent")).to_be_visible()


@scripts_on
def test_steps_that_are_wanted_while_a_page_is_on_its_way_are_taken_one_by_one(
    page: Page, site: str, games: list[str]
) -> None:
    page.goto(f"{site}/games/{games[0]}/replay?ply=3")
    page.evaluate("""keys => keys.forEach(
        key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))
    """, ["ArrowLeft", "ArrowLeft", "ArrowLeft"])  # fmt: skip
    expect(page.get_by_role("heading", level=1)).to_have_text("Before the first move")
    assert page.url.endswith("?ply=0")
    page.get_by_role("link", name="Forward", exact=True).dblclick()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Move 2 of")


@scripts_on
def test_a_step_that_the_network_lost_leaves_the_board_and_can_be_made_again(
    page: Page, site: str, games: list[str]
) -> None:
    page.goto(f"{site}/games/{games[0]}/replay?ply=0")
    page.context.set_offline(True)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("alert")).to_have_text("The network did not answer. Press again.")
    assert page.url.endswith("?ply=0")
    page.context.set_offline(False)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Move 1 of")
    expect(page.get_by_role("alert")).to_have_count(0)


@scripts_on
def test_a_step_keeps_the_focus_on_its_link(page: Page, site: str, games: list[str]) -> None:
    page.goto(f"{site}/games/{games[0]}/replay?ply=0")
    page.get_by_role("link", name="Forward", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Move 1 of")
    expect(page.get_by_role("link", name="Forward", exact=True)).to_be_focused()


@scripts_on
def test_axe_finds_nothing_and_nothing_sticks_out(page: Page, site: str, games: list[str]) -> None:
    for path in ("/history", "/history?mark=O", f"/games/{games[0]}/replay?ply=1",
                 f"/games/{games[4]}/analysis", "/players/player7"):  # fmt: skip
        page.goto(site + path)
        assert faults_of(page) == [], path


@scripts_on
def test_paper_gets_the_games_and_exact_times(page: Page, site: str, games: list[str]) -> None:
    page.goto(f"{site}/history")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="By opponent")).to_be_visible()
    expect(page.locator(".played tbody tr").first).to_be_visible()
    for gone in ("Older games", "Download all as CSV", "Won"):
        expect(page.get_by_role("link", name=gone, exact=True)).to_be_hidden()
