"""Ends of games: the result, the totals, and that Perfect keeps its promise through the site too."""

from flask import Flask
from sqlalchemy import func, select

from tests.conftest import Browser, Pair
from tests.two_players import begin_game
from webapp.extensions import db
from webapp.games.models import Game, Move, Seat, Tally
from webapp.games.queries import game_seen_by
from webapp.tictactoe import Mark, Position, replay, table_of


def play_to_the_end(app: Flask, client: Browser, address: str, choose: str) -> Position:
    """Play by the table of all positions: its `best` cell or the `first` legal one."""
    public_id = address.rsplit("/", 1)[-1]
    while True:
        with app.app_context():
            of_game = select(Move.cell).join(Game).where(Game.public_id == public_id).order_by(Move.ply)
            cells = list(db.session.scalars(of_game))
        position = replay(cells)
        if position.outcome:
            return position
        cell = table_of(position.board)[position].cells[0] if choose == "best" else position.legal_cells[0]
        assert client.send(f"{address}/moves", cell=cell, ply=len(cells)).status_code == 303


def test_the_best_play_draws_with_perfect(app: Flask, client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    end = play_to_the_end(app, client, address, "best")
    assert end.outcome and end.outcome.is_draw
    page = client.get(address).text
    assert "Drawn" in page and "1 drawn" in page


def test_careless_play_loses_to_perfect_and_the_line_is_named(app: Flask, client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    end = play_to_the_end(app, client, address, "first")
    assert end.outcome and end.outcome.winner == "O"
    assert "Perfect wins" in client.get(address).text


def test_the_totals_equal_a_recount(app: Flask, client: Browser) -> None:
    for number in range(12):
        address = client.start(mark="XO"[number % 2], level=["beginner", "casual", "perfect"][number % 3])
        if number % 5 == 0:
            client.send(f"{address}/resign")
        else:
            play_to_the_end(app, client, address, "best" if number % 2 else "first")
    with app.app_context():
        counted = dict(
            db.session.execute(
                select(Seat.result, func.count()).where(Seat.user_id.is_not(None)).group_by(Seat.result)
            ).all()
        )
        kept = db.session.execute(select(func.sum(Tally.won), func.sum(Tally.lost), func.sum(Tally.drawn))).one()
    assert sum(counted.values()) == 12
    assert tuple(kept) == tuple(counted.get(result, 0) for result in ("won", "lost", "drawn"))


def test_who_won_who_offered_and_who_sat_where_are_read_as_marks(app: Flask, pair: Pair) -> None:
    public_id = begin_game(*pair, 0, 3).rsplit("/", 1)[-1]
    pair[0].send(f"/games/{public_id}/draw", draw="offer")
    pair[1].send(f"/games/{public_id}/resign")
    with app.test_request_context():
        game = game_seen_by(None, public_id)
        assert (game.winner, game.draw_offered_by) == (Mark.X, Mark.X)
        assert type(game.winner) is type(game.draw_offered_by) is Mark
        for column in (Seat.mark, Tally.mark):
            assert {type(mark) for mark in db.session.scalars(select(column))} == {Mark}, column


def test_what_the_search_did_stays_with_its_move(app: Flask, client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    with app.app_context():
        human, computer = db.session.scalars(select(Move).order_by(Move.ply))
    assert (human.nodes, human.microseconds) == (None, None)
    assert computer.nodes and computer.nodes > 1 and computer.microseconds is not None
    assert f"{computer.nodes:,}" in client.get(address).text
    assert "59,705" in client.get(address).text  # what plain minimax needs after X in a corner


def test_a_level_that_does_not_search_shows_no_search(client: Browser) -> None:
    assert "plain minimax" not in client.get(client.start(cell=0, level="beginner")).text
