"""When the server decides a game that nobody finishes, and how, without a database."""

from datetime import timedelta

import pytest

from tests.conftest import SetClock
from tests.games.records import EMPTY, game, open_game
from webapp.games.changes import End
from webapp.games.deadlines import decided, next_deadline
from webapp.games.states import EndReason, Status
from webapp.tictactoe import Mark


@pytest.mark.usefixtures("settings_alone")
def test_the_time_to_wait_depends_on_how_far_the_game_is(set_clock: SetClock) -> None:
    for plies, hours in {None: 24, 0: 24, 1: 72, 5: 72}.items():
        assert next_deadline(plies) == set_clock() + timedelta(hours=hours), plies


def test_an_open_game_is_withdrawn_and_one_that_has_not_begun_is_cancelled() -> None:
    assert decided(open_game()) == End(EndReason.NOBODY, status=Status.WITHDRAWN)
    for board in (EMPTY, "X.. ... ..."):
        assert decided(game(board)) == End(EndReason.NO_MOVE, status=Status.ABORTED), board


def test_a_game_that_has_begun_is_lost_by_whose_turn_it_is() -> None:
    assert decided(game("X.. .O. ...")) == End(EndReason.ABANDONED, Mark.O)
    assert decided(game("X.. .O. ..X")) == End(EndReason.ABANDONED, Mark.X)
