"""No page offers other boards yet, but nothing that plays, shows or counts a game takes three by three for granted."""

from random import Random

from flask import Flask

from tests.conftest import Browser, sqlite_only
from tests.factories import make_user
from tests.tables import rows_of
from webapp.database import writing
from webapp.games.arranging import arranged, begin
from webapp.games.models import Mistake
from webapp.games.queries import game_seen_by
from webapp.games.services import play_move, start_against_computer
from webapp.games.states import Visibility
from webapp.operations.invariants import check
from webapp.tictactoe import ALL_LEVELS, Board, Mark, Position, can_tabulate

LARGE, SMALL = Board(4, 4, 4), Board(2, 2, 2)


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


@sqlite_only
def test_every_level_plays_a_larger_board_to_its_end(app: Flask) -> None:
    ann = make_user(app, "ann")
    with app.app_context():
        for level in ALL_LEVELS:
            one = arranged({Mark.X: level, Mark.O: ann}, Visibility.PRIVATE, None, Random(1), board=LARGE)
            with writing() as connection:
                begin(connection, one)
            play_to_the_end(ann, one.public_id)
    assert {(row["status"], row["rows"]) for row in rows_of(app, "game")} == {("finished", 4)}
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def play_to_the_end(user_id: int, public_id: str) -> None:
    while not (game := game_seen_by(user_id, public_id)).is_over:
        play_move(user_id, public_id, game.position.legal_cells[-1], len(game.moves), Random(1))


@sqlite_only
def test_the_check_takes_no_fault_where_perfect_cannot_help_losing(app: Flask) -> None:
    """Two in a row on two by two: whoever begins wins."""
    ann = make_user(app, "ann")
    with app.app_context():
        public_id = start_against_computer(ann, "perfect", Mark.X, 0, Random(1), "abcdefghijkl", SMALL)
        play_to_the_end(ann, public_id)
    assert {row["mark"]: row["result"] for row in rows_of(app, "seat")} == {"X": "won", "O": "lost"}
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_the_columns_of_a_mistake_hold_every_board_that_is_judged() -> None:
    boards = [Board(rows, columns, 1) for rows in range(1, 11) for columns in range(1, 11)]
    longest = max(len(Position.start(board).text) for board in boards if can_tabulate(board))
    columns = Mistake.__table__.c
    assert (columns.position.type.length, columns.shape.type.length) == (longest, len(Board(10, 10, 10).shape))
