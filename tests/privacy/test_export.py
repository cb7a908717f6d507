"""Taking one's data along: all of it, and nobody else's."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.conftest import Browser, Pair, SetClock
from tests.factories import PASSWORD, finished_game
from tests.tables import rows_of
from tests.two_players import begin_game
from webapp.games import personal

BrowserOf = Callable[[], Browser]


def export(browser: Browser) -> dict[str, Any]:
    answer = browser.get("/account/export")
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    assert answer.headers["Content-Disposition"] == "attachment; filename=noughts.json"
    return json.loads(answer.text)


def test_everything_about_a_person_is_in_it(client: Browser, set_clock: SetClock) -> None:
    client.environ_base["HTTP_USER_AGENT"] = "A browser of long ago"
    client.sign_up()
    going_on = client.start(cell=4, level="perfect")
    finished_game(client)
    told, moment = export(client), set_clock.moment.isoformat()
    assert (told["name"], told["created_at"], told["last_seen_at"]) == ("player7", moment, moment)
    assert told["sessions"] == [{"browser": "A browser of long ago", "created_at": moment, "last_seen_at": moment}]
    assert told["known_browsers"] == [{"last_used_at": moment}]
    counts = {"won": 0, "lost": 1, "drawn": 0, "decisions": 0, "kept": 0}
    assert told["totals"] == [{"against": "perfect", "mark": "X", "coached": False, **counts}]
    first, second = told["games"]
    assert first["id"] == going_on.removeprefix("/games/")
    assert first["moves"][0] == {"cell": 4, "made_at": moment}
    assert len(first["moves"]) == 2
    assert (first["mark"], first["against"], first["result"], first["ended_at"]) == ("X", "perfect", None, None)
    assert (second["result"], second["reason"], second["ended_at"]) == ("lost", "resigned", moment)


def test_no_secret_and_nothing_of_anybody_else_is_in_it(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    other = browser_of()
    other.sign_up("somebody-else")
    theirs = finished_game(other)
    client.sign_up()
    client.start(cell=0)
    text = client.get("/account/export").text
    assert "somebody-else" not in text
    assert theirs.removeprefix("/games/") not in text
    for table, column in (("user", "password_hash"), ("session", "token_hash"), ("known_browser", "token_hash")):
        for row in rows_of(app, table):
            assert row[column] not in text
    assert PASSWORD not in text


def test_very_many_games_come_in_batches_and_all_of_them_come(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal, "_GAMES", personal._GAMES.limit(2))
    ann, bob = pair
    played = [begin_game(ann, bob), *(bob.start(cell=cell) for cell in range(4))]
    for batch_ends_there in (False, True):
        told = export(bob)
        assert [f"/games/{game['id']}" for game in told["games"]] == played
        assert [len(game["moves"]) for game in told["games"]] == [0, *[2] * (len(played) - 1)]
        if not batch_ends_there:
            played.append(bob.start(cell=4))
    assert told["games"][0]["against"] == "ann"


def test_who_never_played_takes_an_empty_list_along(client: Browser) -> None:
    client.sign_up()
    assert export(client)["games"] == []


def test_a_guest_may_take_theirs_along_too(client: Browser) -> None:
    client.start(cell=0)
    told = export(client)
    assert told["name"] is None
    assert len(told["games"]) == 1


def test_a_visitor_is_asked_to_log_in(client: Browser) -> None:
    assert client.get("/account/export").location == "/log-in?next=privacy.export"
