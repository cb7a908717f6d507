"""How the journeys read and press a page, by what a person sees and hears: labels, names, sentences."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.playing import settle
from webapp.tictactoe import Mark, Position, table_of


def position_on(page: Page, to_move: Mark) -> Position:
    """The board as a screen reader speaks it, once the page is all there."""
    page.wait_for_load_state()
    labels = page.locator(".board .cell").evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    marks = [re.match(r"[^,]+(?:, column \d+)?, (X|O|free)", label)[1] for label in labels]  # type: ignore[index]
    return Position.parse("".join("." if mark == "free" else mark for mark in marks), to_move)


def headline(page: Page) -> str:
    return page.locator("#headline").inner_text()


def press(page: Page, cell: int) -> None:
    """Press a cell and wait for the answer, with scripts or without."""
    settle(page)
    marks = page.locator(".board-picture").first.locator(".mark").count()
    page.locator(f'.board button[value="{cell}"]').click()
    page.wait_for_url("**/games/*")
    expect(page.locator("[data-version]")).to_be_visible()
    expect(page.locator(".moves li").nth(marks)).to_be_attached()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def play_on(page: Page, mark: Mark, careless: bool = False) -> None:
    """Play to the end: the best cell each time, or carelessly the first free one."""
    while page.locator("[data-over]").count() == 0:
        position = position_on(page, mark)
        press(page, position.legal_cells[0] if careless else table_of(position.board)[position].cells[0])


def sign_up(page: Page, name: str, password: str = "correct horse") -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page.locator("#head").get_by_role("link", name=name)).to_be_visible()


def log_in(page: Page, name: str, password: str = "correct horse") -> None:
    page.goto("/log-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.locator("main").get_by_role("button", name="Log in").click()
