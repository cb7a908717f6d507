"""A game with the coach, as a person plays it: asked, taken back, played to its end."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.looking import faults_of
from tests.journeys.pages import headline, play_on, position_on, press
from tests.journeys.playing import settle
from webapp.tictactoe import X


def test_the_coach_is_asked_and_moves_are_taken_back(page: Page, request: pytest.FixtureRequest) -> None:
    page.goto("/")
    page.locator(".home-coach label").click()
    press(page, 0)
    expect(page.locator("#happened")).to_contain_text("Coach: all 7 moves keep the draw.")
    expect(page.locator("#advice")).to_have_count(0)
    settle(page)
    page.get_by_role("link", name="Show the best move").click()
    expect(page.get_by_role("heading", name="Best move: top centre")).to_be_visible()
    expect(page.get_by_text("Row = 0, Column = 1")).to_be_visible()
    expect(page.get_by_role("button", name="top centre, free, best move")).to_be_visible()
    if "scripts-on" in request.node.name:
        assert faults_of(page) == []
    press(page, 1)
    expect(page.locator("#advice")).to_have_count(0)
    assert str(position_on(page, X)) == "XXO.O...."
    settle(page)
    page.get_by_role("button", name="Take back").dblclick()
    expect(page.locator("#happened")).to_contain_text("You took back the top centre")
    assert str(position_on(page, X)) == "X...O....", "two presses take back one move"
    press(page, 8)
    play_on(page, X)
    assert headline(page) == "Drawn"
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    expect(page.get_by_role("heading", name=re.compile("Perfect with the coach"))).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Play again as O").click()
    expect(page.locator("#happened")).to_contain_text("Coach:")
