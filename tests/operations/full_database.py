"""A database with a bit of everything in it, played through the services and over the pages."""

from random import Random

from flask import Flask
from sqlalchemy import select

from tests.conftest import Browser
from webapp.accounts.models import User
from webapp.accounts.services import sign_up
from webapp.extensions import db
from webapp.games import meeting, services
from webapp.games.queries import game_seen_by
from webapp.tictactoe import LEVELS, Mark

DRAWN, PLAYING, RESIGNED, PEOPLE, OPEN = "drawn-game-1", "playing-game", "resignedgame", "people-game-", "an-open-game"


def fill(app: Flask) -> None:
    """Two users; a drawn, an unfinished and a resigned game against the computer, one between the two, an open one."""
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
        play_each_other(first, second, random)
        meeting.open_game(second, OPEN, "random", "public")


def play_perfectly(user_id: int, public_id: str, random: Random) -> None:
    while not (game := game_seen_by(user_id, public_id)).is_over:
        cell = LEVELS["perfect"].choose(game.position, random).cell
        services.play_move(user_id, public_id, cell, len(game.moves), random)


def play_each_other(first: int, second: int, random: Random) -> None:
    """X X X
    O O .
    . . .
    """
    meeting.open_game(first, PEOPLE, "X", "public")
    meeting.join_game(second, PEOPLE, random)
    for ply, cell in enumerate((0, 3, 1, 4, 2)):
        services.play_move(second if ply % 2 else first, PEOPLE, cell, ply, random)
