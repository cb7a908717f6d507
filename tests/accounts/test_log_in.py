"""Logging in: the form, where one lands, and that guessing is limited without locking the owner out."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.conftest import Browser, MakeApp, SetClock, sqlite_only
from tests.factories import PASSWORD, browser_at, make_user
from tests.tables import rows_of
from webapp.accounts.changing_passwords import reset_password
from webapp.accounts.destinations import destination_url
from webapp.write_queue import WriteQueue

BrowserOf = Callable[[], Browser]


def test_name_and_password_open_the_account_however_the_name_is_spelt(app: Flask, browser_of: BrowserOf) -> None:
    make_user(app, "Player7")
    for name in ("player7", "PLAYER7", "Player7", "player7 "):
        browser = browser_of()
        assert browser.log_in(name).status_code == 303, name
        assert "<h1>Player7</h1>" in browser.get("/account").text


def test_a_refusal_keeps_the_name_and_drops_the_password(app: Flask, client: Browser) -> None:
    make_user(app)
    answer = client.log_in("player7", "wrong password")
    assert answer.status_code == 403
    assert 'value="player7"' in answer.text
    assert "wrong password" not in answer.text
    assert 'id="password-error"' in answer.text
    assert client.get("/account").status_code == 303


def test_the_database_takes_a_name_for_a_name(app: Flask, client: Browser) -> None:
    make_user(app)
    for name in ("' OR '1'='1", "player7' --", 'player7"; DROP TABLE user; --', "player_", "player%"):
        assert client.log_in(name).status_code == 403, name
    assert client.log_in("player7").status_code == 303


# Where one lands

def test_one_lands_where_one_wanted_to_go(app: Flask, client: Browser) -> None:
    make_user(app)
    wish = client.get("/account").location
    assert wish == "/log-in?next=accounts.account"
    page = client.get(wish)
    assert 'name="next"' in page.text
    answer = client.send("/log-in", page=wish, name="player7", password=PASSWORD, next="accounts.account")
    assert answer.location == "/account"


def test_the_wish_survives_a_wrong_password_and_the_way_to_sign_up(client: Browser) -> None:
    answer = client.send("/log-in", name="player7", password="wrong password", next="accounts.account")
    assert 'value="accounts.account"' in answer.text
    assert "/sign-up?next=accounts.account" in answer.text
    answer = client.send("/sign-up", name="player7", password=PASSWORD, next="accounts.account")
    assert answer.location == "/account"


def test_a_guest_who_signs_up_from_a_game_lands_in_it(client: Browser) -> None:
    address = client.start(cell=0)
    wish = f"games.show/{address.removeprefix('/games/')}"
    assert wish.replace("/", "%2F") in client.get(address).text or wish in client.get(address).text
    assert client.send("/sign-up", name="player7", password=PASSWORD, next=wish).location == address


def test_who_is_logged_in_is_not_asked_again(client: Browser) -> None:
    client.sign_up()
    assert client.get("/log-in").location == "/"
    assert client.get("/log-in?next=lobby.lobby").location == "/lobby"
    assert client.get("/sign-up?next=lobby.lobby").location == "/lobby"
    assert client.send("/log-in", name="player8", password=PASSWORD, next="lobby.lobby").location == "/lobby"
    assert "<h1>player7</h1>" in client.get("/account").text


ELSEWHERE = [
    "//evil.example", "https://evil.example", "http:evil.example", "\\\\evil.example", "/\\evil.example", "///evil",
    "javascript:alert(1)", "pages.home//evil.example", "games.show//evil.example", "games.show/../../evil",
    "games.show/\\evil", "games.show/a\nb", "games.show/a\n", "games.show/", "games.show", "games.show/a/b",
    "accounts.log_out", "accounts.end_other_sessions", "accounts.end_session/1", "games.start",
    "games.play_move/abcdefghijkl", "accounts.log_in", "accounts.sign_up", "static", "static/favicon.svg", "style",
    "nowhere.at_all", "pages", "", "/", "/account", "account", "{{7*7}}", "x" * 10_000, "\0", "accounts.account/7",
    "accounts.account?x=1", "accounts.account#x", "_external", "accounts.account&_external=1",
]  # fmt: skip


def test_any_other_wish_leads_home(app: Flask) -> None:
    with app.test_request_context("/log-in"):
        for wish in ELSEWHERE:
            assert destination_url(wish) == "/", wish


def test_a_wish_for_elsewhere_is_not_followed_by_the_pages_either(client: Browser, browser_of: BrowserOf) -> None:
    client.sign_up()
    for wish in ("//evil.example", "https://evil.example", "/\\evil.example"):
        browser = browser_of()
        fields = {"name": "player7", "password": PASSWORD}
        assert browser.send("/log-in", next=wish, **fields).location == "/"
        assert browser.post(
            f"/log-in?next={wish}", data={"csrf_token": browser.csrf_token(), **fields}
        ).location == "/"


def test_a_word_where_the_address_has_a_number_leads_home(make_app: MakeApp) -> None:
    app = make_app()
    app.add_url_rule("/numbers/<int:number>", "numbers.show", lambda number: str(number))
    with app.test_request_context("/log-in"):
        assert destination_url("numbers.show/12") == "/numbers/12"
        assert destination_url("numbers.show/twelve") == "/"


# Guessing

def guess(browser: Browser, times: int, name: str = "player7") -> list[int]:
    token = browser.csrf_token()
    fields = {"csrf_token": token, "name": name, "password": "x" * 201}  # too long, so refused without hashing
    return [browser.post("/log-in", data=fields).status_code for _ in range(times)]


def test_twenty_guesses_at_an_account_and_no_more(app: Flask, client: Browser, set_clock: SetClock) -> None:
    make_user(app)
    assert guess(client, 22) == [403] * 20 + [429] * 2
    answer = client.log_in()
    assert answer.status_code == 429, "the right password comes too late"
    assert answer.headers["Retry-After"] == "900"
    assert "Try again in 15 minutes" in answer.text
    assert 'value="player7"' in answer.text
    set_clock.pass_time(minutes=15)
    assert client.log_in().status_code == 303


def test_the_limit_holds_for_names_that_nobody_has_and_for_any_spelling(client: Browser) -> None:
    assert guess(client, 21, "nobody-here")[20] == 429
    assert guess(client, 1, "NOBODY-here") == [429]
    assert guess(client, 1, "nobody-else") == [403]


def test_two_long_names_that_begin_alike_are_counted_apart(client: Browser) -> None:
    assert guess(client, 21, "x" * 500)[20] == 429
    assert guess(client, 1, "x" * 499) == [403]


def test_a_right_password_makes_up_for_the_wrong_ones_before(app: Flask, client: Browser) -> None:
    make_user(app)
    guess(client, 19)
    assert client.log_in().status_code == 303
    client.send("/log-out")
    assert guess(client, 20) == [403] * 20


def test_what_is_too_short_for_a_password_counts_like_one(make_app: MakeApp) -> None:
    """Nobody of these names has a code. The table of tries does not grow with what is refused, either."""
    app = make_app(NOUGHTS_GUESSES_PER_ADDRESS=5)
    browser = app.test_client()
    assert [browser.log_in(f"nobody{number}", "abc").status_code for number in range(8)] == [403] * 5 + [429] * 3
    assert len(rows_of(app, "throttle")) == 1 + 5
    browser = browser_at(app, "192.0.2.7")
    assert [browser.log_in("nobody", " bcd-fgh ").status_code for _ in range(7)] == [403] * 5 + [429] * 2


def test_guessing_at_one_account_is_no_bar_to_another(app: Flask, client: Browser) -> None:
    make_user(app, "player8")
    guess(client, 21)
    assert client.log_in("player8").status_code == 303


def test_the_owner_logs_in_from_another_address_while_attacked(app: Flask, client: Browser) -> None:
    make_user(app)
    guess(client, 21)
    assert browser_at(app, "192.0.2.7").log_in().status_code == 303


def test_the_owner_logs_in_from_a_known_browser_while_attacked_from_the_same_address(
    client: Browser, browser_of: BrowserOf
) -> None:
    client.sign_up()
    client.send("/log-out")
    attacker = browser_of()
    assert guess(attacker, 21)[20] == 429
    assert browser_of().log_in().status_code == 429, "a browser never seen before is not told apart from the attacker"
    assert client.log_in().status_code == 303
    assert attacker.log_in().status_code == 429, "the owner's log-in does not help the attacker"


def test_the_owner_logs_in_from_a_known_browser_when_the_whole_address_is_used_up(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_GUESSES_PER_ADDRESS=30)
    owner, attacker = app.test_client(), app.test_client()
    owner.sign_up()
    owner.send("/log-out")
    answers = [guess(attacker, 1, f"pupil{number}")[0] for number in range(31)]
    assert answers == [403] * 30 + [429]
    assert owner.log_in().status_code == 303


def test_a_known_browser_is_limited_too(app: Flask, client: Browser) -> None:
    client.sign_up()
    client.send("/log-out")
    assert guess(client, 21) == [403] * 20 + [429]


def test_a_new_password_makes_all_other_browsers_strangers(
    app: Flask, client: Browser, browser_of: BrowserOf
) -> None:
    client.sign_up()
    thief, attacker = browser_of(), browser_of()
    thief.log_in()
    new = {"current_password": PASSWORD, "new_password": "battery staple"}
    assert client.send("/account/password", **new).status_code == 303
    assert guess(attacker, 20) == [403] * 20
    assert guess(thief, 1) == [429], "no count of its own any more"
    client.send("/log-out")
    assert client.log_in("player7", "battery staple").status_code == 303, "the one that changed it is still known"


def test_a_reset_password_makes_every_browser_a_stranger(app: Flask, client: Browser) -> None:
    client.sign_up()
    with app.app_context():
        reset_password("player7")
    assert not rows_of(app, "known_browser")


def test_a_known_browser_is_known_for_its_own_account_only(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    make_user(app, "player8")
    client.sign_up("player7")
    client.send("/log-out")
    assert guess(browser_of(), 21, "player8")[20] == 429
    assert guess(client, 1, "player8") == [429]


@pytest.mark.slow
def test_a_class_behind_one_address_can_log_in(make_app: MakeApp) -> None:
    """Forty pupils, each with two wrong tries, at one address."""
    app = make_app()
    for number in range(40):
        assert guess(app.test_client(), 2, f"pupil{number}") == [403] * 2


def test_a_made_up_forwarded_address_changes_nothing(app: Flask, client: Browser) -> None:
    for number in range(20):
        client.environ_base["HTTP_X_FORWARDED_FOR"] = f"198.51.100.{number}"
        client.environ_base["HTTP_FORWARDED"] = f"for=198.51.100.{number}"
        client.environ_base["HTTP_X_REAL_IP"] = f"198.51.100.{number}"
        assert guess(client, 1) == [403]
    assert guess(client, 1) == [429]


def test_behind_a_proxy_the_address_is_the_one_that_the_proxy_saw(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_PROXIES=1)

    def browser(forwarded: str) -> Browser:
        one = app.test_client()
        one.environ_base["HTTP_X_FORWARDED_FOR"] = forwarded
        return one

    assert guess(browser("198.51.100.1"), 21)[20] == 429
    assert guess(browser("198.51.100.2"), 1) == [403]
    assert guess(browser("203.0.113.9, 198.51.100.1"), 1) == [429], "what the client wrote before it does not count"


def test_what_was_typed_as_a_name_is_not_kept_in_clear(app: Flask, client: Browser) -> None:
    client.log_in("my secret password", "my secret password")
    assert "secret" not in repr(rows_of(app, "throttle"))


@sqlite_only
def test_a_log_in_writes_twice_and_a_wrong_one_once(
    app: Flask, client: Browser, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_user(app)
    client.start(cell=0)
    units: list[WriteQueue] = []
    enter = WriteQueue.enter
    monkeypatch.setattr(WriteQueue, "enter", lambda queue: units.append(queue) or enter(queue))
    assert client.log_in(password="wrong password").status_code == 403
    assert len(units) == 1
    set_clock.pass_time(minutes=2)  # the guest is to be noted as seen again, but not beside the log-in
    assert client.log_in().status_code == 303
    assert len(units) == 3
