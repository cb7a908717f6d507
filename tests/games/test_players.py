"""The players of a game as one person sees them, without a database."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.games.records import ANN, BOB, EVE, game, open_game
from webapp.clock import now
from webapp.games.players import players_of
from webapp.games.states import Status
from webapp.tictactoe import Mark


@pytest.mark.parametrize(
    ("viewer", "my_mark", "is_my_turn", "opponent"),
    [(ANN, "X", False, "bob"), (BOB, "O", True, "ann"), (EVE, None, False, "bob"), (None, None, False, "bob")],
)
def test_each_sees_their_own_seat(viewer: int | None, my_mark: str | None, is_my_turn: bool, opponent: str) -> None:
    players = players_of(game("X.. ... ..."), viewer)
    assert (players.my_mark, players.is_my_turn, players.is_spectator) == (my_mark, is_my_turn, my_mark is None)
    assert players.opponent.title == opponent
    assert players.to_move == players.seat_of(Mark.O)


def test_it_is_nobody_s_turn_before_the_start_and_after_the_end() -> None:
    over = replace(game("X.. ... ..."), status=Status.FINISHED)
    for record in (open_game(), over):
        players = players_of(record, BOB)
        assert players.to_move is None and not players.is_my_turn, record.status
    assert players_of(open_game(), BOB).seats == ()


def test_who_was_seen_a_moment_ago_is_here_and_oneself_always() -> None:
    lately, long_ago = (game(seen_at=now() - span) for span in (timedelta(seconds=1), timedelta(hours=1)))
    assert [seat.is_here for seat in players_of(lately, EVE).seats] == [True, True]
    assert [seat.is_here for seat in players_of(long_ago, EVE).seats] == [False, False]
    assert [seat.is_here for seat in players_of(long_ago, ANN).seats] == [True, False]


def test_the_computer_a_guest_and_a_deleted_player_have_titles_but_no_page() -> None:
    computer = players_of(game(level="perfect"), ANN).opponent
    assert (computer.kind, computer.title, computer.name) == ("computer", "Perfect", None)
    record = game()
    guest = replace(record, holders={mark: replace(one, name=None) for mark, one in record.holders.items()})
    assert [(seat.title, seat.name) for seat in players_of(guest, ANN).seats] == [("You", None), ("a guest", None)]
    gone = replace(record, holders={mark: replace(one, is_deleted=True) for mark, one in record.holders.items()})
    assert {(seat.title, seat.name, seat.is_here) for seat in players_of(gone, EVE).seats} == {
        ("deleted player", None, False)
    }
