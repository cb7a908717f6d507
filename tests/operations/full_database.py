"""A database with a bit of everything in it, played through the services and over the pages."""

from random import Random

from flask import Flask
from sqlalchemy import insert, select

from tests.agents.programs import make_program
from tests.classrooms.rooms import Room
from tests.competitions.contests import Contest
from tests.conftest import Browser
from tests.factories import account_opened, enrolled
from tests.two_players import begin_game
from webapp.accounts.models import User
from webapp.accounts.services import sign_up
from webapp.classrooms.set_up import new_set_up_token
from webapp.clock import now
from webapp.database import writing
from webapp.extensions import db
from webapp.games import meeting, services
from webapp.games.queries import game_seen_by
from webapp.games.states import Visibility, WishedMark
from webapp.games.take_back import take_back
from webapp.operations.models import DailyBackup
from webapp.single_sign_on.identity import Identity
from webapp.single_sign_on.services import join_to
from webapp.tictactoe import LEVELS, Mark
from webapp.trials.services import keep_check, tests_of

DRAWN, PLAYING, RESIGNED, PEOPLE, OPEN = "drawn-game-1", "playing-game", "resignedgame", "people-game-", "an-open-game"
COACHED = "coached-game"


def fill(app: Flask) -> None:
    """Two users; a drawn, an unfinished and a resigned game against the computer, one with the coach, in which moves
    were taken back, one between the two, an open one.
    """
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
        play_with_coach(first, random)
        play_each_other(first, second, random)
        meeting.open_game(second, OPEN, WishedMark.RANDOM, Visibility.PUBLIC)


def play_perfectly(user_id: int, public_id: str, random: Random) -> None:
    while not (game := game_seen_by(user_id, public_id)).is_over:
        cell = LEVELS["perfect"].choose(game.position, random).cell
        services.play_move(user_id, public_id, cell, len(game.moves), random)


def play_with_coach(user_id: int, random: Random) -> None:
    """Two moves are taken back, and two more after another one; then X has the top right and the bottom left."""
    services.start_against_computer(user_id, "perfect", Mark.X, 0, random, COACHED, coached=True)
    services.play_move(user_id, COACHED, 1, 2, random)
    for cell in (None, None, 2, 6):
        game = game_seen_by(user_id, COACHED)
        if cell is None:
            take_back(user_id, COACHED, game.version)
        else:
            services.play_move(user_id, COACHED, cell, len(game.moves), random, version=game.version)
    services.resign(user_id, COACHED)


def play_each_other(first: int, second: int, random: Random) -> None:
    """X X X
    O O .
    . . .
    """
    meeting.open_game(first, PEOPLE, WishedMark.X, Visibility.PUBLIC)
    meeting.join_game(second, PEOPLE, random)
    for ply, cell in enumerate((0, 3, 1, 4, 2)):
        services.play_move(second if ply % 2 else first, PEOPLE, cell, ply, random)


def fill_every_table(app: Flask) -> None:
    """All that, and a class with a lesson, a question and codes; practice, a check, an agent, a competition; somebody
    from the school, and the backup of a day.
    """
    fill(app)
    room = Room(app)
    ann, bob = enrolled(app, room.public_id, "ann"), enrolled(app, room.public_id, "bob")
    room.add("O'Brien, Zoë\n")
    room.browser.send(f"{room.path}/lesson")
    assert room.browser.send(f"{room.path}/question", position="XX..O....", to_move="O").status_code == 303
    assert ann.send(f"{room.path}/question/1/answer", cell=2).status_code == 303
    assert ann.get(begin_game(ann, bob, 0, 3, 1, 4, 2)).status_code == 200
    assert ann.send("/practice?kind=move&position=XX..O....&to_move=O", tries=0, cell=3).status_code == 303
    assert room.browser.send(f"{room.path}/log-in-codes").status_code == 200
    make_program(app).start()
    Contest(app, 3).start()
    with app.app_context():
        new_set_up_token()
        keep_check(room.id_of("ann"), "tictactoe", len(tests_of("tictactoe")), "", "")
        join_to(Identity("https://login.school.example", "1234"), account_opened(room.id_of("ann")))
        with writing() as connection:
            moment = now()
            made = {"day": moment.date(), "claimed_at": moment, "finished_at": moment, "file": "noughts.db"}
            connection.execute(insert(DailyBackup).values(made))
