"""Starting a game against the computer."""

from collections.abc import Callable

from tests.conftest import Browser


def test_a_visitor_plays_at_once_and_the_computer_answers(client: Browser) -> None:
    page = client.get(client.start(cell=0, level="perfect"))
    assert "Your turn" in page.text
    assert "The computer took the centre" in page.text


def test_somebody_elses_game_is_not_there(client: Browser, browser_of: Callable[[], Browser]) -> None:
    address = client.start(cell=0)
    assert browser_of().get(address).status_code == 404
