"""Who may cancel a game and who may claim it, told from boards alone."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.conftest import SetClock
from tests.games.records import EMPTY, game
from webapp.games.agreements import can_abort, can_claim
from webapp.games.game_record import GameRecord
from webapp.tictactoe import Mark

pytestmark = pytest.mark.usefixtures("settings_alone")
ONE_MOVE = "X.. ... ..."
TWO_MOVES = "X.. .O. ..."
THREE_MOVES = "X.. .O. ..X"


def stood(
    board: str, clock: SetClock, seen: int, turn: int, by_stream: bool = True, level: str | None = None
) -> GameRecord:
    """Both were last seen so many seconds ago, and the turn began so many seconds ago."""
    ago = lambda seconds: clock() - timedelta(seconds=seconds)  # noqa: E731
    made = game(board, level, seen_at=ago(seen), turn_began_at=ago(turn))
    holders = {mark: replace(holder, by_stream=by_stream) for mark, holder in made.holders.items()}
    return replace(made, holders=holders)


@pytest.mark.parametrize("board", [EMPTY, ONE_MOVE])
def test_until_both_have_moved_a_game_can_be_cancelled_and_never_claimed(board: str, set_clock: SetClock) -> None:
    stale = stood(board, set_clock, seen=9999, turn=9999)
    assert can_abort(stale)
    assert not any(can_claim(stale, mark) for mark in Mark)


@pytest.mark.parametrize("board", [TWO_MOVES, THREE_MOVES])
def test_once_both_have_moved_a_game_is_claimed_from_who_left_on_their_turn(board: str, set_clock: SetClock) -> None:
    stale = stood(board, set_clock, seen=91, turn=91)
    assert not can_abort(stale)
    assert not can_claim(stale, stale.position.to_move)
    assert can_claim(stale, stale.position.to_move.other)


@pytest.mark.parametrize(
    ("seen", "turn", "may_claim"),
    [
        (9999, 1, False),  # they were away while the other thought, and the other has just moved
        (9999, 90, False),
        (9999, 91, True),
        (1, 9999, False),  # they think, and are here
        (90, 9999, False),
        (91, 9999, True),
    ],
)
def test_an_absence_counts_from_the_start_of_the_turn(
    seen: int, turn: int, may_claim: bool, set_clock: SetClock
) -> None:
    assert can_claim(stood(THREE_MOVES, set_clock, seen, turn), Mark.X) == may_claim


@pytest.mark.parametrize(("seconds", "may_claim"), [(91, False), (300, False), (301, True)])
def test_who_runs_no_scripts_gets_the_time_to_think(seconds: int, may_claim: bool, set_clock: SetClock) -> None:
    assert can_claim(stood(THREE_MOVES, set_clock, seconds, seconds, by_stream=False), Mark.X) == may_claim


def test_against_the_computer_nothing_is_cancelled_or_claimed(set_clock: SetClock) -> None:
    for board in (EMPTY, ONE_MOVE, THREE_MOVES):
        against = stood(board, set_clock, seen=9999, turn=9999, level="casual")
        assert not can_abort(against) and not can_claim(against, Mark.X)
