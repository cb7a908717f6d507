"""What is chosen on the home page before anybody presses anything."""

import re

from tests.conftest import Browser, Pair


def chosen(browser: Browser) -> list[str]:
    return re.findall(r'<input type="radio" [^>]*value="(\w+)"[^>]* checked', browser.get("/").text)


def test_a_newcomer_meets_perfect_and_is_x(client: Browser) -> None:
    assert chosen(client) == ["perfect", "X"]


def test_the_level_that_a_guest_played_last_is_chosen_when_the_game_is_over_too(client: Browser) -> None:
    client.start(cell=0, level="perfect")
    client.send(f"{client.start(cell=0, level='beginner')}/resign")
    assert chosen(client) == ["beginner", "X"]


def test_games_against_people_do_not_change_the_level(pair: Pair) -> None:
    ann, bob = pair
    ann.start(cell=0, level="casual")
    game = str(ann.send("/games", opponent="bob").location)
    bob.send(f"{game}/join")
    assert (chosen(ann), chosen(bob)) == (["casual", "X"], ["perfect", "X"])
