"""Limits are exact, however many ask at once and from however many processes."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import MakeApp, SetClock
from tests.live import LiveBrowser, live_server
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from webapp.errors import TooMany
from webapp.throttle import count_try, forget_tries, purge_tries


def tries(app: Flask, times: int, key: str = "a key", limit: int = 3) -> list[bool]:
    """For each try, whether it was let through."""
    return [is_let_through(app, key, limit) for _ in range(times)]


def is_let_through(app: Flask, key: str = "a key", limit: int = 3) -> bool:
    with app.app_context():
        try:
            count_try(key, limit, "Too many of these.")
        except TooMany:
            return False
        return True


def test_the_limit_is_let_through_and_not_one_more(app: Flask) -> None:
    assert tries(app, 5) == [True, True, True, False, False]
    assert tries(app, 1, "another key") == [True]


def test_a_limit_of_nought_lets_nothing_through(app: Flask) -> None:
    assert tries(app, 1, limit=0) == [False]


def test_it_lifts_a_quarter_of_an_hour_after_the_first_try(app: Flask, set_clock: SetClock) -> None:
    tries(app, 3)
    set_clock.pass_time(minutes=14, seconds=59)
    assert tries(app, 1) == [False]
    set_clock.pass_time(seconds=1)
    assert tries(app, 4) == [True, True, True, False]


def test_it_says_how_long_to_wait(app: Flask, set_clock: SetClock) -> None:
    tries(app, 3)
    for passed, words, seconds in ((0, "15 minutes", 900), (840, "a minute", 60), (59, "a minute", 1)):
        set_clock.pass_time(seconds=passed)
        with app.app_context(), pytest.raises(TooMany, match=f"Too many of these. Try again in {words}.") as refusal:
            count_try("a key", 3, "Too many of these.")
        assert refusal.value.retry_after == seconds


def test_what_ended_well_is_forgotten(app: Flask) -> None:
    tries(app, 3)
    with app.app_context():
        forget_tries("another key")
        assert tries(app, 1) == [False]
        forget_tries("a key")
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


def test_any_text_can_be_counted(app: Flask) -> None:
    for key in ("", "x" * 10_000, "x" * 9_999, "nul \0", "line\nbreak", "\u0440\u4e2d\U0001f600"):
        assert tries(app, 4, key) == [True, True, True, False], key


def test_the_limit_is_exact_for_sixty_threads_on_three_apps(make_app: MakeApp) -> None:
    apps = [make_app() for _ in range(3)]
    answers = all_at_once([lambda app=apps[number % 3]: is_let_through(app, limit=20) for number in range(60)])
    assert Counter(answers) == {True: 20, False: 40}


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
