"""Games that the server begins with both seats taken: their opening is nobody's, and they cannot be cancelled."""

from datetime import timedelta
from random import Random

import pytest
from flask import Flask

from tests.conftest import SetClock
from tests.factories import make_user
from tests.games.records import ANN, BOB, game
from tests.tables import rows_of
from webapp.accounts.locking import lock_users
from webapp.clock import now
from webapp.database import writing
from webapp.games import agreements, services
from webapp.games.actions import Actions
from webapp.games.arranging import arranged, begin
from webapp.games.deadlines import settle_due
from webapp.games.queries import game_seen_by
from webapp.games.refusals import CannotNow
from webapp.games.review import review_of
from webapp.games.states import Visibility
from webapp.operations.invariants import check
from webapp.tictactoe import Mark


def arrange(x: int, o: int | str, *opening: int) -> str:
    due_at = now() + timedelta(minutes=10)
    one = arranged({Mark.X: x, Mark.O: o}, Visibility.PRIVATE, due_at, Random(1), opening)
    with writing() as connection:
        lock_users(connection, {holder for holder in (x, o) if isinstance(holder, int)})
        begin(connection, one)
    return one.public_id


def play(public_id: str, players: tuple[int, int], *cells: int) -> None:
    for cell in cells:
        ply = len(game_seen_by(players[0], public_id).moves)
        services.play_move(players[ply % 2], public_id, cell, ply, Random(1))


def test_an_opening_counts_in_nobodys_accuracy(app: Flask) -> None:
    """X takes a corner and O an edge, which loses; from there both play well enough."""
    ann, bob = make_user(app, "ann"), make_user(app, "bob")
    with app.app_context():
        public_id = arrange(ann, bob, 0, 1)
        play(public_id, (ann, bob), 4, 8, 3, 5, 6)
        review = review_of(game_seen_by(ann, public_id))
        assert review and review.judged_at(1) is None and review.judged_at(2)
    assert all(row["ply"] > 1 for row in rows_of(app, "mistake"))
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_the_check_tells_when_an_opening_is_counted(app: Flask) -> None:
    ann, bob = make_user(app, "ann"), make_user(app, "bob")
    with app.app_context():
        play(arrange(ann, bob, 0, 1), (ann, bob), 4, 8, 3, 5, 6)
        with writing() as connection:
            connection.exec_driver_sql("UPDATE game SET opening_plies = 0")
    assert {broken.promise for broken in check(str(app.config["SQLALCHEMY_DATABASE_URI"]))} == {"I32"}


def test_the_computer_moves_first_where_it_is_its_turn(app: Flask) -> None:
    ann = make_user(app, "ann")
    with app.app_context():
        assert len(game_seen_by(ann, arrange(ann, "perfect", 4)).moves) == 2
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_its_deadline_stands_whoever_moves(app: Flask, set_clock: SetClock) -> None:
    ann, bob = make_user(app, "ann"), make_user(app, "bob")
    with app.app_context():
        public_id = arrange(ann, bob)
        due_at = game_seen_by(ann, public_id).due_at
        set_clock.pass_time(minutes=5)
        play(public_id, (ann, bob), 0, 4)
        assert game_seen_by(ann, public_id).due_at == due_at
        set_clock.pass_time(minutes=6)
        settle_due()
        assert game_seen_by(ann, public_id).winner == Mark.O
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_it_is_neither_cancelled_nor_played_again() -> None:
    begun, over = game(arranged=True), game("XXX OO. ...", arranged=True, status="finished")
    assert not Actions(begun, ANN).can_abort
    with pytest.raises(CannotNow, match="cannot be cancelled"):
        agreements.decide_abort(begun, BOB)
    assert not Actions(over, ANN).can_rematch


def test_nobody_has_begun_before_both_moved_after_the_opening() -> None:
    assert not game("XO. ... ...", opening_plies=2).has_begun
    assert game("XO. XO. ...", opening_plies=2).has_begun
