"""Several people in one test, each in a browser of their own, and what they do with one another."""

import re
from collections.abc import Callable
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.journeys.playing import press, settle


class People:
    """Brings people to the site: `people("ann")` has an account and is logged in, `people(None)` only looks."""

    def __init__(self, app: Flask, site: str, browser: Browser, settings: dict[str, Any]) -> None:
        self.app, self.site, self.browser, self.settings = app, site, browser, settings
        self.contexts: list[Any] = []

    def __call__(self, name: str | None, **settings: Any) -> Page:
        context = self.browser.new_context(**{**self.settings, "base_url": self.site, **settings})
        self.contexts.append(context)
        if name:
            client: Any = self.app.test_client()
            client.sign_up(name)
            context.add_cookies([{"name": "noughts", "value": client.get_cookie("noughts").value, "url": self.site}])
        return context.new_page()

    def leave(self) -> None:
        for context in self.contexts:
            context.close()


Bring = Callable[..., Page]


def say(page: Page, sentence: str) -> None:
    """The page, drawn afresh, says this in its headline."""
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


def begin(x: Page, o: Page) -> str:
    """A public game in play: `x` has X and is to move."""
    address = open_game(x)
    o.goto(address)
    push(o, "Join")
    expect(o.locator("#headline")).to_contain_text("Waiting for")
    say(x, "Your turn")
    return address


def play(first: Page, second: Page, *cells: str) -> None:
    """In turn, each with the page drawn afresh before their move."""
    for ply, cell in enumerate(cells):
        mover = (first, second)[ply % 2]
        mover.reload()
        press(mover, cell)
