"""Learn from your mistakes: the positions of one's own games, as they were, each once, hidden until solved."""

import re
from collections.abc import Callable

from flask import Flask

from tests.conftest import Browser, Pair
from tests.factories import PASSWORD, make_user
from tests.history.playing import user_id_of
from tests.practice.test_pages import broken, headline, kept, text_of
from tests.tables import rows_of
from tests.two_players import begin_game
from webapp.practice.mistakes import own_mistake
from webapp.practice.queries import counts_of

THREE_MISTAKES = (0, 1, 2, 3, 4, 5, 6)  # O errs with the second and the fourth move, X with the third


def address_of(game: str, ply: int) -> str:
    return f"/practice?kind=mistake&game={game.removeprefix('/games/')}&ply={ply}"


def test_mistakes_are_found_tried_again_shown_skipped_and_counted(app: Flask, pair: Pair) -> None:
    bob, game = pair[1], begin_game(*pair, *THREE_MISTAKES)
    second, first = address_of(game, 3), address_of(game, 1)
    assert "Solved: 0 of 2" in text_of(bob.get("/practice").text)
    assert bob.get("/practice?kind=mistake").location == second
    page = bob.get(second)
    assert headline(page) == "Find a better move for O"
    assert "Here you played middle left." in text_of(page.text)
    assert re.search(rf'href="{first}"[^>]*>Skip<'.replace("?", r"\?").replace("&", "&amp;"), page.text)
    assert f'{game}/replay?ply=3"' in page.text and "your game against ann" in text_of(page.text)
    assert "worth-" not in page.text
    bob.send(second, tries=0, cell="5")
    assert headline(bob.get(second)) == "Not yet"
    bob.send(second, tries=1, cell="4")
    page = bob.get(second)
    assert headline(page) == "Right" and "Solved: 1 of 2" in text_of(page.text)
    assert bob.get("/practice?kind=mistake").location == first
    bob.send(first, tries=0, show="yes")
    assert headline(bob.get(first)) == "The answer"
    assert "Solved: 1 of 2" in text_of(bob.get("/practice").text)
    bob.send(first, tries=1, cell="4")
    assert "You solved all 2. Well done." in text_of(bob.get("/practice").text)
    assert bob.get("/practice?kind=mistake").location == "/practice#mistakes"
    with app.app_context():
        counts = counts_of([user_id_of("bob")])[user_id_of("bob")]
    assert (counts.answered, counts.mistakes_solved) == (0, 2)
    assert broken(app) == []


def test_a_finished_game_leads_its_players_to_their_first_mistake(
    pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    game = begin_game(*pair, *THREE_MISTAKES, visibility="public")
    for browser, ply in zip(pair, (2, 1), strict=True):
        for page in (game, f"{game}/replay"):
            link = f'href="{address_of(game, ply)}"'.replace("&", "&amp;")
            assert link in browser.get(page).text, page
        assert headline(browser.get(address_of(game, ply))).startswith("Find a better move")
    assert "/practice?kind=mistake" not in browser_of().get(game).text


def test_the_same_mistake_turned_comes_once_and_stays_solved(app: Flask, pair: Pair) -> None:
    bob = pair[1]
    for cells in ((0, 1), (8, 5), (2, 5), (6, 7)):
        game = begin_game(*pair, *cells)
        pair[0].send(f"{game}/resign")
    assert "Solved: 0 of 1" in text_of(bob.get("/practice").text)
    assert bob.get("/practice?kind=mistake").location == address_of(game, 1)
    bob.send(address_of(game, 1), tries=0, cell="4")
    pair[0].send(f"{begin_game(*pair, 2, 1)}/resign")
    assert "You solved the only one." in text_of(bob.get("/practice").text)
    assert len(kept(app)) == 1


def test_an_answer_is_told_as_the_board_lies(app: Flask, pair: Pair) -> None:
    """It is kept for all twins of the position alike, and shown on each as if it had been given there."""
    bob = pair[1]
    games = []
    for cells in ((0, 1), (2, 1), (8, 5)):
        games.append(begin_game(*pair, *cells))
        pair[0].send(f"{games[-1]}/resign")
    bob.send(address_of(games[0], 1), tries=0, cell="2")
    alike = ({"Top right"}, {"Top left", "Bottom right"}, {"Top right", "Bottom left"})
    for game, names in zip(games, alike, strict=True):
        page = bob.get(address_of(game, 1))
        told = re.search(r"((?:Top|Bottom) \w+) turns a draw into a loss", page.text)
        assert headline(page) == "Not yet" and told and told[1] in names, names


def test_a_question_has_the_key_under_which_the_mistake_is_stored(app: Flask, pair: Pair) -> None:
    games = [begin_game(*pair, *cells) for cells in (THREE_MISTAKES, (8, 7, 6, 5, 4, 3, 2), (2, 5, 8, 1, 4, 7, 0))]
    ids = {row["id"]: row["public_id"] for row in rows_of(app, "game")}
    rows = rows_of(app, "mistake")
    assert len(rows) == 3 * len(games)
    with app.app_context():
        for row in rows:
            question = own_mistake(row["user_id"], ids[row["game_id"]], row["ply"])
            assert question.key == f"{row['position']} {row['to_move']}"
            assert not question.is_right(str(question.played))
            assert all(question.told(question.stored(str(cell))) == str(cell) for cell in range(9))


def test_nobody_sees_or_answers_the_mistake_of_another(
    app: Flask, pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    game = begin_game(*pair, *THREE_MISTAKES)
    for browser in (pair[0], browser_of()):
        assert browser.get(address_of(game, 1)).status_code == 404
        assert browser.send(address_of(game, 1), tries=0, cell="4").status_code == 404
    assert pair[1].get(address_of(game, 0)).status_code == 404, "no mistake"
    for address in ("/practice?kind=mistake&game=x&ply=1", f"{address_of(game, 1)}x", "/practice?kind=mistake&ply=1"):
        assert pair[1].get(address).status_code == 400, address
    assert kept(app) == []


def test_a_guests_mistakes_and_what_came_of_them_go_along(app: Flask, client: Browser) -> None:
    make_user(app)
    game = client.start(cell=1, level="perfect")
    while "Resign" in (page := client.get(game).text):
        cells = re.findall(r'name="cell" value="(\d)"', page)
        client.send(f"{game}/moves", cell=cells[0], ply=re.search(r'name="ply" value="(\d)"', page)[1])  # type: ignore[index]
    address = client.get("/practice?kind=mistake").location
    client.send(address, tries=0, show="yes")
    client.log_in(password=PASSWORD)
    client.send("/account/guest-games", answer="take")
    assert headline(client.get(address)) == "The answer"
    assert broken(app) == []


def test_who_made_no_mistake_is_told_what_to_do(client: Browser) -> None:
    assert client.get("/practice?kind=mistake").location == "/practice#mistakes"
    assert "Positions from your own games appear here" in client.get("/practice").text
