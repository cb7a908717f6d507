"""Makes what tests need, through the services and pages that people use: no fixture holds the impossible."""

from flask import Flask

from tests.conftest import Browser
from webapp.accounts import services

PASSWORD = "correct horse"


def make_user(app: Flask, name: str = "player7", password: str = PASSWORD, must_change: bool = False) -> int:
    """An account that was made elsewhere; no browser is logged in to it. Gives its id."""
    with app.app_context():
        return services.sign_up(name, password, must_change=must_change).user_id


def browser_at(app: Flask, address: str) -> Browser:
    """A browser that speaks from another network address."""
    browser = app.test_client()
    assert isinstance(browser, Browser)
    browser.environ_base["REMOTE_ADDR"] = address
    return browser


def member_of(app: Flask, name: str) -> Browser:
    """Somebody with an account who is logged in, in a browser of their own."""
    browser = app.test_client()
    assert isinstance(browser, Browser)
    browser.sign_up(name)
    return browser


def finished_game(browser: Browser) -> str:
    """A game that was played and given up; gives its address."""
    address = browser.start(cell=4, level="perfect")
    assert browser.send(f"{address}/resign").status_code == 303
    return address
