"""Signing up: the form, the name, and the guest who becomes an account."""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.conftest import Browser, MakeApp, SetClock
from tests.factories import PASSWORD, finished_game, make_user
from tests.meanwhile import all_at_once
from tests.tables import all_rows, rows_of
from webapp.accounts import logging_in, services
from webapp.accounts.queries import account_named
from webapp.errors import NotThere

BrowserOf = Callable[[], Browser]


def test_whoever_signs_up_is_logged_in_and_greeted_by_name(client: Browser) -> None:
    assert client.sign_up().location == "/"
    page = client.get("/").text
    assert "Welcome, player7." in page
    assert "Log out" in page
    assert "Welcome" not in client.get("/").text


def test_there_are_no_accounts_to_begin_with(app: Flask) -> None:
    assert not rows_of(app, "user")


def test_a_plain_name_is_accepted(browser_of: BrowserOf) -> None:
    for name in ("abc", "A-b_c", "0-0", "x" * 20, "Player7"):
        assert browser_of().sign_up(name).status_code == 303, name


BAD_NAMES = [
    "", "ab", "x" * 21, "x" * 10_000, "-abc", "_abc", "a b c", " player7", "player7 ", "player7\n", "player7\r\n",
    "play\ner", "player7\x00", "pl\x00yer", "play\u00e9r", "\u0440layer7", "player\uff17", "player\u0667",
    "\u212aelvin", "pl\u200bayer", "player\u202e7", "<b>bold</b>",
    "'; DROP TABLE user; --", "{{7*7}}", "=cmd()", "../etc", "a.b.c", "admin", "ADMIN",
    "Computer", "anyone", "perfect", "Beginner", "casual", "guest", "deleted", "null", "api", "instructor",
]  # fmt: skip


def test_any_other_name_is_refused_at_its_field_and_nothing_is_made(app: Flask, client: Browser) -> None:
    for name in BAD_NAMES:
        answer = client.sign_up(name)
        assert answer.status_code == 400, name
        assert 'id="name-error"' in answer.text, name
        assert 'id="password-error"' not in answer.text, name
    assert not rows_of(app, "user")


def test_a_name_with_a_space_is_refused_with_an_example_of_what_was_meant(client: Browser) -> None:
    examples = {"Ms Weber": "ms-weber", " J\u00f6rg  M\u00fcller ": "jorg-muller", "_The_ One": "the_-one"}
    for name, example in examples.items():
        assert f"No spaces: for example {example}." in client.sign_up(name).text, name
        assert client.sign_up(example).status_code == 303
        client.send("/log-out")
    for name in ("\u674e \u5c0f\u9f99", "a \u00df", " teacher "):  # nothing is left that somebody can have
        answer = client.sign_up(name).text
        assert "No spaces." in answer and "for example" not in answer, name
    assert "No spaces" not in client.sign_up("M\u00fcller").text


def test_a_name_is_taken_however_it_is_spelt(client: Browser, browser_of: BrowserOf) -> None:
    browser_of().sign_up("Player7")
    for other in ("player7", "PLAYER7", "Player7"):
        answer = client.sign_up(other, "another password")
        assert answer.status_code == 409, other
        assert "This name is taken" in answer.text
        assert 'id="name-error"' in answer.text


def press_twice(client: Browser, second: Browser) -> TestResponse:
    """The second press is sent with the cookie from before the first one's answer."""
    fields = {"csrf_token": client.csrf_token(), "name": "player7", "password": PASSWORD, "next": "lobby.lobby"}
    second.set_cookie("noughts", client.session_cookie())
    assert client.post("/sign-up", data=fields).status_code == 303
    return second.post("/sign-up", data=fields)


def test_sign_up_pressed_twice_makes_one_account_and_opens_it(
    app: Flask, client: Browser, browser_of: BrowserOf
) -> None:
    second = browser_of()
    assert press_twice(client, second).location == "/lobby"
    assert "<h1>player7</h1>" in second.get("/account").text
    assert len(rows_of(app, "user")) == len(rows_of(app, "session")) == 1


def test_a_guest_who_presses_sign_up_twice_keeps_the_games(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    address, second = client.start(cell=0), browser_of()
    assert press_twice(client, second).location == "/lobby"
    assert second.get(address).status_code == 200
    assert len(rows_of(app, "user")) == 1


def test_passwords_of_a_new_account_guessed_by_signing_up_count_as_guesses(app: Flask, client: Browser) -> None:
    make_user(app)
    answers = [client.sign_up("player7", f"wrong password {number}").status_code for number in range(21)]
    assert answers == [409] * 20 + [429]
    assert client.log_in().status_code == 429


def test_the_name_stays_in_the_form_after_a_refusal_and_the_password_does_not(client: Browser) -> None:
    answer = client.sign_up("new-player", "short12")
    assert 'value="new-player"' in answer.text
    assert "short12" not in answer.text
    assert 'id="password-error"' in answer.text
    assert 'aria-invalid="true"' in answer.text
    assert client.get("/account").status_code == 303


def fields_with_focus(page: str) -> list[str]:
    return re.findall(r'<input[^>]* autofocus[^>]* id="([^"]+)"', page)


def test_all_that_is_wrong_is_said_at_once_and_the_first_wrong_field_has_the_focus(
    client: Browser, browser_of: BrowserOf
) -> None:
    browser_of().sign_up("player7")
    for name, status in (("a b", 400), ("player7", 400)):
        answer = client.sign_up(name, "short12")
        assert answer.status_code == status
        assert 'id="name-error"' in answer.text and 'id="password-error"' in answer.text
        assert 'href="#name"' in answer.text and 'href="#password"' in answer.text, "a list of both on top"
        assert fields_with_focus(answer.text) == ["name"]


def test_one_mistake_has_no_list_on_top_and_the_focus_is_on_its_field(client: Browser) -> None:
    answer = client.sign_up("new-player", "short12")
    assert "href=\"#" not in answer.text.split("<main")[1]
    assert fields_with_focus(answer.text) == ["password"]
    assert fields_with_focus(client.log_in("new-player").text) == ["password"]
    assert not fields_with_focus(client.get("/sign-up").text)


def test_what_was_typed_comes_back_as_text_and_never_as_code(client: Browser) -> None:
    answer = client.sign_up('"><script>alert(1)</script>{{7*7}}')
    assert "<script>alert" not in answer.text
    assert "{{7*7}}" in answer.text
    assert "49" not in answer.text.split("field-input")[1].split("</div>")[0]


def test_a_field_that_no_page_of_ours_sends_changes_nothing(app: Flask, client: Browser) -> None:
    extra = dict.fromkeys(["role", "is_instructor", "must_change_password", "id", "user_id", "name_key"], "7")
    client.send("/sign-up", name="player7", password=PASSWORD, **extra)
    (user,) = rows_of(app, "user")
    assert (user["id"], user["name_key"], user["must_change_password"]) == (1, "player7", False)


def test_somebody_with_an_account_is_shown_it_instead(app: Flask, client: Browser) -> None:
    client.sign_up()
    assert client.get("/sign-up").location == "/account"
    assert client.send("/sign-up", page="/", name="second", password=PASSWORD).location == "/account"
    assert len(rows_of(app, "user")) == 1


def test_a_long_name_is_not_taken_for_the_account_that_it_begins_with(app: Flask) -> None:
    make_user(app, "x" * 20)
    with app.app_context():
        assert account_named("X" * 20) == 1
        for name in ("x" * 21, "\0", ""):
            with pytest.raises(NotThere):
                account_named(name)


# Guests

def test_a_guest_who_signs_up_keeps_games_and_totals(app: Flask, client: Browser) -> None:
    finished = finished_game(client)
    going_on = client.start(cell=0)
    before = all_rows(app, "session", "throttle", "user", "known_browser")
    assert "come with you" in client.get("/sign-up").text
    client.sign_up()
    assert all_rows(app, "session", "throttle", "user", "known_browser") == before
    assert [(row["id"], row["name"]) for row in rows_of(app, "user")] == [(1, "player7")]
    assert client.get(finished).status_code == client.get(going_on).status_code == 200


def test_the_guests_old_id_opens_nothing_after_signing_up(client: Browser, browser_of: BrowserOf) -> None:
    address = client.start(cell=0)
    cookie = client.get_cookie("noughts")
    client.sign_up()
    thief = browser_of()
    thief.set_cookie("noughts", cookie.value)
    assert thief.get(address).status_code == 404


def test_a_game_begun_as_a_guest_goes_on_in_another_browser_after_signing_up(
    client: Browser, browser_of: BrowserOf
) -> None:
    address = client.start(cell=0)
    client.sign_up()
    other = browser_of()
    other.log_in()
    assert address in other.get("/").text
    assert other.get(address).status_code == 200


def test_a_guest_whose_row_became_an_account_elsewhere_gets_a_row_of_their_own(app: Flask, client: Browser) -> None:
    """Two tabs sign up at once: the second finds that its guest is no guest any more."""
    client.start(cell=0)
    (guest,) = rows_of(app, "user")
    make_user(app, "first-tab")
    with app.app_context():
        assert services.sign_up("second-tab", PASSWORD, guest["id"]).user_id == guest["id"]
        assert services.sign_up("third-tab", PASSWORD, guest["id"]).user_id != guest["id"]
    assert [row["name"] for row in rows_of(app, "user") if row["id"] == guest["id"]] == ["second-tab"]


def test_a_guest_has_no_name_and_no_password(app: Flask, client: Browser) -> None:
    client.start(cell=0)
    (guest,) = rows_of(app, "user")
    assert (guest["name"], guest["name_key"], guest["password_hash"]) == (None, None, None)
    for name in ("", "None", "guest", "null"):
        assert client.log_in(name, "").status_code == 403


def test_where_guest_play_is_off_a_visitor_is_asked_to_sign_up(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_GUESTS=False)
    client = app.test_client()
    assert "need an account" in client.get("/").text
    assert client.send("/games", opponent="computer", cell=0).location == "/sign-up"
    assert not rows_of(app, "user")
    client.sign_up()
    assert client.start(cell=0).startswith("/games/")


def test_only_so_many_guests_begin_at_one_address_but_they_may_still_sign_up(
    make_app: MakeApp, set_clock: SetClock
) -> None:
    app = make_app(NOUGHTS_GUESTS_PER_ADDRESS=2)
    for _ in range(2):
        app.test_client().start(cell=0)
    late = app.test_client()
    answer = late.send("/games", opponent="computer", cell=0)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "900"
    assert len(rows_of(app, "user")) == 2
    late.sign_up()
    assert late.start(cell=0).startswith("/games/")


def test_only_so_many_accounts_are_made_at_one_address(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app(NOUGHTS_SIGN_UPS_PER_ADDRESS=2)
    answers = [app.test_client().sign_up(f"player{number}") for number in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 429]
    assert answers[2].headers["Retry-After"] == "900"
    assert 'value="player2"' in answers[2].text
    set_clock.pass_time(minutes=15)
    assert app.test_client().sign_up("player2").status_code == 303


def test_tries_that_make_no_account_shut_nobody_out(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app(NOUGHTS_SIGN_UPS_PER_ADDRESS=2)
    make_user(app, "taken")
    set_clock.pass_time(minutes=2)
    typist = app.test_client()
    for name, password, status in (("taken", PASSWORD, 409), ("no", PASSWORD, 400), ("player7", "short", 400)):
        assert [typist.sign_up(name, password).status_code for _ in range(3)] == [status] * 3
    assert [app.test_client().sign_up(f"player{number}").status_code for number in range(3)] == [303, 303, 429]
    assert len(rows_of(app, "user")) == 3


def test_a_sign_up_that_cannot_succeed_costs_no_slow_hash(
    make_app: MakeApp, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(NOUGHTS_SIGN_UPS_PER_ADDRESS=1)
    assert app.test_client().sign_up().status_code == 303
    set_clock.pass_time(minutes=2)
    for slow in ("hash_password", "is_right_password"):
        monkeypatch.setattr(services, slow, lambda *_: pytest.fail("it was hashed"))
    monkeypatch.setattr(logging_in, "is_right_password", lambda *_: pytest.fail("it was compared"))
    assert app.test_client().sign_up("PLAYER7").status_code == 409
    assert app.test_client().sign_up("player8").status_code == 429


@pytest.mark.slow
def test_twenty_accounts_are_made_when_thirty_sign_up_at_once(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_SIGN_UPS_PER_ADDRESS=20)
    browsers = [app.test_client() for _ in range(30)]
    tokens = [browser.csrf_token("/sign-up") for browser in browsers]
    answers = all_at_once(
        [partial(browser.post, "/sign-up", data={"csrf_token": token, "name": f"player-{at}", "password": PASSWORD})
         for at, (browser, token) in enumerate(zip(browsers, tokens, strict=True))]
    )  # fmt: skip
    assert Counter(answer.status_code for answer in answers) == {303: 20, 429: 10}
    assert len(rows_of(app, "user")) == 20
