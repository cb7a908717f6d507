"""A player's public page: the name and the record, to everybody; and nothing else."""

import re
from collections.abc import Callable

import pytest
from flask import Flask

from tests.conftest import Browser
from tests.factories import member_of
from tests.history.playing import play
from tests.tables import rows_of


def test_anybody_sees_the_name_and_the_record(
    app: Flask, player7: Browser, browser_of: Callable[[], Browser]
) -> None:
    game = play(app, "player7", "perfect", "X", "resigned")
    play(app, "player7", "beginner", "O", "resigned")
    page = browser_of().get("/players/PLAYER7")
    assert page.status_code == 200
    assert "player7" in page.text and "2 finished games" in page.text
    assert game not in page.text and "Perfect" not in page.text


def test_accuracy_is_told_with_its_number_of_decisions(app: Flask, player7: Browser, client: Browser) -> None:
    play(app, "player7", "perfect", "X", "best")
    play(app, "player7", "perfect", "X", "first")
    row = [sum(tally[name] for tally in rows_of(app, "tally")) for name in ("kept", "decisions")]
    assert row[1] > row[0] > 0
    told = f"Accuracy {round(100 * row[0] / row[1])} %: {row[0]} of {row[1]} decisions"
    assert told in client.get("/players/player7").text
    assert told in player7.get("/history").text


def test_a_player_without_games_has_a_page(player7: Browser) -> None:
    assert "has not finished a game yet" in player7.get("/players/player7").text


@pytest.mark.parametrize("name", ["unknown", "guest", "None", "null", "%00", "..%2f", "player7%20", "a" * 5000, "1"])
def test_nobody_else_has_one(player7: Browser, name: str) -> None:
    player7.start(cell=0)
    assert player7.get(f"/players/{name}").status_code == 404


def test_a_deleted_player_has_none(player7: Browser) -> None:
    player7.send("/account/delete", page="/account/delete", password="correct horse")
    assert player7.get("/players/player7").status_code == 404


def test_a_player_s_page_lets_others_challenge_them(app: Flask, client: Browser) -> None:
    ann, bob = member_of(app, "ann"), member_of(app, "bob")
    form = re.search(r'<form method="post" action="/games".*?</form>', ann.get("/players/bob").text, re.S)
    assert form and ">Challenge<" in form[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    game = ann.post("/games", data=fields)
    assert game.status_code == 303 and "Waiting for bob" in ann.get(game.location).text
    assert "ann challenges you" in bob.get(game.location).text
    for nobody_to_challenge in (bob, client):  # oneself; and who has no account plays no people
        assert 'action="/games"' not in nobody_to_challenge.get("/players/bob").text
