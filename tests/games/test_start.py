"""Starting a game against the computer."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask

from tests.conftest import Browser, MakeApp
from webapp.errors import NotThere
from webapp.games import services
from webapp.tictactoe import X


def test_a_visitor_plays_at_once_and_the_computer_answers(client: Browser) -> None:
    page = client.get(client.start(cell=0, level="perfect"))
    assert "Your turn" in page.text
    assert "The computer took the centre" in page.text


def test_somebody_elses_game_is_not_there(client: Browser, browser_of: Callable[[], Browser]) -> None:
    address = client.start(cell=0)
    assert browser_of().get(address).status_code == 404


def test_with_guest_play_off_a_guest_of_before_needs_an_account_too(client: Browser, make_app: MakeApp) -> None:
    client.start(cell=0)
    later = make_app(NOUGHTS_GUESTS=False).test_client()
    kept = client.get_cookie("noughts")
    assert kept is not None
    later.set_cookie("noughts", kept.value)
    answer = later.send("/games", cell=0)
    assert answer.status_code == 303 and "/sign-up" in answer.location


def test_a_guest_who_was_purged_in_the_meantime_is_told_to_begin_anew(app: Flask) -> None:
    with app.app_context(), pytest.raises(NotThere, match="no longer logged in"):
        services.start_against_computer(999, "perfect", X, 0, Random(1), "abcdefghijkl")
