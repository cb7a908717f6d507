"""What is decided on a game of two agents as it stands, with its clock: more time, or that it is lost. No database."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.conftest import SetClock
from tests.games.records import ANN, BOB, EVE, game
from webapp.clock import now
from webapp.competitions.agent_clock import MICROSECOND, Clock, decide_overdue
from webapp.competitions.agent_terms import decide_loss
from webapp.competitions.thinking_time import TimeRule
from webapp.games.changes import Change, End
from webapp.games.game_record import GameRecord
from webapp.games.states import EndReason, Status
from webapp.tictactoe import Mark

THIS, OTHER = game().public_id, "lkjihgfedcba"
RULE = TimeRule(bank=10, start=5)


def clock(thinks_for: float, *spent: float, mark: Mark = Mark.X) -> Clock:
    """Of the side whose turn began so many seconds ago."""
    return Clock(1, mark, RULE, spent, now() - timedelta(seconds=thinks_for), None)


def last_seen(ago: float | None) -> GameRecord:
    """Both players."""
    return game(seen_at=None if ago is None else now() - timedelta(seconds=ago), arranged=True)


def decided(change: Change | None) -> tuple[End | None, dict[str, Any]]:
    assert change is not None
    return change.end, dict(change.values)


def test_an_alarm_is_set_again_while_there_is_time(set_clock: SetClock) -> None:
    moment = now()
    for thinks, spent, seconds_left in ((0, (), 15), (15, (), 0), (4, (8, 0), 3), (7, (8, 0), 0), (1, (2, 6.5), 2.5)):
        end, values = decided(decide_overdue(last_seen(0), clock(thinks, *spent), THIS))
        due_at = moment + timedelta(seconds=seconds_left) + MICROSECOND
        assert (end, values) == (None, {"due_at": due_at}), (thinks, spent)


def test_the_time_of_an_agent_that_thinks_about_another_game_begins_anew(set_clock: SetClock) -> None:
    for thinks, job in ((4, OTHER), (400, OTHER), (400, None)):
        end, values = decided(decide_overdue(last_seen(0), clock(thinks, 8, 0), job))
        assert (end, values) == (None, {"due_at": now() + timedelta(seconds=7)}), (thinks, job)


def test_who_has_no_time_left_is_too_slow_if_heard_of_in_this_turn_and_else_gone(set_clock: SetClock) -> None:
    for thinks, ago, mark, reason, words in (
        (40, 0, Mark.X, EndReason.TOO_SLOW, "It used 48.0 seconds."),
        (40, 24, Mark.O, EndReason.TOO_SLOW, "It used 48.0 seconds."),
        (40, 26, Mark.X, EndReason.GONE, "Nothing was heard of it for 40 seconds"),  # only as its turn began
        (40, 400, Mark.O, EndReason.GONE, "Nothing was heard of it for 40 seconds"),
        (7.1, None, Mark.X, EndReason.GONE, "Nothing was heard of it for 7 seconds"),
    ):
        end, values = decided(decide_overdue(last_seen(ago), clock(thinks, 8, 0, mark=mark), THIS))
        assert end == End(reason, mark.other) and values["cause"].startswith(words), (thinks, ago)


def test_the_computer_has_no_job_and_no_other_game_to_think_about(set_clock: SetClock) -> None:
    against_level = replace(game(level="perfect"), arranged=True)
    end, values = decided(decide_overdue(against_level, clock(4, 8, 0, mark=Mark.O), None))
    assert (end, values) == (None, {"due_at": now() + timedelta(seconds=3) + MICROSECOND})


def test_a_fault_loses_the_game_on_whosever_turn_it_comes(set_clock: SetClock) -> None:
    for user, winner in ((ANN, Mark.O), (BOB, Mark.X)):
        for running in (clock(1), clock(1, mark=Mark.O), None):
            change = decide_loss(last_seen(0), user, running, EndReason.EXCEPTION, "KeyError")
            assert decided(change) == (End(EndReason.EXCEPTION, winner), {"cause": "KeyError"}), (user, running)


def test_a_fault_after_the_end_or_of_who_does_not_play_changes_nothing(set_clock: SetClock) -> None:
    over = replace(last_seen(0), status=Status.FINISHED, reason=EndReason.LINE, winner=Mark.X)
    for asked, user in ((over, ANN), (over, BOB), (last_seen(0), EVE)):
        assert decide_loss(asked, user, clock(1), EndReason.ILLEGAL, "cell 9") is None, user
