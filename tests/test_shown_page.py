"""The answer to a press of a script: the page itself, the same as its address shows."""

import re
from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from tests.conftest import Browser, Pair
from tests.two_players import begin_game
from webapp.shown_page import PREFERENCE


def pressed(browser: Browser, path: str, **fields: object) -> TestResponse:
    browser.environ_base["HTTP_PREFER"] = PREFERENCE
    answer = browser.send(path, **fields)
    del browser.environ_base["HTTP_PREFER"]
    return answer


def without_what_is_new_each_time(page: TestResponse) -> str:
    """Each page chooses the id of the game that it may begin, and signs its token."""
    return re.sub(r'(name="(?:csrf_token|public_id)" value=)"[^"]*"', r"\1", page.text)


def assert_same_page(browser: Browser, answer: TestResponse) -> None:
    assert answer.status_code == 200
    assert answer.headers["Preference-Applied"] == PREFERENCE
    shown = browser.get(answer.headers["Content-Location"])
    assert without_what_is_new_each_time(answer) == without_what_is_new_each_time(shown)


def test_a_guest_begins_and_plays_on_from_the_page_in_the_answer(client: Browser) -> None:
    begun = pressed(client, "/games", opponent="computer", cell=0, level="perfect")
    assert_same_page(client, begun)
    address = begun.headers["Content-Location"]
    assert f"next=games.show/{address.rsplit('/')[-1]}" in begun.text.replace("%2F", "/")
    assert_same_page(client, pressed(client, f"{address}/moves", cell=8, ply=2))
    token = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', begun.text)
    assert token and client.post(f"{address}/resign", data={"csrf_token": token[1]}).status_code == 303


@pytest.mark.parametrize(
    ("deed", "fields"), [("draw", {"draw": "offer"}), ("resign", {}), ("moves", {"cell": 8, "ply": 2})]
)
def test_two_people(pair: Pair, deed: str, fields: dict[str, object]) -> None:
    address = begin_game(*pair, 0, 4)
    pair[0].get(address)  # where the welcome is shown
    assert_same_page(pair[0], pressed(pair[0], f"{address}/{deed}", **fields))


def test_a_refusal_stays_where_it_is(client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    answer = pressed(client, f"{address}/moves", cell=4, ply=2)
    assert answer.status_code == 409 and "Content-Location" not in answer.headers


def test_an_answer_in_practice(client: Browser) -> None:
    question = client.get("/practice?kind=move").location
    cell = re.search(r'name="cell" value="(\d)"', client.get(question).text)
    assert cell
    assert_same_page(client, pressed(client, question, cell=cell[1], tries=0))


def test_what_a_form_of_a_game_is_refused_with_leads_back_to_the_game(client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    refused = client.send(f"{address}/moves", cell=4, ply=2)
    assert f'href="/log-in?next={address.replace("/games/", "games.show/")}"' in refused.text.replace("%2F", "/")


def test_who_is_logged_out_meanwhile_comes_back_to_the_game_after_the_log_in(
    pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    address, other = begin_game(*pair), browser_of()
    other.log_in("ann")
    pair[0].get(address)
    other.send("/account/sessions/end-others")
    answer = pressed(pair[0], f"{address}/moves", cell=0, ply=0)
    assert answer.location == f"/log-in?next={address.replace('/games/', 'games.show/')}"


def test_without_the_wish_a_form_leads_to_the_page(client: Browser) -> None:
    answer = client.send("/games", opponent="computer", cell=0)
    assert answer.status_code == 303 and "Preference-Applied" not in answer.headers
