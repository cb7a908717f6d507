"""Passwords: what is accepted, that all of it counts, and that time and text tell nothing of names."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from argon2 import PasswordHasher
from flask import Flask

from tests.conftest import QUICK, Browser, MakeApp, SetClock
from tests.factories import PASSWORD, make_user
from tests.meanwhile import all_at_once, meanwhile
from tests.tables import all_rows, rows_of
from webapp.accounts import changing_passwords, logging_in, passwords, services
from webapp.accounts.passwords import BadPassword, check_password

BrowserOf = Callable[[], Browser]

LONG = "a passphrase that goes on and on, "


def of_length(length: int) -> str:
    return (LONG * 10)[:length]


@pytest.mark.parametrize("length", [8, 64, 72, 73, 128, 200])
def test_from_8_to_200_characters_are_accepted(length: int) -> None:
    check_password(of_length(length), "player7")


@pytest.mark.parametrize("length", [0, 1, 7, 201, 10_000])
def test_shorter_and_longer_ones_are_refused_with_the_number(length: int) -> None:
    with pytest.raises(BadPassword, match="8" if length < 8 else "200"):
        check_password(of_length(length) if length < 300 else "x" * length, "player7")


def test_characters_are_counted_and_not_bytes() -> None:
    check_password("\u00e4\u00f6\u00fc\u00df\u20ac\U0001f600xy", "player7")
    check_password("\U0001f600\U0001f601\U0001f602" * 60, "player7")


COMMON = ["password", "12345678", "123456789", "1234567890", "qwertyui", "iloveyou", "Password1", "PASSWORD",
          "tictactoe", "aaaaaaaa", "        ", "abababab", "student123", "12345678901234567890"]  # fmt: skip


@pytest.mark.parametrize("password", COMMON)
def test_the_first_guesses_of_anybody_are_refused(password: str) -> None:
    with pytest.raises(BadPassword):
        check_password(password, "player7")


@pytest.mark.parametrize("password", ["player77", "Player7!", "1player7", "PLAYER7-1"])
def test_the_name_with_a_little_around_it_is_refused(password: str) -> None:
    with pytest.raises(BadPassword, match="your name"):
        check_password(password, "player7")


def test_a_refused_password_makes_no_account_and_is_said_at_its_field(app: Flask, client: Browser) -> None:
    for password in ("", "seven77", "password", "x" * 201, of_length(10_000)):
        answer = client.sign_up("player7", password)
        assert answer.status_code == 400
        assert 'id="password-error"' in answer.text
        assert not password or f'value="{password}"' not in answer.text
    assert not rows_of(app, "user")


@pytest.mark.parametrize(
    ("password", "almost"),
    [
        (of_length(200), of_length(199) + "!"),
        (of_length(73), of_length(72)),
        ("secret\0one", "secret\0two"),
        ("secret\0one", "secret"),
        ("Two Words", "two words"),
        (" spaces around ", "spaces around"),
        ("caf\u00e9 au lait", "cafe au lait"),
        ("line\r\nbreak", "line"),
    ],
    ids=["the 200th", "the 73rd", "after NUL", "up to NUL", "case", "blanks", "accents", "line break"],
)
def test_every_character_counts(client: Browser, browser_of: BrowserOf, password: str, almost: str) -> None:
    assert client.sign_up("player7", password).status_code == 303
    assert browser_of().log_in("player7", almost).status_code == 403
    assert browser_of().log_in("player7", password).status_code == 303


class CountingHasher(PasswordHasher):
    """The real one, counting how often it works."""

    work = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> bool:
        self.work += 1
        return super().verify(hash, password)

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.work += 1
        return super().hash(password, salt=salt)


@pytest.fixture
def hasher(monkeypatch: pytest.MonkeyPatch) -> CountingHasher:
    counting = CountingHasher(**QUICK)
    monkeypatch.setattr(passwords, "_hasher", counting)
    return counting


def without_what_differs(text: str) -> str:
    return re.sub(r'value="[^"]*"', "", text)


def test_a_known_and_an_unknown_name_get_the_same_answer_for_the_same_work(
    app: Flask, browser_of: BrowserOf, hasher: CountingHasher
) -> None:
    make_user(app, "player7")
    answers: dict[str, Any] = {}
    for name in ("player7", "player8", "", "not a name", "\u0440layer7", "x" * 10_000, "pl\0yer"):
        hasher.work = 0
        answers[name] = browser_of().log_in(name, "wrong password")
        assert hasher.work == 1, f"{name!r} took another number of hashes"
    known = answers.pop("player7")
    assert known.status_code == 403
    for name, answer in answers.items():
        assert answer.status_code == 403, name
        assert without_what_differs(answer.text) == without_what_differs(known.text), name


def test_a_deleted_account_and_a_guest_take_the_same_work(app: Flask, client: Browser, hasher: CountingHasher) -> None:
    client.sign_up()
    client.send("/account/delete", password=PASSWORD)
    hasher.work = 0
    assert client.log_in().status_code == 403
    assert hasher.work == 1


def test_ten_thousand_characters_are_refused_unhashed(app: Flask, client: Browser, hasher: CountingHasher) -> None:
    make_user(app)
    hasher.work = 0
    assert client.log_in("player7", "x" * 10_000).status_code == 403
    assert client.sign_up("player8", "x" * 10_000).status_code == 400
    assert hasher.work == 0


@pytest.mark.usefixtures("real_hashes")
def test_the_hash_is_slow_salted_and_of_the_chosen_strength(app: Flask, client: Browser) -> None:
    make_user(app, "player7")
    make_user(app, "player8")
    first, second = (row["password_hash"] for row in rows_of(app, "user"))
    assert first != second
    for one in (first, second, passwords._nobodys_hash):
        assert one.startswith("$argon2id$v=19$m=19456,t=2,p=1$") and len(one) == len(first)
    assert client.log_in("player7", "wrong password").status_code == 403
    assert client.log_in("player7").status_code == 303


# Changing it

def test_changing_needs_the_present_one(client: Browser, browser_of: BrowserOf) -> None:
    client.sign_up()
    answer = client.send("/account/password", current_password="not this one", new_password="battery staple")
    assert answer.status_code == 403
    assert 'id="current_password-error"' in answer.text
    assert "not this one" not in answer.text
    assert "battery staple" not in answer.text
    assert browser_of().log_in("player7", "battery staple").status_code == 403
    assert browser_of().log_in("player7", PASSWORD).status_code == 303


def test_after_the_change_only_the_new_one_opens(client: Browser, browser_of: BrowserOf) -> None:
    client.sign_up()
    assert client.send("/account/password", current_password=PASSWORD, new_password="battery staple").status_code == 303
    assert "password is changed" in client.get("/account").text
    assert browser_of().log_in("player7", PASSWORD).status_code == 403
    assert browser_of().log_in("player7", "battery staple").status_code == 303


def test_a_new_one_that_will_not_do_is_said_at_its_field_and_changes_nothing(app: Flask, client: Browser) -> None:
    client.sign_up()
    client.get("/")
    before = all_rows(app)
    for new in ("", "short12", "password", "x" * 201, "player77", PASSWORD):
        answer = client.send("/account/password", current_password=PASSWORD, new_password=new)
        assert answer.status_code == 400, new
        assert 'id="new_password-error"' in answer.text
        assert 'id="current_password-error"' not in answer.text
    assert all_rows(app) == before


def test_guessing_at_an_open_screen_is_limited(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app(NOUGHTS_GUESSES_PER_ACCOUNT=3)
    client = app.test_client()
    client.sign_up()
    paths = ["/account/password", "/account/delete", "/account/password", "/account/password", "/account/delete"]
    answers = [client.send(path, current_password="wrong one", password="wrong one") for path in paths]
    assert [answer.status_code for answer in answers] == [403, 403, 403, 429, 429]
    assert answers[3].headers["Retry-After"] == answers[4].headers["Retry-After"] == "900"
    assert client.send("/account/delete", password=PASSWORD).status_code == 429
    set_clock.pass_time(minutes=15)
    assert client.send("/account/delete", password=PASSWORD).status_code == 303


# Races with a change

def test_a_log_in_under_way_does_not_outlive_the_change_of_its_password(
    app: Flask, client: Browser, browser_of: BrowserOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.sign_up()
    thief = browser_of()
    compare = passwords.is_right_password

    def compare_and_be_overtaken(password: str, password_hash: str | None) -> bool:
        right = compare(password, password_hash)
        monkeypatch.setattr(logging_in, "is_right_password", compare)
        fields = {"current_password": PASSWORD, "new_password": "battery staple"}
        assert meanwhile(lambda: client.send("/account/password", **fields)).status_code == 303
        return right

    thief.get("/log-in")
    monkeypatch.setattr(logging_in, "is_right_password", compare_and_be_overtaken)
    answer = thief.log_in()
    assert answer.status_code == 409
    assert "changed a moment ago" in answer.text
    assert thief.get("/account").status_code == 303
    assert len(rows_of(app, "session")) == len(rows_of(app, "known_browser")) == 1


def test_of_two_changes_at_once_the_first_one_holds(
    app: Flask, client: Browser, browser_of: BrowserOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.sign_up()
    thief = browser_of()
    thief.log_in()
    thief.get("/")
    compare = passwords.is_right_password

    def compare_and_be_overtaken(password: str, password_hash: str | None) -> bool:
        right = compare(password, password_hash)
        monkeypatch.setattr(services, "is_right_password", compare)
        fields = {"current_password": PASSWORD, "new_password": "battery staple"}
        assert meanwhile(lambda: client.send("/account/password", **fields)).status_code == 303
        return right

    monkeypatch.setattr(services, "is_right_password", compare_and_be_overtaken)
    answer = thief.send("/account/password", current_password=PASSWORD, new_password="thief was here")
    assert answer.status_code == 303 and answer.location.startswith("/log-in")
    assert client.get("/account").status_code == 200
    assert thief.get("/account").status_code == 303
    assert browser_of().log_in("player7", "battery staple").status_code == 303


# One-time passwords

def test_a_one_time_password_opens_nothing_but_the_page_where_it_is_changed(app: Flask, client: Browser) -> None:
    make_user(app, must_change=True)
    assert client.log_in().status_code == 303
    for path in ("/", "/account/export", "/account/delete", "/games/abcdefghijkl"):
        assert client.get(path).location == "/account", path
    assert client.send("/games", page="/account", opponent="computer", cell=0).location == "/account"
    assert client.send("/account/delete", page="/account", password=PASSWORD).location == "/account"
    page = client.get("/account").text
    assert "one-time password" in page
    assert "Download" not in page
    assert not rows_of(app, "game")


def test_a_one_time_password_is_not_changed_into_itself(app: Flask, client: Browser) -> None:
    make_user(app, must_change=True)
    client.log_in()
    answer = client.send("/account/password", page="/account", new_password=PASSWORD)
    assert answer.status_code == 400 and "This is the one-time password" in answer.text
    assert client.get("/").location == "/account"


def test_choosing_one_is_limited_because_each_try_costs_a_hash(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_GUESSES_PER_ACCOUNT=3)
    make_user(app, must_change=True)
    client = app.test_client()
    client.log_in()
    tries = [client.send("/account/password", page="/account", new_password=PASSWORD).status_code for _ in range(4)]
    assert tries == [400, 400, 400, 429]


def test_after_the_change_everything_opens(app: Flask, client: Browser) -> None:
    make_user(app, must_change=True)
    client.log_in()
    assert "current_password" not in client.get("/account").text  # it was typed a moment ago
    assert client.send("/account/password", page="/account", new_password="battery staple").location == "/"
    assert client.get("/").status_code == 200
    assert client.start(cell=0).startswith("/games/")
    assert client.send("/account/password", page="/account", new_password="another battery").status_code == 403


def test_a_one_time_password_is_right_however_it_is_typed_and_compared_once(
    app: Flask, browser_of: BrowserOf, set_clock: SetClock, hasher: CountingHasher
) -> None:
    card = "9ckv-f6ry-r52j"
    make_user(app, password=card, must_change=True)
    for name, typed in {"player7": "9ckvf6ryr52j", "PLAYER7": card.upper(), "Player7": " 9CKV F6RY R52J "}.items():
        hasher.work = 0
        assert browser_of().log_in(name, typed).status_code == 303, typed
        assert hasher.work == 1, typed
    for typed in ("9ckv-f6ry-r52", "9ckv-f6ry-r52jj", "9ckv-f6ry-r52k", "9ckvf6ryr52k"):
        hasher.work = 0
        assert browser_of().log_in("player7", typed).status_code == 403, typed
        assert hasher.work == 1, typed
    student = browser_of()
    student.log_in("player7", card)
    answer = student.send("/account/password", page="/account", new_password=card.upper())
    assert answer.status_code == 400 and "This is the one-time password" in answer.text
    set_clock.pass_time(minutes=15)  # then it is asked for once more
    fields = {"current_password": card.upper(), "new_password": "9ckvf6ryr52k"}
    assert student.send("/account/password", page="/account", **fields).status_code == 303
    assert browser_of().log_in("player7", "9ckv-f6ry-r52k").status_code == 403, "in one's own every character counts"
    assert browser_of().log_in("player7", "9ckvf6ryr52k").status_code == 303


Presses = tuple[list[Browser], list[Callable[[], Any]]]


def two_presses(browser_of: BrowserOf, name: str = "player7", **fields: str) -> Presses:
    """One press of "Save and go on" twice, and the browsers that keep the answer to each."""
    browsers = [browser_of(), browser_of()]
    browsers[0].log_in(name)
    sent = {"csrf_token": browsers[0].csrf_token("/account"), "username": name, **fields}
    browsers[1].set_cookie("noughts", browsers[0].session_cookie())
    return browsers, [partial(browser.post, "/account/password", data=sent) for browser in browsers]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("fields", [{}, {"current_password": PASSWORD}], ids=["one-time", "own"])
def test_a_password_saved_twice_is_saved_once_whichever_answer_the_browser_keeps(
    app: Flask, browser_of: BrowserOf, set_clock: SetClock, fields: dict[str, str], at_once: bool
) -> None:
    make_user(app, must_change=not fields)
    browsers, presses = two_presses(browser_of, new_password="battery staple", **fields)
    answers = all_at_once(presses) if at_once else [press() for press in presses]
    there = "/account" if fields else "/"
    assert [(answer.status_code, answer.location) for answer in answers] == [(303, there)] * 2
    assert len({browser.session_cookie() for browser in browsers}) == len(rows_of(app, "session")) == 1
    page = browsers[1].get(there)
    assert page.status_code == 200 and page.text.count("Your password is") == 1
    assert browser_of().log_in("player7", "battery staple").status_code == 303


def test_the_second_press_may_find_the_password_saved_at_any_moment(
    app: Flask, browser_of: BrowserOf, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, moment in enumerate(("is_logged_in_just_now", "is_right_password", "hash_password"), 700):
        make_user(app, f"player{name}", must_change=True)
        browsers, [first, second] = two_presses(browser_of, f"player{name}", new_password="battery staple")
        usual = getattr(changing_passwords, moment)

        def overtaken(*arguments: Any, usual: Any = usual, first: Any = first, moment: str = moment) -> Any:
            monkeypatch.setattr(changing_passwords, moment, usual)
            assert meanwhile(first).status_code == 303
            return usual(*arguments)

        monkeypatch.setattr(changing_passwords, moment, overtaken)
        answer = second()
        assert (answer.status_code, answer.location) == (303, "/"), moment
        assert browsers[0].session_cookie() == browsers[1].session_cookie()
        assert browsers[1].get("/account").status_code == 200


def test_another_password_sent_with_an_ended_session_logs_nobody_in(app: Flask, browser_of: BrowserOf) -> None:
    make_user(app, must_change=True)
    [first, second], [press, _] = two_presses(browser_of, new_password="battery staple")
    sent = {"csrf_token": first.csrf_token("/account"), "username": "player7", "new_password": "another battery"}
    assert press().status_code == 303
    answer = second.post("/account/password", data=sent)
    assert answer.status_code == 303 and answer.location.startswith("/log-in")
    assert second.get("/account").location.startswith("/log-in")


def test_what_is_wrong_with_no_field_of_the_form_stands_above_it(
    app: Flask, client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the fifteen minutes are over while the password is hashed."""
    make_user(app, must_change=True)
    client.log_in()

    def refuse(*_arguments: Any) -> None:
        raise services.WrongPassword

    monkeypatch.setattr(changing_passwords, "choose_password", refuse)
    answer = client.send("/account/password", page="/account", new_password="battery staple")
    assert answer.status_code == 403 and "This is not your current password" in answer.text


def test_a_browser_left_open_does_not_choose_the_password(app: Flask, client: Browser, set_clock: SetClock) -> None:
    make_user(app, must_change=True)
    client.log_in()
    client.csrf_token()
    set_clock.pass_time(minutes=15)
    assert "current_password" in client.get("/account").text
    assert client.send("/account/password", page="/account", new_password="battery staple").status_code == 403
    fields = {"current_password": PASSWORD, "new_password": "battery staple"}
    assert client.send("/account/password", page="/account", **fields).status_code == 303


def test_who_was_given_another_one_time_password_meanwhile_chooses_none(app: Flask, client: Browser) -> None:
    user_id = make_user(app, must_change=True)
    client.log_in()
    [session] = [row["id"] for row in rows_of(app, "session") if row["user_id"] == user_id]
    with app.app_context():
        changing_passwords.reset_password("player7")
        with pytest.raises(services.WrongPassword):
            changing_passwords.choose_password(user_id, "player7", session, "battery staple", 20)


def test_who_must_change_the_password_may_log_out_instead(app: Flask, client: Browser) -> None:
    make_user(app, must_change=True)
    client.log_in()
    assert client.send("/log-out", page="/account").status_code == 303
    assert client.get("/").status_code == 200
