"""What a finished game teaches is stored as it ends, equals a recount, and goes with its owner."""

from typing import Any

from flask import Flask

from tests.conftest import Browser, Pair
from tests.factories import PASSWORD, make_user
from tests.games.test_results import play_to_the_end
from tests.tables import rows_of
from tests.two_players import begin_game
from webapp.games.verdicts import judged_sides, mistake_row
from webapp.operations.invariants import check
from webapp.tictactoe import STANDARD

THREE_MISTAKES = (0, 1, 2, 3, 4, 5, 6)  # O, X and O again throw something away, before X wins


def broken(app: Flask) -> list[object]:
    return list(check(str(app.config["SQLALCHEMY_DATABASE_URI"])))


def counts(app: Flask, table: str) -> dict[str, tuple[Any, Any]]:
    """Decisions and those kept, by mark; of a table with one game in it."""
    return {row["mark"]: (row["decisions"], row["kept"]) for row in rows_of(app, table)}


def test_decisions_and_mistakes_of_both_sides_are_stored_as_the_game_ends(app: Flask, pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(ann, bob, *THREE_MISTAKES[:-1])
    assert counts(app, "seat") == {"X": (None, None), "O": (None, None)}
    assert rows_of(app, "mistake") == []
    ann.send(f"{address}/moves", cell=6, ply=6)
    assert counts(app, "seat") == counts(app, "tally") == {"X": (2, 1), "O": (2, 0)}
    of_first_game = {"game_id": 1, "shape": "3x3x3"}
    assert sorted(rows_of(app, "mistake"), key=lambda row: row["ply"]) == [
        {**of_first_game, "ply": 1, "user_id": 2, "position": "X........", "to_move": "O", "cell": 1,
         "value_before": 0, "value_after": -1},
        {**of_first_game, "ply": 2, "user_id": 1, "position": "XO.......", "to_move": "X", "cell": 2,
         "value_before": 1, "value_after": 0},
        {**of_first_game, "ply": 3, "user_id": 2, "position": "XOX......", "to_move": "O", "cell": 3,
         "value_before": 0, "value_after": -1},
    ]  # fmt: skip
    assert broken(app) == []


def test_a_game_that_somebody_gave_up_is_judged_up_to_its_last_move(app: Flask, pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(ann, bob, 8, 5)  # the same mistake as 0, 1
    ann.send(f"{address}/resign")
    assert counts(app, "seat") == counts(app, "tally") == {"X": (0, 0), "O": (1, 0)}
    [mistake] = rows_of(app, "mistake")
    assert (mistake["position"], mistake["cell"], mistake["user_id"]) == ("X........", 1, 2)
    assert broken(app) == []


def test_a_cancelled_game_teaches_nothing(app: Flask, pair: Pair) -> None:
    ann, bob = pair
    ann.send(f"{begin_game(ann, bob, 0)}/abort")
    assert counts(app, "seat") == {"X": (None, None), "O": (None, None)}
    assert (rows_of(app, "mistake"), rows_of(app, "tally"), broken(app)) == ([], [], [])


def test_many_games_against_the_computer_equal_a_recount(app: Flask, client: Browser) -> None:
    client.sign_up()
    for number in range(9):
        address = client.start(mark="XO"[number % 2], level=["beginner", "casual", "perfect"][number % 3])
        play_to_the_end(app, client, address, "first" if number % 3 else "best")
    moves, seats = rows_of(app, "move"), rows_of(app, "seat")
    expected = []
    for seat in seats:
        played = sorted((move["ply"], move["cell"]) for move in moves if move["game_id"] == seat["game_id"])
        side = judged_sides(STANDARD, [cell for _, cell in played])[seat["mark"]]
        assert (seat["decisions"], seat["kept"]) == (side.decisions, side.kept)
        expected += [(seat["game_id"], mistake_row(move)) for move in side.mistakes if seat["user_id"]]
    kept = [(row.pop("game_id"), row) for row in rows_of(app, "mistake") if row.pop("user_id") == 1]
    assert sorted(kept, key=str) == sorted(expected, key=str) and expected
    assert broken(app) == []


def test_the_mistakes_of_a_guest_become_those_of_the_account(app: Flask, client: Browser) -> None:
    make_user(app)
    play_to_the_end(app, client, client.start(cell=1, level="perfect"), "first")
    assert {row["user_id"] for row in rows_of(app, "mistake")} == {2}
    client.send("/log-in", name="player7", password=PASSWORD)
    client.send("/account/guest-games", answer="take")
    assert {row["user_id"] for row in rows_of(app, "mistake")} == {1}
    assert broken(app) == []


def test_the_mistakes_of_who_is_deleted_go_and_those_of_the_opponent_stay(app: Flask, pair: Pair) -> None:
    ann, bob = pair
    begin_game(ann, bob, *THREE_MISTAKES)
    begin_game(ann, bob, *THREE_MISTAKES[:4])  # Bob leaves it as he goes
    bob.send("/account/delete", password=PASSWORD)
    assert {(row["user_id"], row["game_id"], row["ply"]) for row in rows_of(app, "mistake")} == {(1, 1, 2), (1, 2, 2)}
    assert broken(app) == []


def test_what_one_takes_along_tells_of_ones_own_mistakes_only(pair: Pair, app: Flask) -> None:
    ann, bob = pair
    begin_game(ann, bob, *THREE_MISTAKES)
    told = ann.get("/account/export").json
    [game] = told["games"]
    assert (game["decisions"], game["kept"]) == (2, 1)
    values = {"value_before": 1, "value_after": 0}
    assert game["mistakes"] == [{"ply": 2, "position": "XO.......", "to_move": "X", "cell": 2, **values}]
    assert [(total["decisions"], total["kept"]) for total in told["totals"]] == [(2, 1)]
