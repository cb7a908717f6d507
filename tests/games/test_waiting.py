"""How many games wait for somebody: in the head and the title of every page, scripts or not."""

import re
from html import unescape

import pytest
from flask import Flask

from tests.conftest import Browser, Pair
from tests.factories import member_of
from webapp.games.waiting import told
from webapp.lobby import queries

PAGES = ("/", "/lobby", "/history", "/labs", "/account", "/players/bob", "/no/such/page")


def open_game(browser: Browser, opponent: str = "anyone", mark: str = "X") -> str:
    return str(browser.send("/games", opponent=opponent, mark=mark).location)


def sign(browser: Browser, page: str = "/labs") -> tuple[str, str] | None:
    """What the head says and where it leads; None where it says nothing."""
    found = re.search(
        r'<a class="waiting"[^>]* href="([^"]*)"([^>]*)><b>(.*?)</b> <span>(.*?)</span>', text_of(browser, page)
    )
    assert found, f"no sign on {page}"
    return None if "hidden" in found[2] else (f"{found[3]} {found[4]}", unescape(found[1]))


def text_of(browser: Browser, page: str) -> str:
    return " ".join(browser.get(page).text.split())


def title(browser: Browser, page: str) -> str:
    found = re.search("<title>(.*?)</title>", browser.get(page).text)
    assert found
    return found[1]


def test_who_plays_the_computer_meanwhile_is_told_on_every_page_that_somebody_joined(pair: Pair) -> None:
    ann, bob = pair
    game = open_game(ann, mark="O")  # so that it is not even her turn
    meanwhile = ann.start(cell=0)
    assert {sign(ann, page) for page in (*PAGES, meanwhile)} == {None}
    bob.send(f"{game}/join")
    assert {sign(ann, page) for page in (*PAGES, meanwhile)} == {("1 game waits for you", game)}
    assert title(ann, "/history") == "(1) Your history · Noughts"
    bob.send(f"{game}/moves", cell=0, ply=0)
    assert (sign(ann), sign(bob)) == (("1 game waits for you", game), None)
    ann.send(f"{game}/moves", cell=4, ply=1)
    assert (sign(ann), sign(bob)) == (None, ("1 game waits for you", game))
    bob.send(f"{game}/resign")
    assert (sign(ann), sign(bob)) == (None, None)
    assert title(bob, "/history") == "Your history · Noughts"


def test_a_challenge_waits_until_it_is_accepted_declined_or_withdrawn(pair: Pair) -> None:
    ann, bob = pair
    for ended_by, action in ((bob, "decline"), (ann, "withdraw")):
        game = open_game(ann, "bob")
        assert (sign(ann), sign(bob)) == (None, ("1 game waits for you", game))
        ended_by.send(f"{game}/{action}", reason="busy")
        assert (sign(ann), sign(bob)) == (None, None)
    game = open_game(ann, "bob")
    replaced_by = open_game(ann, "bob")
    assert sign(bob) == ("1 game waits for you", replaced_by)
    bob.send(f"{replaced_by}/join")
    assert (sign(ann), sign(bob)) == (("1 game waits for you", replaced_by), None)
    ann.send(f"{replaced_by}/abort")
    assert (sign(ann), sign(bob)) == (None, None)


def test_a_game_does_not_count_itself_and_several_lead_to_the_lobby(pair: Pair) -> None:
    ann, bob = pair
    first, second = open_game(ann), None
    bob.send(f"{first}/join")
    assert sign(ann, first) is None and title(ann, first) == "Your turn · Noughts"
    second = open_game(bob, "ann")
    assert sign(ann) == ("2 games wait for you", "/lobby")
    assert sign(ann, first) == ("1 game waits for you", second)
    assert sign(ann, second) == ("1 game waits for you", first)
    assert title(ann, second) == "(1) bob challenges you · Noughts"
    assert all(game in ann.get("/lobby").text for game in (first, second))


def test_a_page_without_a_stream_can_ask(pair: Pair) -> None:
    ann, bob = pair
    answer = bob.get("/lobby/waiting")
    assert answer.json == {"count": "0", "words": "games wait for you", "game": None, "classroom": None}
    assert bob.get("/lobby/waiting", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    key = open_game(ann, "bob").rsplit("/")[-1]
    answer = bob.get("/lobby/waiting", headers={"If-None-Match": answer.headers["ETag"]})
    assert answer.json == {"count": "1", "words": "game waits for you", "game": key, "classroom": None}
    assert bob.get(f"/lobby/waiting?but={key}").json["count"] == "0"


def test_visitors_and_guests_are_told_nothing(client: Browser) -> None:
    assert 'id="waiting"' not in client.get("/").text
    assert 'id="waiting"' not in client.get(client.start(cell=0)).text
    assert client.get("/lobby/waiting").json["count"] == "0"


def test_the_lobby_lists_what_waits_beside_any_number_of_other_games(
    app: Flask, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "LISTED", 2)
    ann, bob = pair
    waiting = open_game(ann)
    bob.send(f"{waiting}/join")
    for _ in range(3):
        ann.start(cell=0)
    called = open_game(member_of(app, "eve"), "ann")
    assert sign(ann) == ("2 games wait for you", "/lobby")
    assert all(game in ann.get("/lobby").text for game in (waiting, called))


@pytest.mark.parametrize(
    ("games", "count", "game"), [(0, "0", None), (1, "1", "g0"), (2, "2", None), (20, "20", None), (22, "20+", None)]
)
def test_more_than_twenty_are_not_counted(games: int, count: str, game: str | None) -> None:
    waiting = told(f"g{number}" for number in range(games))
    assert (waiting.count, waiting.game) == (count, game)
