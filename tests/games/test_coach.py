"""What the coach says: a hint, then the move that alpha-beta recommends; and that its games are marked everywhere."""

import csv
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import StringIO
from itertools import islice
from random import Random

import pytest
from flask import Flask

from tests.conftest import Browser, Sampled, sqlite_only
from tests.factories import PASSWORD, make_user
from tests.games.records import ANN, BOB, game
from tests.tables import all_rows, rows_of
from tests.tictactoe.boards import cell_values
from webapp.errors import BadRequest
from webapp.games.coach import Hint, advice, coach_of, hint
from webapp.games.permissions import RESTRICTIONS, Restriction
from webapp.games.point_of_view import PointOfView
from webapp.games.services import start_against_computer
from webapp.games.states import Status
from webapp.operations.invariants import check
from webapp.tictactoe import SEARCHES, STANDARD, Board, Position, X

DOCUMENT = Position.parse("..OXOO..X", X)  # the board of the third course document


def test_the_advice_on_the_board_of_the_third_document_is_what_it_prints() -> None:
    told = advice(DOCUMENT)
    assert (told.row, told.column, told.cell_name) == (2, 0, "bottom left")
    assert (told.value, told.word, told.nodes, told.minimax_nodes) == (1, "win", 31, 45)
    assert told.seconds > 0 and told.searched is None


def test_the_quickest_win_is_the_best_move_also_where_the_search_takes_another() -> None:
    told = advice(Position.parse("XOXOX..O.", X))
    assert (told.value, told.cell_name, told.searched) == (1, "bottom left", "middle right")


def unfinished(position: Position) -> Iterator[Position]:
    if not position.is_over:
        yield position
        for cell in position.legal_cells:
            yield from unfinished(position.play(cell))


def test_the_hint_counts_the_moves_that_keep_the_value_as_plain_minimax_finds_them(sampled: Sampled) -> None:
    below = list(islice(unfinished(Position.parse("X...O....", X)), 5000))
    for position in [DOCUMENT, *sampled(below)]:
        values = list(cell_values(SEARCHES["minimax"], position).values())
        best = max(values)
        assert hint(position) == Hint(int(best), values.count(best), len(values)), position.text


@pytest.mark.usefixtures("settings_alone")
def test_the_coach_speaks_to_the_player_of_a_coached_game_that_goes_on() -> None:
    coached = game("X.. .O. ...", level="perfect", coached=True)
    found = coach_of(PointOfView(coached, ANN))
    assert found is not None and found.advice is None and found.hint.moves == 7 and found.can_take_back
    asked = coach_of(PointOfView(coached, ANN), str(coached.version))
    assert asked is not None and asked.advice is not None
    stale = coach_of(PointOfView(coached, ANN), str(coached.version - 1))
    assert stale is not None and stale.advice is None
    others = [(replace(coached, coached=False), ANN), (coached, BOB), (coached, None)]
    for other, viewer in [*others, (replace(coached, status=Status.FINISHED), ANN)]:
        assert coach_of(PointOfView(other, viewer)) is None


def text_of(page: str) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", page).split()))


def test_before_each_move_there_is_a_hint_and_the_best_move_only_when_asked(client: Browser, app: Flask) -> None:
    address = client.start(cell=0, level="perfect", coach="yes")
    page = client.get(address).text
    assert "Coach: 7 of 7" not in page and "Coach: all 7 moves keep the draw." in page
    assert "Recommended move" not in page and "best move</a>" in page
    version = re.search(r'name="version" value="(\d+)"', page)
    before = all_rows(app, "session", "user")
    asked = client.get(f"{address}?best={version[1]}").text  # type: ignore[index]
    for words in ("Best move:", "Recommended move Row = 0, Column = 1", "Value 0, a draw", "Evaluation time 0."):
        assert words in text_of(asked), words
    assert "top centre, free, best move" in asked
    assert all_rows(app, "session", "user") == before  # to ask changes nothing
    for other in ("0", "999", "", "x", "-1"):
        assert "Recommended move" not in client.get(f"{address}?best={other}").text, other


def test_a_game_without_the_coach_has_none(client: Browser) -> None:
    address = client.start(cell=0)
    assert "Coach:" not in client.get(f"{address}?best=2").text
    assert client.send("/games", coach="maybe").status_code == 400


def test_a_press_that_starts_a_coached_game_twice_starts_one(client: Browser, app: Flask) -> None:
    asked = {"cell": 4, "public_id": "abcdefghijkl", "level": "casual"}
    places = {client.start(**asked, coach=coach) for coach in ("yes", "yes", "no")}
    assert len(places) == 2 and [row["coached"] for row in rows_of(app, "game")] == [True, False]


def resigned(browser: Browser, **fields: object) -> str:
    address = browser.start(cell=4, level="perfect", **fields)
    browser.send(f"{address}/resign")
    return address


def test_coached_games_are_marked_wherever_they_appear_and_counted_apart(client: Browser, app: Flask) -> None:
    client.sign_up("ann")
    resigned(client)
    coached = resigned(client, coach="yes")
    going_on = client.start(cell=4, coach="yes")
    assert "You against Perfect with the coach" in client.get(coached).text
    for path in ("/", "/lobby", "/history", coached, f"{coached}/replay", going_on):
        assert "ith the coach" in client.get(path).text, path
    history, public = text_of(client.get("/history").text), text_of(client.get("/players/ann").text)
    for page in (history, public):
        assert "1 finished game" in page and "1 more with the coach" in page, page
    rows = list(csv.DictReader(StringIO(client.get("/history.csv").text)))
    assert [row["coach"] for row in rows] == ["yes", "no"]
    told = client.get("/account/export").get_json()
    assert [one["coached"] for one in told["games"]] == [False, True, True]
    assert sorted((row["coached"], row["lost"]) for row in told["totals"]) == [(False, 1), (True, 1)]
    assert client.get(f"{coached}/state").get_json()["coached"] is True
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_a_player_of_coached_games_alone_has_a_history_too(client: Browser) -> None:
    client.sign_up("ann")
    resigned(client, coach="yes")
    for path in ("/history", "/players/ann"):
        page = text_of(client.get(path).text)
        assert "0 finished games" in page and "1 more with the coach" in page, page


def test_the_next_game_is_coached_again(client: Browser, app: Flask) -> None:
    address = resigned(client, coach="yes")
    again = client.send(f"{address}/rematch").location
    assert "Coach:" in client.get(again).text
    app.extensions[RESTRICTIONS] = [Restriction("", is_coach_closed=lambda user: True)]
    client.send(f"{again}/resign")
    last = client.send(f"{again}/rematch").location
    assert "coach" not in client.get(last).text.lower()


def test_a_closed_coach_is_neither_offered_nor_heard(client: Browser, app: Flask) -> None:
    assert 'name="coach"' in client.get("/").text
    address = client.start(cell=0, coach="yes")
    app.extensions[RESTRICTIONS] = [Restriction("Your teacher chose that.", is_coach_closed=lambda user: True)]
    assert 'name="coach"' not in client.get("/").text
    assert "Coach:" not in client.get(address).text
    for answer in (client.send("/games", cell=0, coach="yes"), client.send(f"{address}/take-back", version=2)):
        assert answer.status_code == 409 and "Your teacher chose that." in answer.text


def test_a_guest_takes_coached_games_and_their_totals_along(
    client: Browser, app: Flask, browser_of: Callable[[], Browser]
) -> None:
    browser_of().sign_up("player7")
    resigned(client)
    resigned(client, coach="yes")
    client.send("/log-in", name="player7", password=PASSWORD)
    client.send("/account/guest-games", answer="take")
    tallies = [(row["coached"], row["lost"]) for row in rows_of(app, "tally")]
    assert sorted(tallies) == [(False, 1), (True, 1)]
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


@sqlite_only
def test_the_coach_is_refused_on_boards_that_it_cannot_search(app: Flask) -> None:
    user_id = make_user(app)
    with app.app_context(), pytest.raises(BadRequest, match="a board of this size"):
        start_against_computer(user_id, "beginner", X, 0, Random(1), "game1", Board(4, 4, 4), coached=True)
    assert rows_of(app, "game") == []


def test_the_board_that_the_coach_knows_is_the_standard_one() -> None:
    assert advice(Position.start(STANDARD)).nodes == 18_297
