"""Cancelled and declined games that nobody joined are purged; whatever somebody sat in stays."""

from collections import Counter

import pytest
from flask import Flask

from tests.conftest import Pair, SetClock
from tests.factories import finished_game
from tests.tables import all_rows, rows_of
from tests.two_players import begin_game, open_game
from webapp.games import unplayed
from webapp.games.unplayed import purge_unplayed
from webapp.operations.invariants import check


def purge(app: Flask) -> int:
    with app.app_context():
        return purge_unplayed()


def test_games_that_nobody_joined_are_deleted_a_week_after_their_end(
    app: Flask, pair: Pair, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = pair
    finished_game(ann)
    aborted = begin_game(ann, bob)
    ann.send(f"{aborted}/abort")
    for _ in range(4):  # each but the last is withdrawn by the next
        open_game(ann)
    withdrawn = open_game(ann)
    ann.send(f"{withdrawn}/withdraw")
    challenge = open_game(ann, opponent="bob")
    bob.send(f"{challenge}/decline", reason="later")
    waiting = open_game(bob)
    before = Counter(game["status"] for game in rows_of(app, "game"))
    assert before == {"finished": 1, "aborted": 1, "withdrawn": 5, "declined": 1, "open": 1}
    set_clock.pass_time(days=7)
    assert purge(app) == 0 and ann.get(challenge).status_code == ann.get("/lobby").status_code == 200
    set_clock.pass_time(seconds=1)
    monkeypatch.setattr(unplayed, "AT_ONCE", 2)
    assert purge(app) == 6
    kept = all_rows(app)
    left = Counter(game["status"] for game in kept["game"])
    assert left == {"finished": 1, "aborted": 1, "withdrawn": 1}  # the one that waited was cancelled just now
    assert purge(app) == 0 and all_rows(app) == kept
    ann.log_in("ann")
    assert [ann.get(path).status_code for path in (challenge, waiting, aborted, "/history")] == [404, 200, 200, 200]
    assert check(app.config["SQLALCHEMY_DATABASE_URI"]) == []
