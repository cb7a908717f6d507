"""What the lobby lists."""

import re
from collections.abc import Callable

import pytest
from flask import Flask

from tests.conftest import Browser, Pair, SetClock
from tests.factories import enrolled, logged_in, make_classroom, member_of
from tests.two_players import begin_game
from webapp.accounts import presence
from webapp.games.lists import LISTED
from webapp.lobby import queries


def watched_by(browser: Browser) -> list[str]:
    """The addresses under "Watch"."""
    watch = browser.get("/lobby").text.split('id="watch"')[1].split("</section>")[0]
    return re.findall(r'class="button" href="(/games/[^"]+)"', watch)


def test_games_that_both_players_left_are_not_listed_to_watch(
    set_clock: SetClock, pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    ann, eve, game = pair[0], browser_of(), begin_game(*pair)
    presence._written.clear()
    assert watched_by(eve) == [game]
    set_clock.pass_time(minutes=6)
    assert watched_by(eve) == []
    ann.get(game)  # she is back, and looks at the board
    assert watched_by(eve) == [game]
    set_clock.pass_time(minutes=6)
    ann.send(f"{game}/moves", cell=0, ply=0)
    set_clock.pass_time(minutes=4)  # nobody is here, but a moment ago somebody was
    assert watched_by(eve) == [game]


def test_a_game_in_play_is_listed_beside_any_number_that_were_left(
    app: Flask, set_clock: SetClock, pair: Pair, browser_of: Callable[[], Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "LISTED", 2)
    played = begin_game(*pair)
    carl, dora = member_of(app, "carl"), member_of(app, "dora")
    for _ in range(3):
        begin_game(carl, dora)
    set_clock.pass_time(hours=1)
    pair[0].send(f"{played}/moves", cell=0, ply=0)
    assert watched_by(browser_of()) == [played]


def test_games_that_are_closed_to_somebody_do_not_crowd_out_those_that_they_can_join(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class that plays among itself opens many; somebody outside of it is shown the one that waits for all."""
    monkeypatch.setattr(queries, "PEOPLE_LISTED", 2)
    classroom, eve, ann = make_classroom(app), member_of(app, "eve"), member_of(app, "ann")
    ann.get("/lobby")
    for number in range(LISTED):
        student = enrolled(app, classroom, f"student{number}")
        student.send("/games", opponent="anyone")
        if number < 3:
            student.get("/lobby")
    settings = {"name": "7b", "term": "", "seat_limit": "60", "only_members": "yes"}
    logged_in(app, "teacher7").send(f"/classrooms/{classroom}/settings", **settings)
    opened = str(ann.send("/games", opponent="anyone").location)
    eve.get("/lobby")
    page = eve.get("/lobby").text
    assert f"{opened}/join" in page and "student" not in page
    assert re.findall(r'class="challenge" href="/lobby\?challenge=(\w+)', page) == ["ann"]


def test_a_game_to_watch_and_who_is_here_are_shown_as_they_stand(
    set_clock: SetClock, pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    """They are drawn once for all who look (webapp/fragments.py)."""
    (ann, bob), visitor, eve, game = pair, browser_of(), browser_of(), begin_game(*pair, 0)
    eve.sign_up("eve")
    presence._written.clear()
    ann.get(game)
    bob.get(game)
    for stands, mover, cell in (("bob’s turn, 1 move.", bob, 4), ("ann’s turn, 2 moves.", ann, 8)):
        for browser, challenges in ((eve, ["ann", "bob"]), (visitor, [])):
            page = browser.get("/lobby").text
            assert stands in page and 'class="player" href="/players/bob">bob' in page
            assert re.findall(r'class="challenge" href="/lobby\?challenge=(\w+)', page) == challenges
        mover.send(f"{game}/moves", cell=cell, ply=cell // 4)
