"""A database with a bit of everything in it, played through the services and over the pages."""

from random import Random
from typing import Any

from flask import Flask
from sqlalchemy import insert, select

from tests.conftest import Browser
from webapp.accounts.models import User
from webapp.accounts.services import sign_up
from webapp.clock import now
from webapp.extensions import db
from webapp.games import services
from webapp.games.models import Game, Move, Seat, Tally
from webapp.games.queries import game_seen_by
from webapp.tictactoe import LEVELS, Mark

DRAWN, PLAYING, RESIGNED, PEOPLE = "drawn-game-1", "playing-game", "resignedgame", "people-game-"


def fill(app: Flask) -> None:
    """Two users; a drawn, an unfinished and a resigned game against the computer, and one between the two."""
    browser: Browser = app.test_client()  # type: ignore[assignment]
    browser.sign_up("player7")
    with app.app_context():
        sign_up("player8", "correct horse")
        first, second = db.session.scalars(select(User.id).order_by(User.id))
        random = Random(1)
        services.start_against_computer(first, "beginner", Mark.X, 4, random, PLAYING)
        services.start_against_computer(first, "casual", Mark.O, None, random, RESIGNED)
        services.resign(first, RESIGNED)
        services.start_against_computer(first, "perfect", Mark.X, 0, random, DRAWN)
        play_perfectly(first, DRAWN, random)
        add_game_of_people(first, second)


def play_perfectly(user_id: int, public_id: str, random: Random) -> None:
    while not (game := game_seen_by(user_id, public_id)).is_over:
        cell = LEVELS["perfect"].choose(game.position, random).cell
        services.play_move(user_id, public_id, cell, len(game.moves), random)


def add_game_of_people(first: int, second: int) -> None:
    """X X X
    O O .
    . . .   by hand, until two people can meet.
    """
    moment = now()
    values = {"public_id": PEOPLE, "status": "finished", "winner": "X", "reason": "line", "visibility": "public"}
    game_id = db.session.scalar(insert(Game).values(values | {"ended_at": moment, "version": 5}).returning(Game.id))
    seats: list[dict[str, Any]] = [
        {"game_id": game_id, "mark": "X", "user_id": first, "result": "won"},
        {"game_id": game_id, "mark": "O", "user_id": second, "result": "lost"},
    ]
    made = {"game_id": game_id, "made_at": moment}
    moves = [made | {"ply": ply, "cell": cell} for ply, cell in enumerate((0, 3, 1, 4, 2))]
    tallies = [
        {"user_id": first, "opponent_id": second, "mark": "X", "won": 1, "lost": 0},
        {"user_id": second, "opponent_id": first, "mark": "O", "won": 0, "lost": 1},
    ]
    for table, rows in ((Seat, seats), (Move, moves), (Tally, tallies)):
        db.session.execute(insert(table), rows)
    db.session.commit()
