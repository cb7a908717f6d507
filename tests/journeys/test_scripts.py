"""What the two scripts add: a move shown at once and spoken, arrow keys, no move lost with the network, passwords."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.journeys.playing import lose_to_perfect, press

LOST = re.compile("The network (did not answer|is back)")  # two seconds later it is asked again

pytestmark = pytest.mark.parametrize("scripts", [True], indirect=True)


def test_the_answer_is_spoken_and_the_focus_stays_on_the_board(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_role("button", name="top left, free").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#spoken")).to_have_text("Your turn. You are X. The computer took the centre.")
    expect(page.get_by_role("img", name="top left, X")).to_be_focused()


def test_the_end_is_spoken_and_the_focus_is_on_the_headline(page: Page, site: str) -> None:
    page.goto(site)
    lose_to_perfect(page)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator("#spoken")).to_contain_text("You were X. The computer took the")


def test_arrow_keys_walk_over_the_cells_and_stop_at_the_edge(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_role("button", name="top left, free").focus()
    for key, name in [("ArrowRight", "top centre"), ("ArrowDown", "centre"), ("ArrowDown", "bottom centre"),
                      ("ArrowDown", "bottom centre"), ("ArrowLeft", "bottom left"), ("ArrowLeft", "bottom left"),
                      ("ArrowUp", "middle left")]:  # fmt: skip
        page.keyboard.press(key)
        expect(page.get_by_role("button", name=f"{name}, free", exact=True)).to_be_focused()


def test_a_move_is_shown_before_the_server_answers_and_no_second_one_can_be_pressed(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    held: list[Route] = []
    page.route("**/moves", lambda route: held.append(route))
    pressed = page.get_by_role("button", name="bottom right, free")
    with page.expect_request("**/moves"):
        pressed.click()
    expect(pressed.locator("svg")).to_have_css("opacity", "1")
    page.get_by_role("button", name="bottom left, free").click()
    assert len(held) == 1
    held[0].continue_()
    expect(page.get_by_role("img", name="bottom right, X")).to_be_visible()
    expect(page.get_by_role("button", name="bottom left, free")).to_be_visible()


def test_a_move_the_network_lost_can_be_pressed_again(page: Page, site: str) -> None:
    page.set_viewport_size({"width": 1200, "height": 700})
    page.goto(site)
    press(page, "top left")
    place = page.locator(".board").bounding_box()
    page.route("**/moves", lambda route: route.abort())
    page.get_by_role("button", name="bottom right, free").click()
    expect(page.get_by_role("alert")).to_contain_text(LOST)
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    assert page.locator(".board").bounding_box() == place, "the next press would meet another cell"
    page.unroute("**/moves")
    press(page, "bottom right")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_press_whose_answer_never_comes_can_be_made_again(page: Page, site: str) -> None:
    page.add_init_script("const late = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = () => late(1)")
    page.goto(site)
    page.route("**/games", lambda route: None)  # a connection that stalls: neither an answer nor an error
    page.get_by_role("button", name="top left, free").click()
    expect(page.get_by_role("alert")).to_contain_text(LOST)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def test_a_form_whose_answer_never_comes_can_be_sent_again(page: Page, site: str) -> None:
    page.clock.install()
    page.goto(f"{site}/log-in")
    page.get_by_label("User name").fill("player7")
    page.locator("main form").evaluate("form => form.addEventListener('submit', event => event.preventDefault())")
    button = page.locator("main form").get_by_role("button").last
    button.click()
    expect(button).to_have_text("Please wait …")
    expect(button).to_be_disabled()
    page.clock.fast_forward(15_000)
    expect(button).to_have_text("Log in")
    expect(button).to_be_enabled()
    expect(page.get_by_label("User name")).to_have_value("player7")


def test_a_move_whose_answer_was_lost_counts_once(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/moves", lose_the_answer)
    page.get_by_role("button", name="bottom right, free").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.unroute("**/moves")
    press(page, "bottom right")
    expect(page.locator(".moves li")).to_have_count(4)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("<main id=live><h1>Busy just now</h1><p>Try again in a moment.</p></main>", "Busy just now. Try again"),
        ("<h1>Welcome to the hotel</h1>", "The network did not answer"),
    ],
)
def test_an_answer_without_a_board_leaves_the_board_and_says_why(
    page: Page, site: str, answer: str, sentence: str
) -> None:
    page.goto(site)
    press(page, "top left")
    page.route("**/moves", lambda route: route.fulfill(status=503, content_type="text/html", body=answer))
    page.get_by_role("button", name="bottom right, free").click()
    expect(page.get_by_role("alert")).to_contain_text(sentence)
    page.unroute("**/moves")
    press(page, "bottom right")


def test_who_lost_the_session_is_told_so_above_the_board(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    page.context.clear_cookies()
    page.get_by_role("button", name="bottom right, free").click()
    expect(page.get_by_role("alert")).to_contain_text("This form is out of date")


def test_back_and_reload_show_what_the_address_says(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    game = page.url
    page.reload()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    assert page.url == game


def test_a_password_can_be_shown_and_hidden(page: Page, site: str) -> None:
    page.goto(site + "/sign-up")
    field = page.get_by_label("Password", exact=True)
    field.fill("correct horse")
    page.get_by_role("button", name="Show Password").click()
    expect(field).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide Password").click()
    expect(field).to_have_attribute("type", "password")


# What a press would reach now: a cell, or a button or link by its words.
PRESSABLE = """() => [...document.querySelectorAll('main :is(button, summary, a.button)')].filter((one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}).map((one) => one.matches('.cell') ? 'cell' : one.innerText.trim())"""
NOTE_AT_SWAP = f"""() => {{ window.atSwap = new Promise((done) => {{
  new MutationObserver(() => done(({PRESSABLE})())).observe(document.body, {{ childList: true }});
}}); }}"""


ARE_PRESSABLE = f"(words) => JSON.stringify(({PRESSABLE})()) === JSON.stringify(words)"


def pressable_after(page: Page, button: Locator, later: list[str]) -> list[str]:
    """What can be pressed in the moment in which the answer to this press is there; and half a second later that."""
    page.evaluate(NOTE_AT_SWAP)
    button.click()
    at_once: list[str] = page.evaluate("window.atSwap")
    page.evaluate("scrollTo(0, 0)")  # Playwright scrolls when it has to press twice
    page.wait_for_function(ARE_PRESSABLE, arg=later)
    return at_once


def test_the_second_press_of_two_hits_nothing_but_moves_are_as_quick_as_one_likes(page: Page, site: str) -> None:
    page.goto(site)
    cells = ["cell"] * 7
    assert pressable_after(page, page.get_by_role("button", name="top left, free"), [*cells, "Resign"]) == cells
    press(page, "top centre")
    middle = page.get_by_role("button", name="middle left, free")
    assert pressable_after(page, middle, ["Play again as O", "Another level"]) == []
    again = page.get_by_role("button", name="Play again as O")
    assert pressable_after(page, again, [*["cell"] * 8, "Resign"]) == []


def test_the_second_press_of_two_does_not_take_back_the_first(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    page.locator("summary", has_text="Resign").dblclick()
    expect(page.get_by_role("button", name="Yes, resign")).to_be_visible()


def test_when_the_network_is_back_the_page_says_so(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    page.context.set_offline(True)
    page.get_by_role("button", name="bottom right, free").click()
    expect(page.get_by_role("alert")).to_contain_text("The network did not answer")
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_contain_text("The network is back")
    press(page, "bottom right")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_escape_takes_a_question_back_and_its_button_has_the_focus_again(page: Page, site: str) -> None:
    page.goto(site)
    press(page, "top left")
    summary = page.locator("summary", has_text="Resign")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Yes, resign")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Yes, resign")).to_be_hidden()
    expect(summary).to_be_focused()
