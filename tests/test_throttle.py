"""Limits are exact, however many ask at once and from however many processes."""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import Connection

from tests.conftest import MakeApp, SetClock, pooled_too
from tests.factories import browser_at
from tests.live_server import LiveBrowser, live_server
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from webapp.classrooms.join_views import WRONG_CODES
from webapp.config import ROOT
from webapp.database import writing
from webapp.errors import TooMany
from webapp.networks import network_of
from webapp.throttle import Limit, count_tries, forget_tries, purge_tries


def tries(app: Flask, times: int, key: str = "a key", limit: int = 3) -> list[bool]:
    """For each try, whether it was let through."""
    return [is_let_through(app, key, limit) for _ in range(times)]


def is_let_through(app: Flask, key: str = "a key", limit: int = 3) -> bool:
    with app.app_context():
        try:
            count_tries(Limit(key, limit, "Too many of these."))
        except TooMany:
            return False
        return True


def test_the_limit_is_let_through_and_not_one_more(app: Flask) -> None:
    assert tries(app, 5) == [True, True, True, False, False]
    assert tries(app, 1, "another key") == [True]


def test_a_limit_of_nought_lets_nothing_through(app: Flask) -> None:
    assert tries(app, 1, limit=0) == [False]


def test_who_is_past_a_narrow_limit_does_not_use_up_a_wider_one(app: Flask) -> None:
    def is_let_through_both(narrow: str) -> bool:
        with app.app_context():
            try:
                count_tries(Limit(narrow, 2, "Too many of these."), Limit("wide", 5, "Too many of all."))
            except TooMany:
                return False
            return True

    assert [is_let_through_both("here") for _ in range(9)] == [True] * 2 + [False] * 7
    assert [is_let_through_both("there") for _ in range(9)] == [True] * 2 + [False] * 7
    assert [is_let_through_both("elsewhere") for _ in range(3)] == [True, False, False]


def test_a_refusal_past_the_limit_takes_no_write_lock(app: Flask) -> None:
    browser = browser_at(app, "203.0.113.7")
    for _ in range(WRONG_CODES):
        assert browser.get("/join/wrong-code").status_code == 404
    before = rows_of(app, "throttle")
    with writes() as begun:
        assert browser.get("/join/wrong-code").status_code == 429
        assert browser.get("/join/another-code").status_code == 429
    assert begun == [] and rows_of(app, "throttle") == before


@contextmanager
def writes() -> Iterator[list[str]]:
    """The units that write and are begun by limits meanwhile."""
    begun: list[str] = []

    def noted() -> AbstractContextManager[Connection]:
        begun.append("a unit")
        return writing()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webapp.throttle.writing", noted)
        yield begun


def test_it_lifts_a_quarter_of_an_hour_after_the_first_try(app: Flask, set_clock: SetClock) -> None:
    tries(app, 3)
    set_clock.pass_time(minutes=14, seconds=59)
    assert tries(app, 1) == [False]
    set_clock.pass_time(seconds=1)
    assert tries(app, 4) == [True, True, True, False]


def test_it_is_over_when_the_clock_that_set_it_ran_ahead(app: Flask, set_clock: SetClock) -> None:
    set_clock.pass_time(days=1)
    assert tries(app, 4) == [True, True, True, False]
    set_clock.pass_time(days=-1)
    assert tries(app, 4) == [True, True, True, False]


def test_who_looked_at_the_clock_first_and_came_second_is_counted_too(app: Flask, set_clock: SetClock) -> None:
    """Whoever waits for the database looked at the clock before the one who wrote while they waited."""
    assert tries(app, 2) == [True, True]
    set_clock.pass_time(seconds=-6)
    assert tries(app, 2) == [True, False]


def test_it_says_how_long_to_wait(app: Flask, set_clock: SetClock) -> None:
    tries(app, 3)
    for passed, words, seconds in ((0, "15 minutes", 900), (840, "a minute", 60), (59, "a minute", 1)):
        set_clock.pass_time(seconds=passed)
        with app.app_context(), pytest.raises(TooMany, match=f"Too many of these. Try again in {words}.") as refusal:
            count_tries(Limit("a key", 3, "Too many of these."))
        assert refusal.value.retry_after == seconds


def test_what_ended_well_is_forgotten(app: Flask) -> None:
    tries(app, 3)
    with app.app_context(), writing() as connection:
        forget_tries(connection, "another key")
    assert tries(app, 1) == [False]
    with app.app_context(), writing() as connection:
        forget_tries(connection, "a key")
    assert tries(app, 1) == [True]


def test_the_purge_takes_what_is_over_and_nothing_else(app: Flask, set_clock: SetClock) -> None:
    tries(app, 3, "old")
    set_clock.pass_time(minutes=10)
    tries(app, 4, "new")
    set_clock.pass_time(minutes=5)
    with app.app_context():
        assert purge_tries() == 1
    assert tries(app, 1, "new") == [False]
    assert len(rows_of(app, "throttle")) == 1


def test_the_purge_takes_what_a_clock_that_ran_ahead_left(app: Flask, set_clock: SetClock) -> None:
    set_clock.pass_time(days=1)
    tries(app, 1)
    set_clock.pass_time(days=-1)
    with app.app_context():
        assert purge_tries() == 1


def test_any_text_can_be_counted(app: Flask) -> None:
    for key in ("", "x" * 10_000, "x" * 9_999, "nul \0", "line\nbreak", "\u0440\u4e2d\U0001f600"):
        assert tries(app, 4, key) == [True, True, True, False], key


NETWORKS = {
    "203.0.113.7": "203.0.113.7",
    "::ffff:203.0.113.7": "203.0.113.7",
    "2001:db8:1:2::1": "2001:db8:1:2::/64",
    "2001:db8:1:2:aaaa:bbbb:cccc:dddd": "2001:db8:1:2::/64",
    "2001:db8:1:3::1": "2001:db8:1:3::/64",
    "fe80::1%eth0": "fe80::/64",
    "::1": "::/64",
    "": "?",
    "not an address": "not an address",
}


def test_an_address_counts_as_the_network_that_one_customer_gets() -> None:
    assert {address: network_of(address) for address in NETWORKS} == NETWORKS
    assert network_of(None) == "?"


def test_every_limit_by_address_is_one_by_network(make_app: MakeApp) -> None:
    """Whoever has an IPv6 network has 2**64 addresses."""
    app = make_app(NOUGHTS_GUESSES_PER_ADDRESS=2, NOUGHTS_SIGN_UPS_PER_ADDRESS=2, NOUGHTS_GUESTS_PER_ADDRESS=2)
    browsers = [browser_at(app, f"2001:db8:1:2::{number}") for number in range(3)]
    assert [browser.log_in("nobody-here").status_code for browser in browsers] == [403, 403, 429]
    started = [browser.send("/games", opponent="computer").status_code for browser in browsers]
    assert started == [303, 303, 429]
    assert [browser.sign_up(f"name-{at}").status_code for at, browser in enumerate(browsers)] == [303, 303, 429]
    elsewhere = browser_at(app, "2001:db8:1:3::1")
    assert elsewhere.log_in("nobody-here").status_code == 403
    assert elsewhere.sign_up("name-3").status_code == 303


def test_nothing_is_kept_by_a_bare_address() -> None:
    # These two look whether somebody may read, or be believed, and that is all.
    keep_none = {ROOT / "webapp" / name for name in ("operations/metrics.py", "single_sign_on/trusted_header.py")}
    for path in {*(ROOT / "webapp").rglob("*.py")} - keep_none:
        text = path.read_text()
        assert text.count("remote_addr") == text.count("network_of(request.remote_addr)"), path


@pooled_too
def test_the_limit_is_exact_for_sixty_threads_on_three_apps(make_app: MakeApp) -> None:
    apps = [make_app() for _ in range(3)]
    answers = all_at_once([lambda app=apps[number % 3]: is_let_through(app, limit=20) for number in range(60)])
    assert Counter(answers) == {True: 20, False: 40}


@pytest.mark.slow
def test_the_limit_is_exact_for_sixty_posts_at_two_processes(empty_database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "live"
    folder.mkdir()
    shutil.copy(empty_database, folder / "noughts.db")
    with live_server(folder, NOUGHTS_GUESSES_PER_ACCOUNT="20") as server:
        browser = LiveBrowser(server)
        token = browser.get("/log-in").csrf_token
        fields: dict[str, object] = {"csrf_token": token, "name": "player7", "password": "wrong password"}
        answers = all_at_once([lambda: browser.post("/log-in", fields).status] * 60)
        assert Counter(answers) == {403: 20, 429: 40}
