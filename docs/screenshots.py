"""Takes the pictures in docs/pictures/ again, from real games on a database of its own: `run.py screenshots`."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import flask_migrate
from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from tests.browser import FLAGS, find_or_install_browser
from webapp import create_app
from webapp.config import ROOT
from webapp.extensions import db

PICTURES = ROOT / "docs" / "pictures"
DRAWN = ["top left", "bottom right", "bottom centre", "top right", "middle left"]
LOST = ["top left", "top centre", "middle left"]
LAPTOP, PHONE = {"width": 1200, "height": 780}, {"width": 390, "height": 664}


@contextmanager
def site(instance: str) -> Iterator[str]:
    """The address of an app on a new database."""
    app = create_app({"NOUGHTS_INSTANCE": instance, "DATABASE_URL": ""})
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.upgrade()
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def play(page: Page, address: str, cells: list[str]) -> None:
    """A new game as X against Perfect; the cells are named by the words that the page speaks."""
    page.goto(address)
    for cell in cells:
        page.get_by_role("button", name=f"{cell}, free").click()
        expect(page.get_by_role("img", name=f"{cell}, X")).to_be_visible()


def sign_up(page: Page, address: str, name: str = "player7") -> Page:
    page.goto(address + "/sign-up")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()
    return page


def open_game(page: Page, address: str, opponent: str = "anyone", mark: str = "X") -> str:
    """By the form of the lobby: for anyone, or for the one named."""
    page.goto(f"{address}/lobby?challenge={opponent if opponent != 'anyone' else ''}")
    button = page.get_by_role("button", name="Open the game" if opponent == "anyone" else "Challenge", exact=True)
    form = page.locator("form", has=button)
    if opponent == "anyone":
        page.get_by_text("Open a game", exact=True).click()
    form.get_by_label(mark, exact=True).check()
    button.click()
    expect(page.locator("#headline")).to_contain_text("Waiting for")
    return page.url


def meet(opener: Page, joiner: Page, address: str, cells: list[str]) -> None:
    """A public game between two, X first."""
    game = open_game(opener, address)
    joiner.goto(game)
    joiner.get_by_role("button", name="Join").click()
    for ply, cell in enumerate(cells):
        mover = (opener, joiner)[ply % 2]
        mover.goto(game)
        mover.get_by_role("button", name=f"{cell}, free", exact=True).click()
        expect(mover.locator(".moves li")).to_have_count(ply + 1)


def fill_lobby(browser: Browser, page: Page, address: str) -> None:
    """Somebody of a class plays player7, some wait, two can be watched."""
    others = [sign_up(browser.new_page(), address, name) for name in ("ada", "grace", "emmy", "sofia")]
    meet(page, others[0], address, ["centre", "top left"])
    meet(others[0], others[1], address, ["top left", "centre", "bottom right"])
    open_game(others[1], address, mark="O")
    open_game(others[2], address, "player7")
    open_game(others[3], address, mark="random")


def take(page: Page, name: str) -> None:
    page.evaluate("scrollTo(0, 0)")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.screenshot(path=PICTURES / f"{name}-{scheme}.png")


def take_all(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    page.goto(address)
    take(page, "home")
    sign_up(page, address)
    for cells in (DRAWN, LOST, DRAWN):
        play(page, address, cells)
    play(page, address, DRAWN[:2])
    page.mouse.move(0, 0)
    take(page, "game")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    take(page, "phone")
    fill_lobby(browser, page, address)
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    page.goto(address + "/lobby")
    take(page, "lobby")


def main() -> None:
    chromium = find_or_install_browser()
    if chromium is None:
        sys.exit("The pictures are taken with Chromium, and this machine has none: install it first.")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as instance, site(instance) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        take_all(browser, address)
        browser.close()


if __name__ == "__main__":
    main()
