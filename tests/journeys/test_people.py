"""People meet in the lobby and play each other, each in a browser of their own; others watch.

Pages are drawn afresh where one waits for another: that changes come by themselves is tested elsewhere.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect

from tests.conftest import SetClock
from tests.journeys.people import People, open_game, play, push, say
from tests.journeys.playing import press
from webapp.accounts import presence

X_WINS = ["top left", "middle left", "top centre", "centre", "top right"]
ONE_WAY = pytest.mark.parametrize("scripts", [True], indirect=True)


@pytest.fixture
def bring(app: Flask, site: str, browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[People]:
    presence._written.clear()
    people = People(app, site, browser, browser_context_args)
    yield people
    people.leave()


def test_two_meet_in_the_lobby_and_play_to_a_win_while_a_third_watches(bring: People) -> None:
    ann, bob, eve = bring("ann"), bring("bob"), bring(None)
    ann.goto("/lobby")
    push(ann, "Play now")
    expect(ann.locator("#headline")).to_have_text("Waiting for a player")
    bob.goto("/lobby")
    expect(bob.get_by_role("region", name="Open games")).to_contain_text("ann")
    push(bob, "Play now")
    bob.wait_for_url("**/games/*")
    ann.reload()
    x, o = (ann, bob) if ann.get_by_role("heading", name="Your turn").count() else (bob, ann)
    winner, loser = ("ann", "bob") if x is ann else ("bob", "ann")

    eve.goto("/lobby")
    push(eve, "Watch")
    expect(eve.locator("#headline")).to_have_text(f"{winner}’s turn")
    expect(eve.locator("#happened")).to_contain_text("You are watching")
    expect(eve.get_by_role("button", name=re.compile("free|Resign|draw"))).to_have_count(0)

    play(x, o, *X_WINS)
    expect(x.locator("#headline")).to_have_text("You won in the top row")
    say(o, f"{winner} wins in the top row")
    say(eve, f"{winner} won in the top row")
    expect(x.get_by_role("heading", name=f"You 1, {loser} 0, 0 drawn")).to_be_visible()
    x.goto("/history")
    expect(x.get_by_role("row", name=re.compile(f"{loser}.*Won.*line"))).to_be_visible()


def test_a_draw_is_offered_declined_and_later_accepted(bring: People) -> None:
    ann, bob = bring("ann"), bring("bob")
    address = open_game(ann)
    bob.goto(address)
    push(bob, "Join")
    expect(bob.locator("#headline")).to_have_text("Waiting for ann")
    say(ann, "Your turn")
    press(ann, "centre")
    push(ann, "Offer a draw")
    expect(ann.locator("#happened")).to_contain_text("You have offered a draw")
    bob.reload()
    expect(bob.locator("#happened")).to_contain_text("ann offers a draw. A move declines it.")
    push(bob, "Decline")
    expect(bob.get_by_role("button", name="Decline")).to_have_count(0)
    ann.reload()
    expect(ann.locator("#happened")).to_contain_text("bob declined the draw")

    push(bob, "Offer a draw")
    expect(bob.locator("#happened")).to_contain_text("You have offered a draw")
    ann.reload()
    push(ann, "Accept the draw")
    for page in (ann, bob):
        say(page, "Drawn by agreement")
        expect(page.get_by_text("1 drawn", exact=True)).to_be_visible()


def test_after_a_resignation_both_meet_again_with_the_marks_swapped(bring: People) -> None:
    ann, bob, eve = bring("ann"), bring("bob"), bring(None)
    first = bring.begin(ann, bob, 4, 0)
    push(bob, "Resign")
    push(bob, "Yes, resign")
    expect(bob.locator("#headline")).to_have_text("You resigned")
    say(ann, "bob resigned: you won")

    push(ann, "Rematch")
    expect(ann.locator("#headline")).to_have_text("Waiting for bob")
    bob.reload()
    expect(bob.locator("#happened")).to_contain_text("ann asks for a rematch")
    push(bob, "Accept the rematch")
    expect(bob.locator("#headline")).to_have_text("Your turn")
    say(ann, "Waiting for bob")
    expect(ann.locator("#happened")).to_contain_text("You are O. bob begins")
    assert ann.url == bob.url != first

    eve.goto(first)
    push(eve, "Watch the rematch")
    expect(eve.locator("#headline")).to_have_text("bob’s turn")


def test_a_rematch_can_be_put_off_and_asked_for_again(bring: People) -> None:
    ann, bob = bring("ann"), bring("bob")
    finished = bring.begin(ann, bob, 0, 3, 1, 4, 2)
    push(ann, "Rematch")
    expect(ann.locator("#headline")).to_have_text("Waiting for bob")
    bob.goto(finished)
    push(bob, "Not now")
    bob.wait_for_url("**/lobby")
    say(ann, "bob declined")
    ann.goto(finished)
    expect(ann.get_by_role("button", name="Rematch")).to_be_visible()


@pytest.mark.parametrize(
    ("choice", "mine", "theirs"),
    [
        ("Claim the win", "You claimed the win", "ann claimed the win"),
        ("Claim a draw", "Draw claimed", "Draw claimed"),
    ],
)
def test_who_stays_may_decide_when_the_other_has_gone(
    bring: People, set_clock: SetClock, choice: str, mine: str, theirs: str
) -> None:
    ann, bob = bring("ann"), bring("bob", java_script_enabled=False)
    bring.begin(ann, bob, 4, 0, 8)
    bob.close()
    set_clock.pass_time(minutes=2)
    ann.reload()
    expect(ann.locator("#happened")).to_contain_text("bob is away, last seen 2 minutes ago")
    expect(ann.get_by_role("button", name=choice)).to_have_count(0)
    set_clock.pass_time(minutes=4)
    ann.reload()
    expect(ann.locator("#happened")).to_contain_text("bob has been away for a while. You can claim the win")
    push(ann, choice)
    expect(ann.locator("#headline")).to_have_text(mine)
    bob = bob.context.new_page()
    bob.goto(ann.url)
    expect(bob.locator("#headline")).to_have_text(theirs)
    expect(bob.locator("#happened")).to_contain_text("You left on your turn")


def test_a_challenge_goes_to_the_one_named_who_declines_with_a_reason(bring: People) -> None:
    ann, bob, eve = bring("ann"), bring("bob"), bring("eve")
    bob.goto("/lobby")
    ann.goto("/lobby")
    ann.get_by_role("link", name="Challenge bob").click()
    expect(ann.get_by_label("Name")).to_have_value("bob")
    push(ann, r"Challenge\s*$")
    expect(ann.locator("#headline")).to_have_text("Waiting for bob")
    eve.goto("/lobby")
    expect(eve.get_by_role("main")).not_to_contain_text("ann challenges")

    bob.reload()
    challenges = bob.get_by_role("region", name="Challenges to you")
    expect(challenges).to_contain_text("ann challenges you")
    bob.locator("summary", has_text="Decline").dblclick()
    push(bob, "I am in another game")
    bob.wait_for_url("**/lobby")
    expect(challenges).to_have_count(0)
    expect(bob.get_by_role("status").first).to_have_text("You declined. Your opponent can read that.")
    say(ann, "bob declined")
    expect(ann.locator("#happened")).to_contain_text("bob said: I am in another game. Challenge somebody else")


def test_a_mistyped_name_can_be_put_right_where_it_was_typed(bring: People) -> None:
    ann, _ = bring("ann"), bring("bob")
    ann.goto("/lobby")
    push(ann, "Challenge a player")
    ann.get_by_label("Name").fill("bobb")
    push(ann, r"Challenge\s*$")
    expect(ann.get_by_role("alert")).to_contain_text("There is no player named bobb")
    expect(ann.get_by_label("Name")).to_have_value("bobb")
    ann.get_by_label("Name").fill("Bob")
    push(ann, r"Challenge\s*$")
    expect(ann.locator("#headline")).to_have_text("Waiting for bob")


def test_what_was_typed_is_there_on_the_way_back(bring: People) -> None:
    """But not the id in the form: that is of the new page."""
    ann = bring("ann")
    ann.goto("/lobby")
    push(ann, "Challenge a player")
    ann.get_by_label("Name").fill("bob")
    public_id = ann.locator("#challenge [name=public_id]").input_value()
    ann.goto("/analysis")
    ann.go_back()
    expect(ann.locator("#opponent")).to_have_value("bob")
    expect(ann.locator("#challenge [name=public_id]")).not_to_have_value(public_id)


def test_a_challenge_is_accepted_in_the_lobby_and_the_game_cancelled(bring: People) -> None:
    ann, bob = bring("ann"), bring("bob")
    ann.goto("/lobby?challenge=bob")
    push(ann, r"Challenge\s*$")
    ann.wait_for_url("**/games/*")
    bob.goto("/lobby")
    push(bob, "Accept")
    bob.wait_for_url("**/games/*")
    push(bob, "Cancel the game")
    push(bob, "Yes, cancel the game")
    expect(bob.locator("#headline")).to_have_text("Cancelled")
    say(ann, "Cancelled")
    expect(ann.locator("#happened")).to_contain_text("It does not count.")


def test_a_private_link_leads_a_stranger_through_sign_up_to_the_board(bring: People) -> None:
    ann, newcomer, eve = bring("ann"), bring(None), bring("eve")
    open_game(ann, mark="O", private=True)
    link = ann.get_by_label("The link to this game").input_value()
    assert link == ann.url
    eve.goto("/lobby")
    expect(eve.get_by_role("region", name="Open games")).not_to_contain_text("ann")

    newcomer.goto(link)
    expect(newcomer.locator("#headline")).to_have_text("ann invites you to play")
    push(newcomer, "Sign up to join")
    newcomer.get_by_label("User name", exact=True).fill("newcomer")
    newcomer.get_by_label("Password", exact=True).fill("correct horse")
    push(newcomer, "Sign up")
    expect(newcomer).to_have_url(link)
    push(newcomer, "Join")
    expect(newcomer.locator("#headline")).to_have_text("Your turn")
    answer = eve.goto(link)
    assert answer and answer.status == 404


def test_who_is_too_late_is_told_who_was_quicker_and_sees_the_lobby(bring: People) -> None:
    ann, bob, eve = bring("ann"), bring("bob"), bring("eve", java_script_enabled=False)
    address = open_game(ann)
    eve.goto("/lobby")
    bob.goto(address)
    push(bob, "Join")
    bob.get_by_role("heading", name="Waiting for ann").wait_for()
    push(eve, "Join")
    expect(eve.get_by_role("alert")).to_contain_text("Somebody was quicker: bob took the seat. No other game is open")
    expect(eve.get_by_role("region", name="Watch")).to_contain_text("ann against bob")


def test_own_games_come_first_in_the_lobby_and_those_on_turn_on_top(bring: People) -> None:
    ann, bob = bring("ann"), bring("bob")
    bring.begin(ann, bob)
    bring.begin(bob, ann)
    ann.goto("/lobby")
    expect(ann.get_by_role("main").get_by_role("heading", level=2).first).to_have_text("Your games")
    rows = ann.get_by_role("region", name="Your games").get_by_role("listitem")
    expect(rows).to_have_text([re.compile("Your turn"), re.compile("bob’s turn")])
    push(ann, "Play on")
    expect(ann.locator("#headline")).to_have_text("Your turn")


def test_who_waits_long_is_offered_the_computer_and_can_withdraw(bring: People, set_clock: SetClock) -> None:
    ann, bob = bring("ann"), bring("bob")
    address = open_game(ann)
    expect(ann.locator("#happened")).not_to_contain_text("computer")
    set_clock.pass_time(seconds=30)
    ann.reload()
    expect(ann.locator("#happened")).to_contain_text("Nobody has come yet. Play the computer while you wait")
    push(ann, "Play the computer while you wait")
    press(ann, "centre")
    bob.goto("/lobby")
    expect(bob.get_by_role("region", name="Open games")).to_contain_text("ann")
    ann.goto(address)
    push(ann, "Cancel the game")
    expect(ann.get_by_text("Your game is cancelled.")).to_be_visible()
    bob.goto(address)
    expect(bob.locator("#headline")).to_have_text("Cancelled")
    expect(bob.locator("#happened")).to_have_text("ann cancelled this game. Find another one in the lobby.")


@ONE_WAY
def test_one_with_scripts_off_plays_one_with_scripts_on(bring: People) -> None:
    ann, bob = bring("ann"), bring("bob", java_script_enabled=False)
    bring.begin(ann, bob)
    play(ann, bob, "top left", "centre", "top centre", "middle left", "top right")
    expect(ann.locator("#headline")).to_have_text("You won in the top row")
    say(bob, "ann wins in the top row")
    push(bob, "Rematch")
    expect(bob.locator("#headline")).to_have_text("Waiting for ann")
    ann.reload()
    push(ann, "Accept the rematch")
    expect(ann.locator("#headline")).to_have_text("Waiting for bob")
    say(bob, "Your turn")


RENEW = """async () => {
  const { renewChildren } = await import("/static/js/renew.js");
  const page = document.querySelector("[data-live]");
  const fresh = document.createElement("div");
  fresh.innerHTML = await (await fetch(page.dataset.live)).text();
  renewChildren(page, fresh);
}"""


@ONE_WAY
def test_the_private_link_is_copied_with_one_press(bring: People) -> None:
    ann = bring("ann", permissions=["clipboard-read"])
    address = open_game(ann, private=True)
    push(ann, "Copy")
    expect(ann.get_by_role("button", name="Copied")).to_be_visible()
    assert ann.evaluate("navigator.clipboard.readText()") == address
    ann.evaluate(RENEW)
    expect(ann.get_by_role("button", name="Copied")).to_be_visible()


@pytest.mark.parametrize("scripts", [False], indirect=True)
def test_without_scripts_there_is_no_button_that_does_nothing(bring: People) -> None:
    ann = bring("ann")
    open_game(ann, private=True)
    expect(ann.get_by_label("The link to this game")).to_be_visible()
    expect(ann.get_by_role("button", name="Copy")).to_be_hidden()
