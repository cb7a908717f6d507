"""Somebody deletes their account while, at the same moment, others sit down with them, or they themselves do."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from random import Random

import pytest
from flask import Flask

from tests.factories import make_user
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from webapp.errors import Refusal
from webapp.games import meeting, services
from webapp.games.services import new_public_id
from webapp.games.states import Visibility, WishedMark
from webapp.lobby.services import play_now
from webapp.operations.invariants import check
from webapp.privacy.services import delete_account
from webapp.tictactoe import Mark

ROUNDS = 10
Action = Callable[[], object]
Scene = Callable[[int, int], list[Action]]

random = Random(1)
names = (f"player-{number}" for number in count())


def open_game(user_id: int, **fields: int) -> str:
    return meeting.open_game(user_id, new_public_id(), WishedMark.X, Visibility.PUBLIC, **fields)


def begun_game(leaver: int, other: int) -> str:
    """The leaver has X and can win with cell 2.
    X X .
    O O .
    . . .
    """
    game = open_game(leaver)
    meeting.join_game(other, game, random)
    for ply, cell in enumerate((0, 3, 1, 4)):
        services.play_move((leaver, other)[ply % 2], game, cell, ply, random)
    return game


def joining(leaver: int, other: int) -> list[Action]:
    return [partial(meeting.join_game, other, open_game(leaver), random)]


def playing_now(leaver: int, other: int) -> list[Action]:
    open_game(leaver)
    return [partial(play_now, other, random, new_public_id())]


def joining_oneself(leaver: int, other: int) -> list[Action]:
    return [partial(meeting.join_game, leaver, open_game(other), random)]


def challenging(leaver: int, other: int) -> list[Action]:
    return [partial(open_game, other, challenged_id=leaver)]


def opening(leaver: int, other: int) -> list[Action]:
    return [partial(open_game, leaver), partial(open_game, leaver, challenged_id=other)]


def asking_for_a_rematch(leaver: int, other: int) -> list[Action]:
    game = begun_game(leaver, other)
    services.resign(other, game)
    return [partial(meeting.rematch, player, game, random, new_public_id()) for player in (leaver, other)]


def playing_the_last_move(leaver: int, other: int) -> list[Action]:
    return [partial(services.play_move, leaver, begun_game(leaver, other), 2, 4, random)]


def starting_against_the_computer(leaver: int, other: int) -> list[Action]:
    return [partial(services.start_against_computer, leaver, "casual", Mark.X, 4, random, new_public_id())]


def ending_games_against_the_computer(leaver: int, other: int) -> list[Action]:
    start = partial(services.start_against_computer, leaver, "casual", Mark.X, 4, random)
    return [partial(services.resign, leaver, start(new_public_id())) for _ in range(3)]


def deleting_as_well(leaver: int, other: int) -> list[Action]:
    begun_game(leaver, other)
    return [partial(delete_account, other), partial(delete_account, leaver)]


SCENES: list[Scene] = [
    joining, playing_now, joining_oneself, challenging, opening, asking_for_a_rematch, playing_the_last_move,
    starting_against_the_computer, ending_games_against_the_computer, deleting_as_well,
]  # fmt: skip


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_nobody_sits_or_counts_against_who_is_deleted(app: Flask, scene: Scene) -> None:
    def within(action: Action) -> None:
        with app.app_context(), suppress(Refusal):
            action()

    for _ in range(ROUNDS):
        leaver, other = make_user(app, next(names)), make_user(app, next(names))
        with app.app_context():
            actions = [partial(delete_account, leaver), *scene(leaver, other)]
        all_at_once([partial(within, action) for action in actions])
    assert check(app.config["SQLALCHEMY_DATABASE_URI"]) == []
    deleted = {user["id"] for user in rows_of(app, "user") if user["deleted_at"]}
    assert len(deleted) >= ROUNDS
    computers = {seat["game_id"] for seat in rows_of(app, "seat") if seat["level"]}
    assert not [seat for seat in rows_of(app, "seat") if seat["game_id"] in computers and seat["user_id"] in deleted]
