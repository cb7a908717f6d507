"""The unfinished games on the home page: all of them, but never without end."""

import re

from tests.conftest import Browser
from webapp.pages.views import UNFINISHED_LISTED


def games_on(page: str) -> list[str]:
    return re.findall(r'href="(/games/[^"]+)"', page)


def test_every_unfinished_game_is_on_the_home_page_the_newest_first(client: Browser) -> None:
    first, second, third = (client.start(cell=cell) for cell in (0, 4, 8))
    page = client.get("/").text
    assert games_on(page) == [third, second, first]
    assert "2 more unfinished games" in page
    client.send(f"{second}/resign")
    page = client.get("/").text
    assert games_on(page) == [third, first]
    assert "1 more unfinished game<" in page


def test_one_unfinished_game_has_no_list(client: Browser) -> None:
    address = client.start(cell=0)
    page = client.get("/").text
    assert games_on(page) == [address] and "more unfinished" not in page


def test_the_list_has_an_end_and_says_so(client: Browser) -> None:
    addresses = [client.start(cell=0) for _ in range(UNFINISHED_LISTED + 1)]
    page = client.get("/").text
    assert games_on(page) == addresses[:0:-1]
    assert "Older ones" in page
    client.send(f"{addresses[-1]}/resign")
    page = client.get("/").text
    assert addresses[0] in page and "Older ones" not in page
