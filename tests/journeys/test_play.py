"""Playing the computer, as a person does it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.pages import headline, log_in, play_on, position_on, press, sign_up
from webapp.tictactoe import O, X


def name_for(request: pytest.FixtureRequest, word: str) -> str:
    """Each journey runs twice on one server: a name of its own for each."""
    return f"{word}-{'on' if 'scripts-on' in request.node.name else 'off'}"


def test_a_guest_plays_and_signs_up_in_the_middle(page: Page, request: pytest.FixtureRequest) -> None:
    page.goto("/")
    press(page, 0)
    assert headline(page) == "Your turn"
    assert str(position_on(page, X)) == "X...O...."
    address = page.url
    page.get_by_role("link", name="Sign up and keep your games").click()
    sign_up(page, name_for(request, "guest"))
    expect(page).to_have_url(address)
    assert str(position_on(page, X)) == "X...O...."
    play_on(page, X)
    assert headline(page) == "Drawn"


def test_careless_play_loses_to_perfect(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Perfect").check()
    press(page, 0)
    play_on(page, X, careless=True)
    assert headline(page).startswith("Perfect wins")
    assert page.locator(".strike").count() == 1
    expect(page.get_by_text("1 lost")).to_be_visible()


def test_the_best_play_draws_with_perfect_as_o_too(page: Page) -> None:
    page.goto("/")
    page.locator("label", has_text=re.compile("^O$")).click()
    expect(page.get_by_text("the computer moves first")).to_be_visible()
    page.locator('.board button[value="4"]').click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".moves li")).to_have_count(1)
    play_on(page, O)
    assert headline(page) == "Drawn"
    page.get_by_role("button", name="Play again as X").click()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    assert str(position_on(page, X)) == "........."


def test_beginner_can_be_beaten(page: Page) -> None:
    page.goto("/")
    page.locator("label", has_text="Beginner").click()
    press(page, 0)
    for _ in range(5):  # Beginner may stumble into a draw; five times in a row it does not.
        play_on(page, X)
        if headline(page).startswith("You won"):
            break
        page.goto("/")
        page.locator("label", has_text="Beginner").click()
        press(page, 0)
    assert headline(page).startswith("You won")


def test_a_game_goes_on_in_another_browser(
    page: Page, browser: Browser, browser_context_args: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    name = name_for(request, "mover")
    page.goto("/sign-up")
    sign_up(page, name)
    page.goto("/")
    press(page, 0)
    phone = browser.new_context(**{**browser_context_args, "viewport": {"width": 390, "height": 800}}).new_page()
    log_in(phone, name)
    phone.get_by_role("link", name="Continue").click()
    phone.wait_for_url("**/games/*")
    assert str(position_on(phone, X)) == "X...O...."
    press(phone, 8)
    page.reload()
    assert position_on(page, X) == position_on(phone, X)
    phone.context.close()


def test_resigning_gives_the_game_away(page: Page) -> None:
    page.goto("/")
    press(page, 4)
    page.locator("summary", has_text="Resign").click()
    expect(page.get_by_text("Perfect wins this game.")).to_be_visible()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
    expect(page.locator(".board button")).to_have_count(0)


def test_a_second_tab_that_is_behind_is_shown_the_present_board(page: Page) -> None:
    page.goto("/")
    press(page, 0)
    behind = page.context.new_page()
    behind.goto(page.url)
    press(page, 8)
    behind.locator('.board button[value="1"]').click()
    expect(behind.get_by_text("older board")).to_be_visible()
    expect(behind.locator(".moves li")).to_have_count(4)


def test_the_back_button_brings_no_stale_board_to_life(page: Page) -> None:
    page.goto("/")
    press(page, 0)
    press(page, 8)
    page.goto("/account")
    page.go_back()
    expect(page.locator(".moves li")).to_have_count(4)


def test_enter_on_a_choice_starts_no_game(page: Page) -> None:
    page.goto("/")
    for name in ("Perfect", "X"):
        page.get_by_role("radio", name=name, exact=True).focus()
        page.keyboard.press("Enter")
    press(page, 8)
    assert str(position_on(page, X)) == "....O...X"


@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_to_skip_to_the_page_asks_for_no_other_and_leaves_what_is_chosen(page: Page) -> None:
    page.goto("/")
    page.locator("label", has_text="Beginner").click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("link", name="Skip to the page").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_be_focused()
    page.wait_for_timeout(200)  # a reload would have begun
    assert page.url.endswith("#live") and asked == []
    expect(page.get_by_role("radio", name="Beginner")).to_be_checked()
    press(page, 0)
    page.go_back()
    expect(page.get_by_role("heading", name="Press a cell to begin")).to_be_visible()


@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_a_move_is_one_trip_over_the_network(page: Page) -> None:
    page.goto("/")
    asked: list[tuple[str, str]] = []
    page.on("request", lambda request: asked.append((request.method, request.url.removeprefix(str(page.url)))))
    press(page, 0)
    page.wait_for_url("**/games/*")
    assert [method for method, _ in asked] == ["POST"]
    asked.clear()
    press(page, 8)
    expect(page.locator(".moves li")).to_have_count(4)
    assert asked == [("POST", "/moves")]


@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_arrow_keys_walk_over_the_board_and_enter_plays(page: Page) -> None:
    page.goto("/")
    page.locator('.board button[value="4"]').focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "top left, free")
    page.keyboard.press("Enter")
    expect(page.locator("#spoken")).to_contain_text("The computer took the centre")


@pytest.mark.parametrize("scripts", [False], indirect=True)
def test_the_tab_key_alone_reaches_every_cell(page: Page) -> None:
    page.goto("/")
    cells = page.locator(".board button")
    for _ in range(20):
        page.keyboard.press("Tab")
        if cells.first.evaluate("cell => cell === document.activeElement"):
            break
    for number in range(9):
        expect(cells.nth(number)).to_be_focused()
        page.keyboard.press("Tab")


@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_a_lost_network_is_said_and_the_move_can_be_sent_again(page: Page) -> None:
    page.goto("/")
    press(page, 0)
    page.context.set_offline(True)
    page.locator('.board button[value="8"]').click()
    expect(page.get_by_role("alert")).to_contain_text("Press again")
    page.context.set_offline(False)
    press(page, 8)
    expect(page.locator(".moves li")).to_have_count(4)


@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_if_the_script_does_not_load_the_plain_form_plays(page: Page) -> None:
    page.route(re.compile(r"play\.js"), lambda route: route.abort())
    page.goto("/")
    press(page, 0)
    press(page, 8)
