"""Practice in a real browser: a move, a tree, one's own mistakes; with scripts on and off."""

import pytest
from playwright.sync_api import Page, expect

from tests.factories import PASSWORD
from tests.journeys.pages import sign_up
from tests.journeys.playing import lose_to_perfect, settle
from tests.live_server import LiveBrowser, LiveServer


def test_questions_are_answered_and_a_lost_game_teaches(page: Page, scripts: bool) -> None:
    page.goto("/")
    lose_to_perfect(page)
    page.get_by_role("link", name="Practice").click()
    settle(page)
    page.get_by_role("link", name="Begin").click()
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Find a better move for X")
    expect(page.locator(".notes")).to_contain_text("Solved: 0 of")
    page.get_by_role("button", name="free").last.click()
    expect(title).not_to_have_text("Find a better move for X")
    expect(page.locator(".notes .tiny").first).to_be_visible()

    page.goto("/practice?position=XX..O....&to_move=O")
    page.get_by_role("button", name="bottom right, free").click()
    expect(title).to_have_text("Not yet")
    expect(page.get_by_role("heading", name="How X answers")).to_be_visible()
    settle(page)
    if scripts:  # the cell that was pressed has the focus still, and the arrow keys lead on from there
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
    else:
        page.get_by_role("button", name="top right, free").click()
    expect(title).to_have_text("Right")
    expect(page.get_by_role("alert")).to_have_count(0)
    settle(page)
    if scripts:
        page.keyboard.press("ArrowRight")
    else:
        page.get_by_role("link", name="Next question").click()
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()

    page.goto("/practice?kind=cut&position=..OXOO..X&to_move=X&search=alpha-beta&visit=10&grade=easy")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert")).to_have_text("You have not chosen an answer yet. Choose one, then press Check.")
    page.get_by_label("bottom centre").check()
    page.get_by_role("button", name="Check").click()
    expect(title).to_have_text("Right at the first try")
    expect(page.get_by_text("Value -1 <= alpha -1: X would never let it come to this.")).to_be_visible()


@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_whose_session_ends_at_a_mistake_reads_so_above_the_board(page: Page, server: LiveServer) -> None:
    page.goto("/sign-up")
    sign_up(page, "mistaken", PASSWORD)
    page.goto("/")
    lose_to_perfect(page)
    page.goto("/practice?kind=mistake")
    elsewhere = LiveBrowser(server)
    elsewhere.send("/log-in", page="/log-in", name="mistaken", password=PASSWORD)
    assert elsewhere.send("/account/sessions/end-others").status == 303
    settle(page)
    page.get_by_role("button", name="free").last.click()
    expect(page.get_by_role("alert")).to_contain_text("You were logged out. Log in again to go on.")
