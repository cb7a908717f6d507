"""Guests who are gone are purged with their games; nobody else is touched."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.conftest import Browser, MakeApp, SetClock
from tests.factories import PASSWORD, finished_game, make_user
from tests.tables import all_rows, rows_of
from webapp.privacy import services
from webapp.privacy.services import purge_guests

BrowserOf = Callable[[], Browser]


def purge(app: Flask) -> int:
    with app.app_context():
        return purge_guests()


def test_a_guest_is_purged_a_week_after_they_were_last_seen(app: Flask, client: Browser, set_clock: SetClock) -> None:
    client.start(cell=0)
    finished_game(client)
    set_clock.pass_time(days=6, hours=23)
    assert purge(app) == 0
    client.get("/")
    set_clock.pass_time(days=7)
    assert purge(app) == 0
    set_clock.pass_time(seconds=1)
    assert purge(app) == 1
    rows = all_rows(app, "throttle")
    assert {name: len(rows[name]) for name in rows} == dict.fromkeys(rows, 0)


def test_an_account_is_never_purged_nor_what_is_left_of_one(app: Flask, client: Browser, set_clock: SetClock) -> None:
    make_user(app, "player8")
    client.sign_up()
    address = finished_game(client)
    deleted = app.test_client()
    deleted.sign_up("gone-away")
    deleted.send("/account/delete", password=PASSWORD)
    before = all_rows(app)
    set_clock.pass_time(days=400)
    assert purge(app) == 0
    assert all_rows(app) == before
    client.log_in()
    assert client.get(address).status_code == 200


def test_a_guest_who_became_an_account_keeps_everything(app: Flask, client: Browser, set_clock: SetClock) -> None:
    address = client.start(cell=0)
    client.sign_up()
    set_clock.pass_time(days=13)
    assert purge(app) == 0
    assert client.get(address).status_code == 200


def test_many_guests_are_purged_in_small_units(
    app: Flask, browser_of: BrowserOf, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        browser_of().start(cell=0)
    kept = browser_of()
    set_clock.pass_time(days=8)
    address = kept.start(cell=0)
    monkeypatch.setattr(services, "AT_ONCE", 2)
    assert purge(app) == 5
    assert kept.get(address).status_code == 200
    assert len(rows_of(app, "user")) == 1


def test_a_purged_guests_number_is_not_given_again(app: Flask, browser_of: BrowserOf, set_clock: SetClock) -> None:
    browser_of().start(cell=0)
    (before,) = rows_of(app, "user")
    set_clock.pass_time(days=8)
    purge(app)
    browser_of().start(cell=0)
    (after,) = rows_of(app, "user")
    assert after["id"] > before["id"]


def test_the_setting_decides_how_long_a_guest_is_kept(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app(NOUGHTS_GUEST_DAYS=1)
    guest = app.test_client()
    guest.start(cell=0)
    assert "kept for 1 day after the last visit" in guest.get("/account").text
    set_clock.pass_time(days=1, seconds=1)
    assert purge(app) == 1


def test_a_purged_guests_browser_is_a_visitors(app: Flask, client: Browser, set_clock: SetClock) -> None:
    address = client.start(cell=0)
    set_clock.pass_time(days=8)
    purge(app)
    assert client.get(address).status_code == 404
    assert client.start(cell=0).startswith("/games/")
