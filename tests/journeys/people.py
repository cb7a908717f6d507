"""Several people in one test, each in a browser of their own, and what they do with one another."""

import re
from contextlib import suppress
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, Error, Page, expect

from tests.journeys.playing import press, settle
from tests.two_players import begin_game


class People:
    """Brings people to the site: `people("ann")` has an account and is logged in, `people(None)` only looks."""

    def __init__(self, app: Flask, site: str, browser: Browser, settings: dict[str, Any]) -> None:
        self.app, self.site, self.browser, self.settings = app, site, browser, settings
        self.contexts: list[Any] = []
        self.clients: dict[Page, Any] = {}  # the same sessions without a window: for what is not looked at

    def __call__(self, name: str | None, **settings: Any) -> Page:
        context = self.browser.new_context(**{**self.settings, "base_url": self.site, **settings})
        self.contexts.append(context)
        client: Any = self.app.test_client()
        if name:
            client.sign_up(name)
            context.add_cookies([{"name": "noughts", "value": client.get_cookie("noughts").value, "url": self.site}])
        page = context.new_page()
        self.clients[page] = client
        return page

    def begin(self, x: Page, o: Page, *cells: int) -> str:
        """A public game with these moves made, at which both look; gives its address."""
        address = self.site + begin_game(self.clients[x], self.clients[o], *cells)
        x.goto(address)
        o.goto(address)
        return address

    def leave(self) -> None:
        for context in self.contexts:
            context.close()


def say(page: Page, sentence: str) -> None:
    """The page, drawn afresh, says this in its headline."""
    with suppress(Error):  # while a press is being answered: then the page is drawn afresh anyway
        page.reload()
    expect(page.locator("#headline")).to_have_text(re.compile(sentence))


def push(page: Page, words: str) -> None:
    """Press the button, or the link that looks like one, that says this, and wait until it is answered."""
    settle(page)
    page.get_by_role("main").locator("button, a, summary").filter(has_text=re.compile(rf"^\s*{words}")).first.click()


def open_game(page: Page, mark: str = "X", private: bool = False) -> str:
    page.goto("/lobby")
    push(page, "Open a game")
    form = page.locator("form", has=page.get_by_role("button", name="Open the game"))
    form.get_by_label("only people with the link" if private else "anyone here").check()
    form.get_by_label(mark, exact=True).check()
    push(page, "Open the game")
    expect(page.locator("#headline")).to_have_text("Waiting for a player")
    return page.url


def play(first: Page, second: Page, *cells: str) -> None:
    """In turn, each with the page drawn afresh before their move."""
    for ply, cell in enumerate(cells):
        mover = (first, second)[ply % 2]
        mover.reload()
        press(mover, cell)
