"""No page offers other boards yet, but nothing that plays, shows or counts a game takes three by three for granted."""

from random import Random

from flask import Flask

from tests.conftest import Browser
from tests.tables import rows_of
from webapp.games.services import start_against_computer
from webapp.tictactoe import Board, Mark

LARGE = Board(4, 4, 4)


def test_a_game_on_a_larger_board_is_played_shown_and_counted_apart(app: Flask, client: Browser) -> None:
    client.sign_up()
    client.send(f"{client.start(cell=4)}/resign")
    with app.app_context():
        start_against_computer(1, "perfect", Mark.X, 0, Random(1), "abcdefghijkl", LARGE)
    page = client.get("/games/abcdefghijkl")
    assert page.status_code == 200 and "Board, 4 by 4" in page.text
    assert "You against Perfect" not in page.text, "the record on the other board is another one"
    assert client.send("/games/abcdefghijkl/moves", ply=2, cell=15).status_code == 303
    assert client.send("/games/abcdefghijkl/resign").status_code == 303
    assert client.get("/games/abcdefghijkl/replay").status_code == 200
    assert client.get("/history").status_code == 200
    assert {row["shape"]: row["lost"] for row in rows_of(app, "tally")} == {"3x3x3": 1, "4x4x4": 1}
    told = {(row["mark"], row["decisions"], row["kept"]) for row in rows_of(app, "seat") if row["game_id"] == 2}
    assert told == {("X", None, None), ("O", None, None)}, "it is too large to be solved, so nothing is judged"
    again = client.send("/games/abcdefghijkl/rematch")
    assert "Board, 4 by 4" in client.get(again.location).text
