"""Two people, and a third who watches: what one does the others see, without pressing anything."""

import re
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from tests.factories import PASSWORD
from tests.journeys.playing import settle
from tests.live_server import LiveBrowser, LiveServer
from tests.slow_network import slow_network
from tests.two_players import begin_game

NUMBERS = count(1)
HIDEABLE = "Object.defineProperty(document, 'hidden', { get: () => Boolean(window.isHidden) });"


class Person(NamedTuple):
    name: str
    http: LiveBrowser  # the same session without a window: for what is not looked at
    page: Page

    @property
    def context(self) -> BrowserContext:
        return self.page.context


@pytest.fixture(scope="module")
def servers(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[int], LiveServer]]:
    """The server with so many streams in each of its workers; one of each kind for all journeys here."""
    running: dict[int, LiveServer] = {}

    def server(streams: int) -> LiveServer:
        if streams not in running:
            folder = tmp_path_factory.mktemp(f"live-{streams}")
            shutil.copy(empty_database, folder / "noughts.db")
            running[streams] = LiveServer(folder, workers=2, NOUGHTS_STREAMS=str(streams))
            running[streams].start()
        return running[streams]

    yield server
    for one in running.values():
        one.close()


@pytest.fixture
def person(browser: Browser, servers: Callable[[int], LiveServer]) -> Iterator[Callable[..., Person]]:
    """Somebody with an account of their own and one open window."""
    contexts: list[BrowserContext] = []

    def make(word: str, streams: int = 24, scripts: bool = True) -> Person:
        server = servers(streams)
        http, name = LiveBrowser(server), f"{word}{next(NUMBERS)}"
        assert http.sign_up(name).status == 303
        contexts.append(browser.new_context(base_url=server.url, java_script_enabled=scripts))
        contexts[-1].add_cookies([{"name": "noughts", "value": http.cookies["noughts"], "url": server.url}])
        contexts[-1].add_init_script(HIDEABLE)
        contexts[-1].set_default_timeout(15_000)
        return Person(name, http, contexts[-1].new_page())

    yield make
    for context in contexts:
        context.close()


def begin(ann: Person, bob: Person) -> str:
    """A game in which Ann has X; nobody looks at it yet. Gives its address."""
    return begin_game(ann.http, bob.http, opponent=bob.name)


def move(who: Person, address: str, cell: int, ply: int) -> None:
    assert who.http.send(f"{address}/moves", cell=cell, ply=ply).status == 303


def test_a_meeting_from_the_lobby_to_the_rematch(person: Callable[..., Person]) -> None:
    ann, bob, eve = person("ann"), person("bob"), person("eve")
    bob.page.goto("/lobby")
    ann.page.goto("/lobby")
    expect(bob.page.get_by_role("link", name=ann.name, exact=True)).to_be_visible()  # she is here
    ann.page.get_by_role("button", name="Play now").click()
    row = bob.page.locator("li", has_text=ann.name).filter(has=bob.page.get_by_role("button", name="Join"))
    row.get_by_role("button", name="Join").click()
    bob.page.wait_for_url("**/games/*")
    expect(ann.page.locator(".board .cell")).to_have_count(9)
    eve.page.goto(bob.page.url)
    expect(eve.page.locator("#happened")).to_contain_text("You are watching")

    first, second = (ann, bob) if "Your turn" in ann.page.title() else (bob, ann)
    expect(second.page.get_by_role("heading", name=f"Waiting for {first.name}")).to_be_visible()
    first.page.get_by_role("button", name="centre, free", exact=True).click()
    expect(second.page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(second.page.get_by_role("img", name="centre, X, last move")).to_be_attached()
    expect(eve.page.get_by_role("img", name="centre, X, last move")).to_be_attached()
    expect(second.page).to_have_title("Your turn · Noughts")

    first.page.get_by_role("button", name="Offer a draw").click()
    expect(second.page.locator("#happened")).to_contain_text(f"{first.name} offers a draw")
    expect(second.page.locator("#spoken")).to_contain_text(f"{first.name} offers a draw")
    second.page.get_by_role("button", name="Decline").click()
    expect(first.page.locator("#happened")).to_contain_text("declined the draw")
    second.page.get_by_role("button", name="top left, free").click()
    expect(first.page.get_by_role("img", name="top left, O, last move")).to_be_attached()
    second.page.locator("summary", has_text="Resign").click()
    second.page.get_by_role("button", name="Yes, resign").click()
    expect(first.page.get_by_role("heading", name=f"{second.name} resigned: you won")).to_be_visible()
    expect(eve.page.get_by_role("heading", name=f"{second.name} resigned")).to_be_visible()

    old = second.page.url
    first.page.get_by_role("button", name="Rematch").click()
    first.page.wait_for_url(lambda url: url != old)
    second.page.get_by_role("button", name="Accept the rematch").click()
    second.page.wait_for_url(first.page.url)
    expect(first.page.locator(".board .cell")).to_have_count(9)


def test_who_stayed_on_the_old_page_follows_into_the_rematch(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    ann.http.send(f"{address}/resign")
    ann.page.goto(address)
    ann.http.send(f"{address}/rematch")
    expect(ann.page.locator("#happened")).to_contain_text(f"You asked {bob.name} for a rematch")
    bob.http.send(f"{address}/rematch")
    ann.page.wait_for_url(lambda url: not url.endswith(address))
    expect(ann.page.locator(".board .cell")).to_have_count(9)
    ann.page.goto(address)  # to look back at it is no reason to be led away
    expect(ann.page.get_by_role("link", name="To the rematch")).to_be_visible()


def game_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def sees_its_game(page: Page) -> None:
    """The board is that of the game which the address names."""
    expect(page.locator(".board").locator("xpath=..")).to_have_attribute("action", f"/games/{game_of(page)}/moves")


def test_both_press_rematch_on_a_slow_network_and_nobody_stays_behind(
    person: Callable[..., Person], servers: Callable[[int], LiveServer]
) -> None:
    both = ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    with slow_network(servers(24).port, round_trip=0.1) as far_away:
        for one in both:
            one.page.goto(far_away + address)
        for number in range(10):
            old = game_of(ann.page)
            both[number % 2].http.send(f"/games/{old}/resign")
            for one in both:
                expect(one.page.get_by_role("button", name="Rematch", exact=True)).to_be_visible()
            ann.page.get_by_role("button", name="Rematch").click()
            bob.page.wait_for_timeout(20 * number)  # so that the answers come in each order
            bob.page.get_by_role("button", name="Rematch").click()
            for one in both:
                one.page.wait_for_url(lambda url, old=old: not url.endswith(old))
                sees_its_game(one.page)
            assert game_of(ann.page) == game_of(bob.page)


@pytest.mark.parametrize("streams", [24, 0], ids=["streams", "asking"])
def test_a_move_appears_with_streams_and_without(person: Callable[..., Person], streams: int) -> None:
    ann, bob = person("ann", streams), person("bob", streams)
    address = begin(ann, bob)
    asked: list[str] = []
    bob.page.on("request", lambda request: asked.append(request.url))
    bob.page.goto(address)
    expect(bob.page.locator("[data-news]")).to_have_attribute("data-news", "told" if streams else "asked")
    asked.clear()  # a stream that is slow to begin is asked for as well
    board = bob.page.locator(".board").element_handle()
    move(ann, address, 4, 0)
    expect(bob.page.get_by_role("button", name="top left, free")).to_be_visible()
    assert board.evaluate("node => node.isConnected")  # only what differs was touched
    assert any(url.endswith("/state") for url in asked) == (streams == 0)


def test_a_proxy_that_holds_the_stream_back_is_found_out(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    bob.page.route("**/events*", lambda route: None)  # no word ever comes
    bob.page.goto(address)
    move(ann, address, 4, 0)
    expect(bob.page.get_by_role("heading", name="Your turn")).to_be_visible()


def test_a_lost_network_is_said_and_made_up_for(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    bob.page.goto(address)
    expect(bob.page.locator("[data-news=told]")).to_be_attached()
    bob.context.set_offline(True)
    expect(bob.page.get_by_text("No connection; trying again.")).to_be_visible()
    move(ann, address, 4, 0)
    bob.context.set_offline(False)
    expect(bob.page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(bob.page.get_by_text("No connection; trying again.")).to_have_count(0)


def test_another_network_is_asked_what_has_changed(person: Callable[..., Person]) -> None:
    """A word that was on its way may have come after the network was said to be gone, and another one not."""
    ann, bob = person("ann"), person("bob")
    bob.page.goto(begin(ann, bob))
    expect(bob.page.locator("[data-news=told]")).to_be_attached()
    with bob.page.expect_request("**/events*"):
        bob.page.evaluate("dispatchEvent(new Event('online'))")


def test_a_server_that_was_away_is_said_and_found_again(
    person: Callable[..., Person], servers: Callable[[int], LiveServer]
) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    bob.page.goto(address)
    expect(bob.page.locator("[data-news=told]")).to_be_attached()
    bob.page.route("**/state", lambda route: route.abort())
    bob.page.route("**/events*", lambda route: route.abort())
    servers(24).kill()
    try:
        expect(bob.page.get_by_text("No connection; trying again.")).to_be_visible()
    finally:
        servers(24).start()
    move(ann, address, 4, 0)
    bob.page.unroute("**/state")
    bob.page.unroute("**/events*")
    expect(bob.page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(bob.page.get_by_text("No connection; trying again.")).to_have_count(0)


def test_news_take_neither_the_focus_nor_the_scroll(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    bob.page.set_viewport_size({"width": 400, "height": 400})
    bob.page.goto(address)
    bob.page.get_by_role("img", name="bottom right, free").focus()
    bob.page.evaluate("scrollTo(0, 120)")
    move(ann, address, 4, 0)
    expect(bob.page.get_by_role("button", name="bottom right, free")).to_be_focused()
    assert bob.page.evaluate("scrollY") == 120
    expect(bob.page.locator("#spoken")).to_have_text(f"Your turn. You are O. {ann.name} took the centre.")


def test_what_is_typed_in_the_lobby_stays(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    bob.page.goto("/lobby")
    bob.page.get_by_text("Challenge a player").click()
    bob.page.get_by_label("Name").fill("somebo")
    ann.http.send("/games", opponent=bob.name)
    expect(bob.page.get_by_role("heading", name=f"{ann.name} challenges you")).to_be_visible()
    expect(bob.page.locator("#spoken")).to_contain_text(f"{ann.name} challenges you")
    expect(bob.page.get_by_label("Name")).to_be_focused()
    expect(bob.page.get_by_label("Name")).to_have_value("somebo")


def test_news_wait_while_one_s_own_move_is_on_its_way(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    ann.page.goto(address)
    held = []
    ann.page.route("**/moves", lambda route: held.append(route))
    ann.page.get_by_role("button", name="top left, free").click()
    with ann.page.expect_response("**/piece"):
        bob.http.send(f"{address}/resign")
    expect(ann.page.locator(".is-sent")).to_have_count(1)
    expect(ann.page.get_by_role("heading", name="Your turn")).to_be_visible()
    held[0].continue_()
    expect(ann.page.get_by_role("heading", name=f"{bob.name} resigned: you won")).to_be_visible()


def test_a_press_whose_answer_is_lost_is_not_asked_for_again_once_it_is_seen_to_have_arrived(
    person: Callable[..., Person],
) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    move(ann, address, 4, 0)
    ann.page.goto(address)
    expect(ann.page.locator("[data-news=told]")).to_be_attached()
    ann.page.route("**/draw", lambda route: (route.fetch(), route.abort()))
    settle(ann.page)
    ann.page.get_by_role("button", name="Offer a draw").click()
    expect(ann.page.locator("#happened")).to_contain_text("You have offered a draw")
    expect(ann.page.get_by_role("alert")).to_have_count(0)


def test_nothing_moves_away_under_a_finger(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    bob.page.goto(address)
    expect(bob.page.locator("[data-news=told]")).to_be_attached()
    bob.page.locator("summary", has_text="Cancel the game").hover()
    bob.page.mouse.down()
    with bob.page.expect_response("**/piece"):
        ann.http.send(f"{address}/abort")
    bob.page.wait_for_timeout(200)
    expect(bob.page.get_by_role("heading", name=f"Waiting for {ann.name}")).to_be_visible()
    bob.page.mouse.move(1, 1)
    bob.page.mouse.up()
    expect(bob.page.get_by_role("heading", name="Cancelled")).to_be_visible()


# When a game comes or goes: people do so at any time.
PRESS_AT_CHANGE = """() => {
  const count = () => document.querySelectorAll('#open + .rows .row').length, before = count();
  window.pressed = new Promise((done) => new MutationObserver(() => {
  if (count() === before) return;
  const button = document.querySelector('#open + .rows .row:last-child button');
  const box = button.getBoundingClientRect();
  done(button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)));
}).observe(document.getElementById('lobby'), { childList: true, subtree: true })); }"""


def test_a_button_that_has_just_moved_is_not_pressed_by_mistake(person: Callable[..., Person]) -> None:
    ann, bob, eve = person("ann"), person("bob"), person("eve")
    first = ann.http.send("/games", opponent="anyone").location
    bob.http.send("/games", opponent="anyone")
    eve.page.goto("/lobby")
    expect(eve.page.locator("[data-news=told]")).to_be_attached()
    settle(eve.page)
    expect(eve.page.locator("li", has_text=bob.name).get_by_role("button", name="Join")).to_be_visible()
    eve.page.evaluate(PRESS_AT_CHANGE)
    ann.http.send(f"{first}/withdraw")
    assert eve.page.evaluate("window.pressed") is False


def test_a_tab_in_the_background_tells_that_it_is_one_s_turn(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    address = begin(ann, bob)
    bob.page.goto(address)
    icon = bob.page.locator("link[rel=icon]")
    hide(bob.page, True)
    expect(icon).to_have_attribute("href", re.compile("favicon.svg"))
    move(ann, address, 4, 0)
    expect(icon).to_have_attribute("href", re.compile("favicon-turn.svg"))
    assert bob.page.title() == "Your turn · Noughts"
    hide(bob.page, False)
    expect(icon).to_have_attribute("href", re.compile("favicon.svg"))


def hide(page: Page, is_hidden: bool) -> None:
    """Another tab comes before this one, or this one is looked at again."""
    page.evaluate(f"window.isHidden = {int(is_hidden)}; document.dispatchEvent(new Event('visibilitychange'))")


def test_who_plays_the_computer_meanwhile_hears_that_somebody_joined(person: Callable[..., Person]) -> None:
    ann, bob = person("ann"), person("bob")
    address = ann.http.send("/games", opponent="anyone", mark="O").location
    ann.page.goto(ann.http.start_game(cell=0))
    sign, icon = ann.page.locator("#waiting"), ann.page.locator("link[rel=icon]")
    expect(sign).to_be_hidden()
    hide(ann.page, True)
    bob.http.send(f"{address}/join")
    expect(ann.page).to_have_title("(1) Your turn · Noughts")
    expect(icon).to_have_attribute("href", re.compile("favicon-turn.svg"))
    hide(ann.page, False)
    expect(icon).to_have_attribute("href", re.compile("favicon.svg"))
    expect(sign).to_have_text("1 game waits for you")
    expect(ann.page.locator("#spoken")).to_have_text("1 game waits for you.")
    ann.page.get_by_role("button", name="top centre, free").click()  # the head is drawn afresh with the board
    expect(ann.page.get_by_role("img", name=re.compile("top centre, X"))).to_be_attached()
    expect(sign).to_have_text("1 game waits for you")
    for page in ("/history", "/labs"):
        ann.page.goto(page)
        expect(sign).to_have_attribute("href", address)
        challenge = bob.http.send("/games", opponent=ann.name).location
        expect(sign).to_have_text("2 games wait for you")
        assert ann.page.title().startswith("(2) ")
        bob.http.send(f"{challenge}/withdraw")
        expect(sign).to_have_text("1 game waits for you")
    sign.click()
    expect(ann.page.get_by_role("heading", name=f"Waiting for {bob.name}")).to_be_visible()
    expect(sign).to_be_hidden()


def test_a_page_without_a_stream_asks_how_many_games_wait_while_it_is_looked_at(person: Callable[..., Person]) -> None:
    ann, bob = person("ann", streams=0), person("bob", streams=0)
    ann.page.clock.install()
    for page in ("/labs", "/lobby"):
        ann.page.goto(page)
        hide(ann.page, True)
        challenge = bob.http.send("/games", opponent=ann.name).location
        ann.page.clock.fast_forward(16_000)
        expect(ann.page.locator("#waiting")).to_be_hidden()
        with ann.page.expect_response("**/lobby/waiting"):
            hide(ann.page, False)
        expect(ann.page.locator("#waiting")).to_have_text("1 game waits for you")
        bob.http.send(f"{challenge}/withdraw")
        with ann.page.expect_response("**/lobby/waiting"):
            ann.page.clock.fast_forward(16_000)
        expect(ann.page.locator("#waiting")).to_be_hidden()


def test_a_game_that_closes_to_others_leaves_their_page(person: Callable[..., Person]) -> None:
    ann, bob, eve = person("ann"), person("bob"), person("eve")
    address = ann.http.send("/games", opponent="anyone", visibility="private", mark="X").location
    eve.page.goto(address)
    bob.http.send(f"{address}/join")
    expect(eve.page.get_by_role("heading", name="Somebody was quicker")).to_be_visible()


def test_asking_stops_when_the_game_is_over(person: Callable[..., Person]) -> None:
    ann, bob, eve = (person(word, streams=0) for word in ("ann", "bob", "eve"))
    address = begin(ann, bob)
    eve.page.clock.install()
    eve.page.goto(address)
    with eve.page.expect_request("**/state"):
        eve.page.clock.fast_forward(16_000)
    bob.http.send(f"{address}/resign")
    eve.page.clock.fast_forward(16_000)
    expect(eve.page.get_by_role("heading", name=f"{bob.name} resigned")).to_be_visible()
    asked: list[Request] = []
    eve.page.on("request", lambda request: asked.append(request))
    for _ in range(3):
        eve.page.clock.fast_forward(16_000)
    assert [one.url for one in asked if "/games/" in one.url] == []


def test_with_scripts_off_the_page_is_drawn_afresh_often_while_waiting_else_seldom(
    person: Callable[..., Person],
) -> None:
    ann, bob = person("ann"), person("bob", scripts=False)
    address = begin(ann, bob)
    bob.page.goto(address)
    refresh = bob.page.locator("meta[http-equiv=refresh]")
    expect(refresh).to_have_attribute("content", f"5; url={address}")
    move(ann, address, 4, 0)
    expect(bob.page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(refresh).to_have_attribute("content", f"30; url={address}")
    ann.http.send(f"{address}/draw", draw="offer")
    bob.page.get_by_role("button", name="top left, free").click()
    expect(bob.page.get_by_role("alert")).to_contain_text(f"{ann.name} has just offered a draw")
    bob.page.get_by_role("button", name="top left, free").click()
    expect(bob.page.get_by_role("heading", name=f"Waiting for {ann.name}")).to_be_visible()
    ann.http.send(f"{address}/resign")
    bob.page.reload()  # as it would in five seconds
    expect(bob.page.get_by_role("heading", name=f"{ann.name} resigned: you won")).to_be_visible()
    assert refresh.count() == 0


@pytest.mark.parametrize("streams", [24, 0], ids=["told", "asked"])
def test_whose_session_is_ended_elsewhere_during_a_game_is_told_so(
    person: Callable[..., Person], servers: Callable[[int], LiveServer], streams: int
) -> None:
    ann, bob = person("ann", streams), person("bob", streams)
    address = begin(ann, bob)
    ann.page.goto(address)
    expect(ann.page.locator("#headline")).to_have_text("Your turn")
    elsewhere = LiveBrowser(servers(streams))
    elsewhere.send("/log-in", page="/log-in", name=ann.name, password=PASSWORD)
    assert elsewhere.send("/account/sessions/end-others").status == 303
    expect(ann.page.get_by_role("alert")).to_have_text("You were logged out. Log in again to go on.")
    expect(ann.page.locator("#head")).not_to_contain_text(ann.name)
    ann.page.get_by_role("alert").get_by_role("link", name="Log in").click()
    ann.page.get_by_label("Name").fill(ann.name)
    ann.page.get_by_label("Password", exact=True).fill(PASSWORD)
    ann.page.get_by_role("button", name="Log in").click()
    expect(ann.page).to_have_url(re.compile(address))
    expect(ann.page.locator("#headline")).to_have_text("Your turn")
