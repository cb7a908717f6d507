"""What a higher package closes to somebody: asked before the game begins, and where a game is loaded."""

import re
from collections.abc import Callable, Collection

import pytest
from flask import Flask

from tests.conftest import Browser, Pair, sqlite_only
from tests.games.records import ANN, BOB, EVE
from tests.two_players import begin_game, open_game
from webapp.games import permissions
from webapp.games.permissions import RESTRICTIONS, Restriction
from webapp.games.refusals import ClosedToYou
from webapp.live.queries import hidden_games
from webapp.lobby import queries

BECAUSE = "Your teacher chose that."


@pytest.fixture
def close(app: Flask) -> Callable[..., None]:
    """Registers what is closed, as a package does at start."""
    app.extensions[RESTRICTIONS] = given = list(app.extensions[RESTRICTIONS])
    return lambda **closed: given.append(Restriction(BECAUSE, **closed))


def all_pairs(pairs: Collection[permissions.Pair]) -> Collection[permissions.Pair]:
    return pairs


def levels_shown(browser: Browser) -> list[str]:
    return re.findall(r'name="level" value="(\w+)"', browser.get("/").text)


def test_nothing_is_closed_where_nobody_registered(settings_alone: None) -> None:
    assert permissions.levels_for(ANN) == ["beginner", "casual", "perfect"]
    assert permissions.may_have_coach(ANN) and permissions.opponents_among(ANN, [BOB, EVE]) == {BOB, EVE}
    assert permissions.unwatched([(ANN, BOB)]) == set()
    permissions.check_level(ANN, "perfect")
    permissions.check_coach(ANN)
    permissions.check_opponent(ANN, BOB)


@sqlite_only
def test_what_one_of_several_closes_is_closed(app: Flask, close: Callable[..., None]) -> None:
    close(closed_levels=lambda user: ["perfect"] if user == ANN else [], apart=lambda pairs: [(ANN, BOB)])
    close(closed_levels=lambda user: ["casual"], is_coach_closed=lambda user: user == ANN, unwatched=all_pairs)
    with app.app_context():
        assert permissions.levels_for(ANN) == ["beginner"] and permissions.levels_for(BOB) == ["beginner", "perfect"]
        assert permissions.levels_for(None) == ["beginner", "casual", "perfect"]
        assert [permissions.may_have_coach(user) for user in (ANN, BOB, None)] == [False, True, True]
        assert permissions.opponents_among(ANN, [BOB, EVE]) == {EVE}
        assert permissions.unwatched([(None, BOB)]) == {(None, BOB)}
        with pytest.raises(ClosedToYou, match=BECAUSE):
            permissions.check_coach(ANN)


def test_a_closed_level_is_neither_offered_nor_played(client: Browser, close: Callable[..., None]) -> None:
    client.sign_up()
    game = client.start(cell=4, level="perfect")
    client.send(f"{game}/resign")
    close(closed_levels=lambda user: ["perfect"])
    assert levels_shown(client) == ["beginner", "casual"]
    for answer in (client.send("/games", level="perfect", cell=0), client.send(f"{game}/rematch")):
        assert answer.status_code == 409 and BECAUSE in answer.text
    assert client.send("/games", level="casual", cell=0).status_code == 303


def test_two_who_may_not_play_each_other_meet_nowhere(pair: Pair, close: Callable[..., None]) -> None:
    ann, bob = pair
    finished = begin_game(ann, bob, 0, 1)
    ann.send(f"{finished}/resign")
    waiting = open_game(ann)
    close(apart=all_pairs)
    lobby = bob.get("/lobby").text
    assert waiting not in lobby and "Challenge<span" not in lobby
    joined, again = bob.send(f"{waiting}/join"), bob.send(f"{finished}/rematch")
    assert joined.status_code == again.status_code == 409 and BECAUSE in joined.text and BECAUSE in again.text
    challenge = bob.send("/games", opponent="ann")
    assert challenge.status_code == 303 and BECAUSE in bob.get(challenge.location).text
    assert bob.send("/lobby/play-now").location != waiting  # a game of his own, that waits for others


def test_play_now_finds_who_may_be_played_behind_many_who_may_not(
    pair: Pair, browser_of: Callable[[], Browser], close: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "LISTED", 1)
    ann, bob = pair
    eve = browser_of()
    eve.sign_up("eve")
    open_game(ann)
    theirs = open_game(eve)
    close(apart=lambda pairs: [pair for pair in pairs if 1 in pair])
    assert bob.send("/lobby/play-now").location == theirs


def test_who_may_not_watch_finds_no_game_of_others(
    app: Flask, pair: Pair, browser_of: Callable[[], Browser], close: Callable[..., None]
) -> None:
    game, eve = begin_game(*pair, 0), browser_of()
    assert eve.get(game).status_code == 200 and game in eve.get("/lobby").text
    close(unwatched=all_pairs)
    assert game not in eve.get("/lobby").text
    for path in (game, f"{game}/piece", f"{game}/state", f"{game}/replay", f"/events?game={game[-12:]}"):
        assert eve.get(path).status_code in (204, 404), path
    assert eve.get(game).status_code == 404
    assert all(player.get(game).status_code == 200 for player in pair)
    with app.app_context():
        assert hidden_games([(1, None), (1, 1), (1, 2)]) == {(1, None)}  # the open pages of who watched end, too
