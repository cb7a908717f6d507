"""A move, sent by a form: what is played, what is refused and with which words."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select

from tests.conftest import Browser
from webapp.extensions import db
from webapp.games.models import Game, Move


def stored_moves(app: Flask, address: str) -> list[int]:
    with app.app_context():
        of_game = select(Move.cell).join(Game).where(Game.public_id == address.rsplit("/", 1)[-1]).order_by(Move.ply)
        return list(db.session.scalars(of_game))


def move(client: Browser, address: str, **fields: object) -> int:
    return client.send(f"{address}/moves", **fields).status_code


def test_the_move_and_its_answer_are_stored_together(app: Flask, client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    assert stored_moves(app, address) == [0, 4]
    assert move(client, address, cell=8, ply=2) == 303
    assert len(stored_moves(app, address)) == 4


def test_the_same_post_twice_is_one_move(app: Flask, client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    assert move(client, address, cell=8, ply=2) == 303
    after_once = stored_moves(app, address)
    assert move(client, address, cell=8, ply=2) == 303
    assert stored_moves(app, address) == after_once


def test_another_cell_for_a_ply_that_was_played_shows_the_present_board(app: Flask, client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    assert move(client, address, cell=8, ply=2) == 303
    answer = client.send(f"{address}/moves", cell=6, ply=2)
    assert answer.status_code == 409
    assert "older board" in answer.text and 'name="ply" value="4"' in answer.text
    assert len(stored_moves(app, address)) == 4


def test_a_taken_cell_is_refused_on_the_present_board(client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    answer = client.send(f"{address}/moves", cell=4, ply=2)
    assert answer.status_code == 409
    assert "That cell is taken" in answer.text


def test_a_repeat_of_the_computers_own_move_is_not_taken_for_mine(client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    assert move(client, address, cell=4, ply=1) == 409


@pytest.mark.parametrize("cell", ["-1", "9", "1.5", "true", "", "0 ", "1e9", str(2**70), "٣", "0\n"])
def test_a_cell_that_no_page_sends_is_refused(app: Flask, client: Browser, cell: str) -> None:
    address = client.start(cell=0, level="perfect")
    assert move(client, address, cell=cell, ply=2) == 400
    assert stored_moves(app, address) == [0, 4]


def test_two_cells_at_once_are_refused(client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    assert move(client, address, cell=["1", "2"], ply=2) == 400


def test_a_first_cell_off_the_board_leaves_no_trace(app: Flask, client: Browser) -> None:
    assert client.send("/games", cell=9).status_code == 400
    with app.app_context():
        assert db.session.scalars(select(Game)).all() == []


def test_nobody_else_moves_in_my_game(app: Flask, client: Browser, browser_of: Callable[[], Browser]) -> None:
    address = client.start(cell=0, level="perfect")
    stranger = browser_of()
    assert move(stranger, address, cell=8, ply=2) == 303  # sent to log in
    stranger.sign_up("stranger")
    for verb in ("moves", "resign", "rematch"):
        assert stranger.send(f"{address}/{verb}", cell=8, ply=2).status_code == 404
    assert stored_moves(app, address) == [0, 4]


def test_after_the_end_a_move_is_refused_with_the_result_in_sight(client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    client.send(f"{address}/resign")
    answer = client.send(f"{address}/moves", cell=8, ply=2)
    assert answer.status_code == 409
    assert "This game is over" in answer.text


def test_resigning_twice_is_resigning_once(client: Browser) -> None:
    address = client.start(cell=0, level="perfect")
    assert client.send(f"{address}/resign").status_code == 303
    assert client.send(f"{address}/resign").status_code == 303
    assert "1 lost" in client.get(address).text


def test_two_clicks_on_one_page_begin_one_game(client: Browser) -> None:
    client.sign_up()
    chosen = re.search(r'name="public_id" value="([^"]+)"', client.get("/").text)
    assert chosen
    first, second, third = (client.start(cell=cell, public_id=chosen[1]) for cell in (0, 0, 1))
    assert first == second != third


def test_play_again_swaps_the_marks_and_keeps_the_level(client: Browser) -> None:
    address = client.start(cell=0, level="casual")
    client.send(f"{address}/resign")
    again = client.send(f"{address}/rematch").location
    page = client.get(again).text
    assert "You are <b class=\"pen-o\">O</b>" in page and "Casual" in page
    assert 'name="ply" value="1"' in page


def test_play_again_waits_for_the_end(client: Browser) -> None:
    assert client.send(f"{client.start(cell=0)}/rematch").status_code == 400


def test_the_computer_begins_when_asked_to(app: Flask, client: Browser) -> None:
    address = client.start(mark="O", level="perfect")
    assert len(stored_moves(app, address)) == 1
    assert "Your turn" in client.get(address).text


def test_the_unfinished_game_is_offered_on_the_home_page(client: Browser) -> None:
    address = client.start(cell=0, level="casual")
    assert f'href="{address}"' in client.get("/").text
    client.send(f"{address}/resign")
    assert f'href="{address}"' not in client.get("/").text


@pytest.mark.parametrize(
    "wrong", [{"level": "grandmaster"}, {"mark": "Z"}, {"mark": "O", "cell": 9}]
)
def test_a_start_that_no_page_sends_is_refused(client: Browser, wrong: dict[str, object]) -> None:
    assert client.send("/games", **wrong).status_code == 400
