"""Takes the pictures in docs/pictures/ again, from real games on a database of its own: `run.py screenshots`."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import flask_migrate
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from tests.browser import FLAGS, find_or_install_browser
from tests.conftest import Browser as Client
from tests.factories import enrolled, logged_in, make_classroom
from tests.two_players import begin_game
from webapp import create_app
from webapp.config import ROOT
from webapp.extensions import db

PICTURES = ROOT / "docs" / "pictures"
DRAWN = ["top left", "bottom right", "bottom centre", "top right", "middle left"]
LOST = ["top left", "top centre", "middle left"]
CLASS = {"red-fox12": "Ada Lovelace", "blue-owl7": "Grace Hopper", "wild-oak3": "Alan Turing", "calm-sea5": "Zoë Åberg"}
LAPTOP, PHONE = {"width": 1200, "height": 780}, {"width": 390, "height": 664}


@contextmanager
def site(instance: str) -> Iterator[tuple[str, Flask]]:
    """An app on a new database, and its address."""
    # A lesson is shown with the address that a room has, not with that of this machine alone.
    app = create_app({"NOUGHTS_INSTANCE": instance, "DATABASE_URL": "", "NOUGHTS_ADDRESS": "http://192.168.1.5:8000"})
    app.test_client_class = Client
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.upgrade()
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", app
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
    page.get_by_label("User name", exact=True).fill(name)
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


def take_lesson(browser: Browser, address: str, app: Flask) -> None:
    """A class of four in its lesson, as its instructor sees it and as the room does."""
    classroom = make_classroom(app, "ms-frizzle", "Informatics 7b", "Autumn 2026")
    students = [enrolled(app, classroom, name, real_name=real) for name, real in CLASS.items()]
    teacher = logged_in(app, "ms-frizzle")
    teacher.send(f"/classrooms/{classroom}/lesson")
    students[0].send(f"{students[0].start(cell=4, level='casual')}/resign")
    for student, cell in ((students[0], 0), (students[1], 2)):
        student.start(cell=cell, level="perfect")
    begin_game(students[1], students[2], 4, 0, 8)
    teacher.send(f"/classrooms/{classroom}/question", position="X...O...X", to_move="O")
    for student, cell in zip(students[:3], (1, 1, 2), strict=True):
        student.send(f"/classrooms/{classroom}/question/1/answer", cell=cell)
    for student in students:
        student.get(f"/classrooms/{classroom}")
    page, cookie = browser.new_page(), teacher.get_cookie("noughts")
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    page.context.add_cookies([{"name": "noughts", "value": cookie.value if cookie else "", "url": address}])
    for path, name in ((f"{classroom}/projector", "wall"), (f"{classroom}/lesson", "lesson")):
        page.goto(f"{address}/classrooms/{path}")
        take(page, name)
    page.goto(f"{address}/classrooms/{classroom}/roster")
    page.get_by_label("Names, one a line").fill("Mary Jackson\nEmmy Noether\nSofia Kovalevskaya")
    page.get_by_role("button", name="Check the names").click()
    page.get_by_role("button", name="Add 3 students").click()
    expect(page.locator(".login-card")).to_have_count(3)
    take(page, "cards")


def main() -> None:
    chromium = find_or_install_browser()
    if chromium is None:
        sys.exit("The pictures are taken with Chromium, and this machine has none: install it first.")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as instance, site(instance) as (address, app), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        take_all(browser, address)
        take_lesson(browser, address, app)
        browser.close()


if __name__ == "__main__":
    main()
