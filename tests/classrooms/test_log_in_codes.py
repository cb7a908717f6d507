"""Codes for a lesson: name and code open the account once, for a few minutes, and a class is never shut out."""

import re
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from tests.classrooms.rooms import Room, cards_on
from tests.conftest import SETTINGS, Browser, MakeApp, SetClock, sqlite_only
from tests.factories import PASSWORD, browser_at, enrolled, logged_in
from tests.live_server import LiveBrowser, live_server
from tests.meanwhile import all_at_once
from tests.tables import all_rows, rows_of
from webapp.accounts import logging_in
from webapp.classrooms import log_in_codes
from webapp.classrooms.enrolling import enrol
from webapp.classrooms.roles import Role
from webapp.database import writing


@pytest.fixture
def room(app: Flask) -> Room:
    return Room(app)


def codes(room: Room, browser: Browser | None = None) -> dict[str, str]:
    answer = (browser or room.browser).send(f"{room.path}/log-in-codes")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store"), answer.text
    return dict(cards_on(answer.text))


def test_name_and_code_open_the_account_and_ask_for_no_password(app: Flask, client: Browser, room: Room) -> None:
    names = [name for name, _ in room.add()]
    made = codes(room)
    assert sorted(made) == sorted(names)
    for name, typed in zip(names, (" {} ".format, str.upper, lambda code: code.replace("-", " ")), strict=True):
        browser = app.test_client()
        assert browser.log_in(name.upper(), typed(made[name])).status_code == 303, name
        assert browser.get("/lobby").status_code == 200
    assert all(row["must_change_password"] for row in rows_of(app, "user") if row["name"] in names)


def test_a_password_that_ends_with_a_blank_is_none_the_less_a_password(
    app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_in_codes, "TRIES", 1)
    [(name, one_time)] = room.add("Anna")
    anna = logged_in(app, name, one_time)
    assert anna.send("/account/password", new_password="qwzx-yv ").status_code == 303
    codes(room)
    browser = app.test_client()
    assert [browser.log_in(name, "qwzx-yv").status_code for _ in range(2)] == [403, 429]
    assert browser.log_in(name, "qwzx-yv ").status_code == 303


def test_a_code_is_stored_as_a_hash_and_shown_once(app: Flask, room: Room, capfd: pytest.CaptureFixture[str]) -> None:
    room.add()
    made = codes(room)
    stored = repr(all_rows(app)) + capfd.readouterr().err
    assert not [code for code in made.values() if code in stored or code.replace("-", "") in stored]


def test_a_code_is_good_once_within_a_quarter_of_an_hour_and_a_new_set_ends_the_old(
    app: Flask, room: Room, set_clock: SetClock
) -> None:
    [(name, _)] = room.add("Anna")
    old = codes(room)[name]
    code = codes(room)[name]
    assert app.test_client().log_in(name, old).status_code == 403
    assert app.test_client().log_in(name, code).status_code == 303
    assert app.test_client().log_in(name, code).status_code == 403
    code = codes(room)[name]
    set_clock.pass_time(minutes=15)
    late = app.test_client().log_in(name, code)
    assert late.status_code == 403 and "it works once, within 15 minutes" in late.text
    code = codes(room)[name]
    set_clock.pass_time(minutes=14, seconds=59)
    assert app.test_client().log_in(name, code).status_code == 303


def test_a_code_used_twice_at_once_works_once(app: Flask, room: Room) -> None:
    [(name, _)] = room.add("Anna")
    code = codes(room)[name]
    browsers = [app.test_client() for _ in range(4)]
    for browser in browsers:
        browser.csrf_token()
    answers = all_at_once(partial(browser.log_in, name, code) for browser in browsers)
    assert sorted(answer.status_code for answer in answers) == [303, 403, 403, 403]


def test_pressed_twice_the_second_press_opens_the_account_too(app: Flask, room: Room, set_clock: SetClock) -> None:
    """The browser shows the answer to the second; the first one's cookie may never have come."""
    [(name, _)] = room.add("Anna")
    code, browser = codes(room)[name], app.test_client()
    browser.csrf_token()
    before = browser.session_cookie()
    assert browser.log_in(name, code).status_code == 303
    browser.set_cookie(app.config["SESSION_COOKIE_NAME"], before)
    assert browser.log_in(name, code).status_code == 303
    browser.set_cookie(app.config["SESSION_COOKIE_NAME"], before)
    set_clock.pass_time(minutes=2)
    assert browser.log_in(name, code).status_code == 403


def test_codes_are_for_accounts_made_for_the_classroom_who_are_in_it_and_hold_no_role(app: Flask, room: Room) -> None:
    names = [name for name, _ in room.add()]
    enrolled(app, room.public_id, "student1")
    other = Room(app, "other-teacher")
    assert "No code for student1: they" in room.browser.send(f"{room.path}/log-in-codes").text
    made = codes(room)
    assert sorted(made) == sorted(names)
    first, second, third = names
    room.remove(room.id_of(first))
    with app.app_context(), writing() as connection:
        enrol(connection, 2, room.id_of(second), Role.ASSISTANT)
    for name in (first, second):
        assert app.test_client().log_in(name, made[name]).status_code == 403, name
    assert app.test_client().log_in(third, made[third]).status_code == 303
    assert list(codes(room)) == [third]
    answer = other.browser.send(f"{other.path}/log-in-codes")
    assert answer.status_code == 409 and "Add students first" in answer.text


def test_a_new_password_ends_the_code(app: Flask, room: Room) -> None:
    [(name, _)] = room.add("Anna")
    code = codes(room)[name]
    room.browser.send(f"{room.path}/students/passwords", student=room.id_of(name))
    assert app.test_client().log_in(name, code).status_code == 403


def test_an_assistant_makes_codes_and_others_do_not(app: Flask, room: Room) -> None:
    room.add()
    assert codes(room, enrolled(app, room.public_id, "assist1", Role.ASSISTANT))
    Room(app, "other-teacher")
    before = rows_of(app, "log_in_code")
    for browser in (enrolled(app, room.public_id, "student1"), logged_in(app, "other-teacher")):
        assert browser.send(f"{room.path}/log-in-codes").status_code == 404
    assert rows_of(app, "log_in_code") == before


def test_guesses_are_limited_by_account_and_tell_nothing(
    app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    [(name, _), (friend, _)] = room.add("Anna\nBen")
    made = codes(room)
    monkeypatch.setattr(log_in_codes, "TRIES", 3)
    browser = app.test_client()
    answers = [browser.log_in(who, "bcd-fgh") for who in (name, "nobody-there", "\x00", "", name, name)]
    assert {answer.status_code for answer in answers} == {403}
    assert all("The name or the password is wrong" in answer.text for answer in answers)
    assert browser.log_in(name, made[name]).status_code == 429
    assert browser.log_in(friend, made[friend]).status_code == 303
    fresh = app.test_client()
    assert isinstance(fresh, Browser)
    assert fresh.log_in(name, codes(room)[name]).status_code == 303  # whoever guessed, new codes help at once


def test_too_many_tries_are_told_in_the_same_words_who_has_a_code_or_not(
    app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    [(name, _)] = room.add("Anna")
    codes(room)
    monkeypatch.setattr(log_in_codes, "TRIES", 3)
    told = set()
    for who in (name, "nobody-there"):
        answers = [app.test_client().log_in(who, "bcd-fgh") for _ in range(21)]
        assert answers[-1].status_code == 429, who
        told.update(re.findall(r"Too many [^.]+[.] Try again[^.]+[.]", answers[-1].text))
    assert len(told) == 1, told


def test_guesses_from_elsewhere_do_not_keep_a_right_code_out(
    app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network that has used up its tries does not go on to use up everybody's; several networks could."""
    [(name, _)] = room.add("Anna")
    code = codes(room)[name]
    monkeypatch.setattr(log_in_codes, "TRIES", 3)
    monkeypatch.setattr(log_in_codes, "TRIES_FROM_ANYWHERE", 7)

    def guesses(address: str) -> list[int]:
        attacker = browser_at(app, address)
        return [attacker.log_in(name, "bcd-fgh").status_code for _ in range(6)]

    assert guesses("192.0.2.7") == guesses("192.0.2.8") == [403] * 3 + [429] * 3
    assert app.test_client().log_in(name, code).status_code == 303
    code = codes(room)[name]
    assert [guesses(f"192.0.2.{number}").count(403) for number in (7, 8, 9)] == [3, 3, 1]
    assert app.test_client().log_in(name, code).status_code == 429


def test_a_classmate_who_guesses_does_not_keep_a_right_code_out_of_its_owners_browser(
    app: Flask, room: Room, client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sit behind one address. That browser has no more tries than a network, and all together have no more."""
    monkeypatch.setattr(log_in_codes, "TRIES", 3)
    monkeypatch.setattr(log_in_codes, "TRIES_FROM_ANYWHERE", 7)
    [(name, one_time)] = room.add("Anna")
    own = logged_in(app, name, one_time)
    for wrong, told in ((0, 303), (2, 303), (3, 429)):
        own.send("/log-out")
        code = codes(room)[name]
        assert [client.log_in(name, "bcd-fgh").status_code for _ in range(4)] == [403] * 3 + [429]
        assert [own.log_in(name, "bcd-fgh").status_code for _ in range(wrong)] == [403] * wrong
        assert own.log_in(name, code).status_code == told, wrong


@pytest.mark.slow
@sqlite_only
def test_thirty_students_behind_one_address_log_in_by_code(make_app: MakeApp, tmp_path: Path) -> None:
    """Over HTTP, all at once; each mistypes first, and the address has long used up its guesses of passwords."""
    room = Room(make_app())
    room.add("\n".join(f"Student {number}" for number in range(30)))
    made = codes(room)
    settings = {"NOUGHTS_SECRET_KEY": str(SETTINGS["NOUGHTS_SECRET_KEY"]), "NOUGHTS_GUESSES_PER_ADDRESS": "0"}
    with live_server(tmp_path, **settings) as server:

        def log_in(browser: LiveBrowser, name: str, password: str) -> int:
            return browser.send("/log-in", page="/log-in", name=name, password=password).status

        def mistype_and_log_in(name: str, code: str) -> tuple[int, int, int]:
            browser = LiveBrowser(server)
            tries = log_in(browser, name, "bbb-bbb"), log_in(browser, name, code)
            return *tries, browser.get("/account").status

        assert log_in(LiveBrowser(server), "teacher7", PASSWORD) == 429
        answers = all_at_once(partial(mistype_and_log_in, *one) for one in made.items())
    assert answers == [(403, 303, 200)] * 30


@sqlite_only
def test_a_wrong_code_costs_a_hash_whoever_has_one(app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the time of the answer tells who is asked for a code now."""
    [(name, _)] = room.add("Anna")
    codes(room)
    hashed: list[str | None] = []
    monkeypatch.setattr(logging_in, "is_right_password", lambda typed, stored: hashed.append(stored))
    for tried in (name, "teacher7", "nobody7"):
        hashed.clear()
        answer = app.test_client().log_in(tried, "abc-def")
        assert (answer.status_code, len(hashed)) == (403, 1), tried
