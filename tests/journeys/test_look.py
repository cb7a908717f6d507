"""The look in real Chromium: every page in both schemes, from a small phone to a projector and to paper."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask, render_template_string
from playwright.sync_api import Browser, Locator, Page, expect

from tests.conftest import SetClock
from tests.factories import member_of
from tests.journeys.looking import faults_of
from tests.journeys.playing import lose_to_perfect, press, settle
from webapp.games.boards import board_view
from webapp.tictactoe import Board, Position

pytestmark = pytest.mark.parametrize("scripts", [True], indirect=True)

ANALYSES = [f"/analysis?position={text}" for text in ("X...O...X&back=8", "XXXOO....", "")]
PLACE_OF_BOARD = """() => {
  const box = document.querySelector('.board').getBoundingClientRect();
  return [box.x + scrollX, box.y + scrollY, box.width, box.height];
}"""
PHONES = [(390, 664), (360, 640), (320, 568)]
ANALYSES += [f"/analysis/tree?position=..OXOO..X&to_move=X&{rest}" for rest in ("open=all", "step=17")]
ANALYSES += ["/analysis/worksheet?position=..OXOO..X&to_move=X", "/analysis/worksheet"]
BOARD_OF_ANY_SHAPE = """{% extends "base.html" %}{% from "macros/board.html" import large %}
{% block main %}<form class="spread-board">{{ large(board, "X") }}</form>{% endblock %}"""


BLOCK = "/practice?kind=move&position=XX..O....&to_move=O"
VALUE = "/practice?kind=value&position=..OXOO..X&to_move=X&search=alpha-beta&visit=10"
CUT = "/practice?kind=cut&position=..OXOO..X&to_move=X&search=alpha-beta&visit=10&grade=hard"


def walk_through_practice(page: Page, site: str, look: Callable[[str], None]) -> None:
    for path in ("/practice", "/practice?kind=chess", BLOCK, VALUE, CUT):
        page.goto(site + path)
        look(path)
        if page.get_by_role("button", name="Show the answer").is_visible():
            settle(page)
            page.get_by_role("button", name="Show the answer").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("The answer")
            look(f"{path}, answered")


def sign_up(page: Page, site: str, name: str = "player7") -> None:
    page.goto(site + "/sign-up")
    page.get_by_label("User name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()


def walk(page: Page, site: str, look: Callable[[str], None]) -> None:
    """Past every page of the site, in every state that looks different; `look` is called at each."""
    for path in ("/", "/labs", "/sign-up", "/log-in", "/no-such-page", *ANALYSES):
        page.goto(site + path)
        look(path)
    page.goto(site)
    press(page, "top left")
    look("a guest's game")
    game = page.url
    page.goto(site + "/account")
    look("a guest's account")
    page.goto(site + "/sign-up")
    page.get_by_label("User name", exact=True).fill("a b")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    look("signing up, refused")
    sign_up(page, site, "W" * 20)
    look("home with a notice and an unfinished game")
    page.goto(game)
    other = page.context.new_page()
    other.goto(game)
    press(other, "top centre")
    other.close()
    page.get_by_role("button", name="bottom right, free").click()
    expect(page.get_by_role("alert")).to_be_visible()
    look("a stale form")
    press(page, "middle left")
    look("a lost game")
    finished = page.url.removeprefix(site)
    walk_through_practice(page, site, look)
    own = ("/practice?kind=mistake", "/history", f"/players/{'W' * 20}", "/account", "/account/delete")
    for path in (f"{finished}/replay", f"{finished}/analysis", *own):
        page.goto(site + path)
        look(path)
    page.context.clear_cookies()
    for cell in ("centre", "top left"):
        page.goto(site)
        press(page, cell)
    page.goto(f"{site}/log-in")
    page.get_by_label("User name", exact=True).fill("W" * 20)
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Move these games")).to_be_visible()
    look("a guest's games")
    page.goto(site)
    look("home with a guest's games")
    page.goto(f"{site}/account/guest-games")
    page.get_by_role("button", name="Move these games").click()
    page.get_by_text("more unfinished game").click()
    look("home with several unfinished games")


def walk_among_people(page: Page, app: Flask, site: str, look: Callable[[str], None]) -> None:
    """The same for the lobby and for games between people; others play through clients without a window."""
    page.context.clear_cookies()
    wide, ann, me = member_of(app, "MW" * 10), member_of(app, "ann"), "m" * 20
    opened = str(wide.send("/games", opponent="anyone", mark="O").location)
    for path in ("/lobby", opened):
        page.goto(site + path)
        look(f"{path} for a visitor")
    sign_up(page, site, me)
    page.goto(site + "/lobby")
    page.get_by_text("Open a game", exact=True).click()
    page.get_by_text("Challenge a player", exact=True).click()
    look("a lobby with little to show")
    challenge = str(ann.send("/games", opponent=me).location)
    page.goto(site + challenge)
    page.locator(".decline summary").click()
    look("a challenge")
    page.goto(site + opened)
    page.get_by_role("button", name="Join").click()
    press(page, "centre")
    for who, what, fields in ((wide, "draw", {"draw": "offer"}), (wide, "resign", {}), (wide, "rematch", {})):
        who.send(f"{opened}/{what}", **fields)
        page.reload()
        look(f"after {what} by the opponent")
    watched = str(wide.send("/games", opponent="anyone", mark="X").location)
    ann.send(f"{watched}/join")
    page.goto(site + watched)
    look("a game to watch")
    ann.send("/games", opponent=me)
    wide.send("/games", opponent="anyone")
    page.goto(site + "/lobby")
    page.locator(".decline summary").click()
    look("a busy lobby")
    page.get_by_text("Open a game", exact=True).click()
    page.get_by_label("only people with the link").check()
    page.get_by_role("button", name="Open the game").click()
    expect(page.get_by_label("The link to this game")).to_be_visible()
    look("a private game that waits")


@pytest.mark.long
def test_axe_finds_nothing_on_any_page_nothing_sticks_out_and_the_content_policy_holds(
    page: Page, app: Flask, site: str
) -> None:
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))

    def look(where: str) -> None:
        found.extend(f"{where}, {fault}" for fault in faults_of(page))

    walk(page, site, look)
    walk_among_people(page, app, site, look)
    # Chromium itself notes the answers that are errors on purpose: not found, refused, stale.
    assert [text for text in found if not text.startswith("Failed to load resource")] == []


def fit_on(page: Page, sizes: list[tuple[int, int]], *things: Locator) -> None:
    """All of these are in sight at once, on a screen of each of these sizes."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        for thing in things:
            expect(thing, f"on {width} x {height}").to_be_in_viewport(ratio=1)


def test_a_game_fits_the_screen_with_its_sentence_and_its_buttons(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    resign = page.locator("summary", has_text="Resign")
    fit_on(page, [*PHONES, (844, 390), (1200, 700)], page.get_by_role("heading", level=1), resign)


def test_a_game_between_people_fits_the_screen_with_all_that_can_be_decided(
    page: Page, app: Flask, site: str, set_clock: SetClock
) -> None:
    sign_up(page, site)
    ann = member_of(app, "ann")
    address = str(ann.send("/games", opponent="anyone", mark="O").location)
    page.goto(site + address)
    page.get_by_role("button", name="Join").click()
    press(page, "centre")
    ann.send(f"{address}/moves", cell=0, ply=1)
    page.reload()
    press(page, "bottom right")
    set_clock.pass_time(minutes=6)
    page.goto(site + address)
    expect(page.get_by_role("button", name="Claim the win")).to_be_visible()
    buttons = page.locator(".actions button").all()
    fit_on(page, [(390, 780), (844, 390), (1200, 800)], page.get_by_role("heading", level=1), *buttons)


def test_a_board_of_any_shape_has_square_cells_of_one_size(page: Page, app: Flask, site: str) -> None:
    for rows, columns in ((3, 3), (3, 5), (4, 4), (5, 5)):
        board = board_view(Position.start(Board(rows, columns, 3)), playable=True)
        app.view_functions["pages.home"] = lambda board=board: render_template_string(BOARD_OF_ANY_SHAPE, board=board)
        page.goto(site)
        boxes = [cell.bounding_box() for cell in page.get_by_role("button", name="free").all()]
        sides = {round(side) for box in boxes if box for side in (box["width"], box["height"])}
        assert len(boxes) == rows * columns, f"{rows} x {columns}"
        assert max(sides) - min(sides) <= 1, f"{rows} x {columns}"


def test_every_cell_speaks_its_place_and_its_mark(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    cells = page.get_by_role("group", name="Board, 3 by 3").locator(".cell")
    assert [cell.get_attribute("aria-label") for cell in cells.all()] == [
        "top left, X", "top centre, free", "top right, free",
        "middle left, free", "centre, O, last move", "middle right, free",
        "bottom left, free", "bottom centre, free", "bottom right, free",
    ]  # fmt: skip


@pytest.mark.parametrize(("wish", "moves"), [("no-preference", True), ("reduce", False)])
def test_nothing_moves_where_no_motion_is_wanted(page: Page, site: str, wish: str, moves: bool) -> None:
    page.emulate_media(reduced_motion=wish)  # type: ignore[arg-type]
    page.goto(site)
    lose_to_perfect(page)
    drawn = page.evaluate("document.getAnimations().filter(one => one.animationName === 'draw').length")
    assert (drawn > 0) == moves


def test_paper_gets_the_board_without_buttons(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    page.emulate_media(media="print")
    expect(page.get_by_role("group", name="Board")).to_be_visible()
    expect(page.locator("summary", has_text="Resign")).to_be_hidden()


def test_beginning_needs_no_scrolling_on_a_phone(page: Page, site: str) -> None:
    page.goto(site)
    labels = page.locator(".choice label")
    expect(labels).to_have_text(["Beginner", "Casual", "Perfect", "X", "O"])
    for phone in PHONES:
        fit_on(page, [phone], page.locator(".board"), page.locator(".home-coach label"), *labels.all())
        assert len({round((label.bounding_box() or {})["y"]) for label in labels.all()}) == 1, f"lines on {phone}"


def test_nothing_below_the_levels_moves_when_another_is_chosen(page: Page, site: str) -> None:
    page.goto(site)
    for width, height in (*PHONES, (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        heights = set()
        for level in ("Beginner", "Casual", "Perfect"):
            page.get_by_text(level, exact=True).click()
            heights.add((page.locator(".choices").bounding_box() or {})["height"])
        assert len(heights) == 1, f"{width} x {height}: {heights}"


def test_the_words_of_the_head_stand_where_they_stood_whichever_page_is_open(page: Page, site: str) -> None:
    sign_up(page, site)
    for width in (390, 1200):
        page.set_viewport_size({"width": width, "height": 700})
        stood = set()
        for path in ("/", "/lobby", "/history", "/practice", "/labs", "/classrooms", "/account"):
            page.goto(site + path)
            boxes = [link.bounding_box() or {} for link in page.locator(".places a:visible, .who a").all()]
            stood.add(tuple((box["x"], box["width"]) for box in boxes))
        assert len(stood) == 1, width


def test_text_twice_as_large_fits_a_phone(
    launch_browser: Callable[..., Browser], browser_type_launch_args: dict[str, Any], site: str, scripts: bool
) -> None:
    """As chosen in the settings of the browser, for all sites."""
    large = [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]
    with launch_browser(args=large) as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        page.goto(f"{site}/log-in")
        assert (page.get_by_label("Password", exact=True).bounding_box() or {})["width"] > 150
        sign_up(page, site)
        page.goto(site)
        lose_to_perfect(page)
        for path in ("/", "/lobby", "/history", "/account", "/no-such-page", ANALYSES[0]):
            page.goto(site + path)
            assert page.evaluate("document.documentElement.scrollWidth") == 390, path
        names = page.locator(".brand, .who a, .who button").all()
        boxes = [name.bounding_box() or {} for name in names]
        assert all(box["width"] > 40 for box in boxes) and boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]


class Still:
    """Notes where the board stands on each phone, whatever the page says now."""

    def __init__(self, page: Page) -> None:
        self.page, self.seen = page, {phone: set[tuple[float, ...]]() for phone in PHONES}

    def look(self) -> None:
        for width, height in PHONES:
            self.page.set_viewport_size({"width": width, "height": height})
            self.seen[width, height].add(tuple(self.page.evaluate(PLACE_OF_BOARD)))

    def stood(self) -> bool:
        return all(len(places) == 1 for places in self.seen.values())


def test_the_board_does_not_move_in_a_game_against_the_computer(page: Page, site: str) -> None:
    still = Still(page)
    page.goto(site)
    still.look()
    for cell in ("top left", "top centre"):
        press(page, cell)
        still.look()
    page.locator("summary", has_text="Resign").click()
    still.look()
    page.route("**/moves", lambda route: route.abort())
    page.get_by_role("button", name="middle left, free").click()
    expect(page.get_by_role("alert")).to_be_visible()
    still.look()
    page.unroute("**/moves")
    press(page, "middle left")
    expect(page.get_by_role("heading", name="Perfect wins")).to_be_visible()
    still.look()
    assert still.stood(), still.seen


def test_the_board_does_not_move_in_a_game_between_people(
    page: Page, app: Flask, site: str, set_clock: SetClock
) -> None:
    sign_up(page, site, "m" * 20)
    wide = member_of(app, "W" * 20)
    address = str(wide.send("/games", opponent="anyone", mark="O").location)
    still = Still(page)

    def sees(sentence: str) -> None:
        page.goto(site + address)
        expect(page.locator("#live")).to_contain_text(sentence)
        still.look()

    page.goto(site + address)
    page.get_by_role("button", name="Join").click()
    sees("Your turn")
    press(page, "centre")
    sees("Waiting for")
    wide.send(f"{address}/draw", draw="offer")
    sees("offers a draw")
    wide.send(f"{address}/moves", cell=0, ply=1)
    press(page, "top right")
    set_clock.pass_time(minutes=2)
    sees("is away.")
    wide.send("/games", opponent="m" * 20)
    sees("is away.")
    expect(page.locator("#waiting")).to_have_text("1 game waits for you")
    set_clock.pass_time(minutes=4)
    sees("You can claim the win")
    wide.send(f"{address}/resign")
    sees("resigned: you won")
    wide.send(f"{address}/rematch")
    sees("asks for a rematch")
    assert still.stood(), still.seen


def test_the_board_stays_in_place_from_visit_to_visit_of_a_search(page: Page, site: str) -> None:
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        places = []
        for step in (0, 1, 2, 5, 6, 13, 17, 31):
            page.goto(f"{site}/analysis/tree?position=..OXOO..X&to_move=X&search=alpha-beta&step={step}")
            places.append(page.evaluate(PLACE_OF_BOARD))
        assert places == [places[0]] * len(places), width


def test_a_short_page_is_as_high_as_the_screen(page: Page, site: str) -> None:
    for width, height in ((390, 740), (320, 800), (1200, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{site}/no-such-page")
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0, width
