"""The CSV of finished games: all of them, the same ones as on the page, and nothing that runs in a spreadsheet."""

import csv
from io import StringIO

import pytest
from flask import Flask
from sqlalchemy import select

from tests.agents.programs import make_program
from tests.conftest import Browser
from tests.history.playing import play, play_many
from webapp.extensions import db
from webapp.games.models import Game, Move
from webapp.games.totals import totals_of
from webapp.games.verdicts import judged_sides
from webapp.history import queries
from webapp.history.csv_rows import HEADINGS
from webapp.tictactoe import STANDARD, Mark


def rows_of(client: Browser, query: str = "") -> list[dict[str, str]]:
    answer = client.get("/history.csv" + query)
    assert answer.status_code == 200
    assert answer.mimetype == "text/csv"
    return list(csv.DictReader(StringIO(answer.text)))


def test_it_equals_a_recount(app: Flask, player7: Browser) -> None:
    games = play_many(app, "player7", 12)
    rows = rows_of(player7)
    assert [row["game"] for row in rows] == games[::-1]
    with app.app_context():
        for row in rows:
            of_game = select(Move.cell).join(Game).where(Game.public_id == row["game"]).order_by(Move.ply)
            cells = list(db.session.scalars(of_game))
            assert (row["cells"], row["moves"]) == (" ".join(map(str, cells)), str(len(cells)))
            side = judged_sides(STANDARD, cells)[Mark(row["mark"])]
            counts = [side.decisions, side.kept, len(side.mistakes)]
            assert [row["decisions"], row["kept"], row["mistakes"]] == list(map(str, counts))
        totals = totals_of(1).all
    counts = [sum(row["result"] == result for row in rows) for result in ("won", "drawn", "lost")]
    assert counts == [totals.won, totals.drawn, totals.lost]


def test_it_names_the_owner_of_an_agent(app: Flask, player7: Browser) -> None:
    make_program(app)
    address = player7.send("/games", opponent="robot7").location
    assert "agent of owner7" in player7.get("/").text, "of the unfinished game"
    player7.send(f"{address}/resign")
    assert [(row["opponent"], row["agent of"]) for row in rows_of(player7)] == [("robot7", "owner7")]


def test_it_comes_whole_in_batches(app: Flask, player7: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    games = play_many(app, "player7", 7)
    monkeypatch.setattr(queries, "IN_BATCH", 3)
    answer = player7.get("/history.csv")
    assert len(list(answer.response)) == 4  # the headings, then three, three and one
    assert [row["game"] for row in rows_of(player7)] == games[::-1]


@pytest.mark.slow
def test_a_filter_leaves_the_same_rows_as_on_the_page(app: Flask, player7: Browser) -> None:
    play_many(app, "player7", 12)
    for row in rows_of(player7, "?opponent=casual&mark=X"):
        assert (row["opponent"], row["computer"], row["mark"]) == ("Casual", "yes", "X")
    assert len(rows_of(player7, "?opponent=casual")) == 4
    with_mistakes = [row["game"] for row in rows_of(player7) if row["mistakes"] != "0"]
    assert [row["game"] for row in rows_of(player7, "?mistakes=yes")] == with_mistakes and with_mistakes
    assert rows_of(player7, "?opponent=nobody-at-all") == []


def test_without_games_it_has_its_headings(player7: Browser) -> None:
    assert player7.get("/history.csv").text == ",".join(HEADINGS) + "\r\n"


def test_a_game_whose_id_begins_with_a_minus_is_made_text(client: Browser) -> None:
    address = client.start(cell=0, public_id="-abcdefghijk")
    assert address == "/games/-abcdefghijk"
    client.send(f"{address}/resign")
    assert rows_of(client)[0]["game"] == "'-abcdefghijk"


def test_a_download_is_kept_by_no_cache(app: Flask, player7: Browser) -> None:
    play(app, "player7", "perfect", "X", "resigned")
    answer = player7.get("/history.csv")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "attachment" in answer.headers["Content-Disposition"]
