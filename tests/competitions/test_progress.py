"""A competition among people from its start to its end: rounds, absent players, people who leave, what is due."""

import threading
import time
from datetime import timedelta
from random import Random

import pytest
from flask import Flask

from tests.competitions.contests import Contest
from tests.conftest import SetClock, sqlite_only
from tests.tables import rows_of
from webapp.accounts.presence import note
from webapp.competitions import progress, queries, services
from webapp.competitions.progress import settle_competitions
from webapp.competitions.records import CompetitionRecord, WholeCompetition
from webapp.competitions.refusals import TooLate
from webapp.competitions.rounds import TooFew
from webapp.competitions.standings import standings
from webapp.competitions.states import Fault, Format, PairingState, Score, State
from webapp.games import agreements
from webapp.games.queries import game_seen_by
from webapp.games.refusals import CannotNow
from webapp.games.services import play_move, resign
from webapp.games.states import Status
from webapp.operations.invariants import check
from webapp.privacy.services import delete_account


def is_sound(app: Flask) -> bool:
    return check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_a_small_field_plays_all_against_all(app: Flask) -> None:
    contest = Contest(app, 4, rounds=3)
    contest.start()
    for number in (1, 2, 3):
        assert contest.now().about.round == number
        assert len(contest.left()) == 2
        contest.play_round()
    whole = contest.now()
    assert (whole.about.state, whole.about.format, whole.about.rounds) == (State.ENDED, Format.ROUND_ROBIN, 3)
    table = standings([entry.id for entry in whole.entries], whole.played, whole.about.format)
    assert [contest.user(one.entry) for one in table] == contest.users
    assert [one.points for one in table] == [6, 4, 2, 0]
    assert is_sound(app)


def test_a_large_one_plays_the_swiss_system_with_fair_byes(app: Flask) -> None:
    contest = Contest(app, 7, rounds=3)
    contest.start()
    for _ in range(3):
        contest.play_round()
    whole = contest.now()
    assert (whole.about.state, whole.about.format) == (State.ENDED, Format.SWISS)
    byes = [pairing.x_entry_id for pairing in whole.pairings if pairing.score is Score.BYE]
    assert len(byes) == len(set(byes)) == 3
    met = [frozenset(pair) for pair in contest.players(one for one in whole.pairings if one.o_entry_id)]
    assert len(met) == len(set(met)) == 9
    assert is_sound(app)


def test_the_round_ends_with_its_last_game_and_the_next_begins_at_once(app: Flask) -> None:
    contest = Contest(app, 4)
    contest.start()
    contest.play_round()
    waiting = [row["to_move_id"] for row in rows_of(app, "game") if row["status"] == Status.PLAYING]
    assert len(waiting) == 2 and contest.row().round == 2


@sqlite_only
def test_one_thread_takes_the_steps_and_looks_again_for_those_who_came_meanwhile(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on, looked = threading.Event(), []

    def take_steps(competition_id: int) -> None:
        looked.append(competition_id)
        assert may_go_on.wait(30)

    monkeypatch.setattr(progress, "_take_steps", take_steps)
    first = threading.Thread(target=progress.go_on, args=[1])
    first.start()
    while not looked:
        time.sleep(0.001)
    for _ in range(3):
        progress.go_on(1)  # comes back at once
    assert looked == [1]
    may_go_on.set()
    first.join(30)
    assert looked == [1, 1] and not progress._asked_again
    monkeypatch.setattr(progress, "_take_steps", lambda _: 1 / 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            progress.go_on(1)


def test_one_player_is_too_few(app: Flask) -> None:
    contest = Contest(app, 1)
    with pytest.raises(TooFew):
        contest.start()
    assert contest.row().state is State.ENTERING


def test_it_starts_at_its_time_when_somebody_looks(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, 2, starts_at=set_clock() + timedelta(minutes=5))
    with app.app_context():
        settle_competitions()
    assert contest.row().state is State.ENTERING
    set_clock.pass_time(minutes=6)
    with app.app_context():
        settle_competitions()
    assert contest.row().state is State.PLAYING


def test_who_does_not_come_loses_and_both_do_if_neither_comes(app: Flask, set_clock: SetClock) -> None:
    """In the first game X never moves, and O waits; in the second nobody is there; in the third O never answers."""
    contest = Contest(app, 6, rounds=1, ends_at=set_clock() + timedelta(hours=1))
    contest.start()
    first, second, third = contest.left()
    [(_, waits), _, (moves, _)] = contest.players([first, second, third])
    with app.app_context():
        set_clock.pass_time(minutes=1)
        note([waits], by_stream=False)
        play_move(moves, third.game or "", 4, 0, Random(1))
    set_clock.pass_time(minutes=10)
    over = {one.id: one for one in contest.now().pairings}
    assert [over[one.id].score for one in (first, second, third)] == [Score.O, Score.BOTH_LOST, Score.X]
    assert {(one.state, one.fault) for one in over.values()} == {(PairingState.FORFEITED, Fault.ABSENT)}
    assert contest.row().state is State.ENDED
    assert rows_of(app, "tally") == []
    assert is_sound(app)


def test_who_leaves_a_game_lying_loses_it_at_the_end_of_the_round(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, 2, rounds=1)
    contest.start()
    [pairing] = contest.left()
    [(x, o)] = contest.players([pairing])
    with app.app_context():
        play_move(x, pairing.game or "", 4, 0, Random(1))
        play_move(o, pairing.game or "", 0, 1, Random(1))
        play_move(x, pairing.game or "", 1, 2, Random(1))
    set_clock.pass_time(minutes=11)
    [pairing] = contest.now().pairings
    assert (pairing.state, pairing.score) == (PairingState.FINISHED, Score.X)
    assert is_sound(app)


def test_the_end_is_fixed_however_many_rounds_are_left(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, 4, ends_at=set_clock() + timedelta(minutes=15))
    contest.start()
    set_clock.pass_time(minutes=11)
    assert (contest.now().about.round, contest.row().round_ends_at) == (2, contest.row().ends_at)
    set_clock.pass_time(minutes=5)
    assert contest.now().about.state is State.ENDED
    assert {one.round for one in contest.now().pairings} == {1, 2}


def test_a_withdrawal_goes_on_when_the_opponent_ends_the_game_at_this_moment(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = Contest(app, 2, rounds=2)
    contest.start()
    [pairing] = contest.left()
    gone, other = contest.users

    def whole(about: CompetitionRecord) -> WholeCompetition:
        found = queries.whole(about)
        resign(other, pairing.game or "")
        return found

    monkeypatch.setattr(services, "whole", whole)
    with app.app_context():
        services.withdraw(contest.about(gone), gone)
    assert contest.row().state is State.ENDED and contest.now().pairings[0].state is PairingState.FINISHED
    assert is_sound(app)


def test_who_withdraws_loses_the_game_and_is_paired_no_more(app: Flask) -> None:
    contest = Contest(app, 5, rounds=3)
    contest.start()
    gone = contest.users[0]
    with app.app_context():
        services.withdraw(contest.about(gone), gone)
    for _ in range(3):
        contest.play_round()
    whole = contest.now()
    entry = whole.entry_of(gone)
    later = [one for one in whole.pairings if one.round > 1]
    assert entry and not any(entry.id in (one.x_entry_id, one.o_entry_id) for one in later)
    assert whole.about.state is State.ENDED and is_sound(app)


def test_where_all_play_all_the_others_get_the_point(app: Flask) -> None:
    contest = Contest(app, 4, rounds=3)
    contest.start()
    gone = contest.users[0]
    with app.app_context():
        services.withdraw(contest.about(gone), gone)
    for _ in range(3):
        contest.play_round()
    whole = contest.now()
    entry = whole.entry_of(gone)
    assert entry
    lost = [one for one in whole.pairings if entry.id in (one.x_entry_id, one.o_entry_id) and one.round > 1]
    assert [(one.state, one.fault) for one in lost] == [(PairingState.FORFEITED, Fault.WITHDREW)] * 2
    table = standings([one.id for one in whole.entries], whole.played, whole.about.format)
    assert (table[-1].entry, table[-1].points) == (entry.id, 0)


def test_a_deleted_player_is_seated_against_nobody(app: Flask) -> None:
    contest = Contest(app, 5, rounds=3)
    contest.start()
    with app.app_context():
        delete_account(contest.users[1])
    for _ in range(3):
        contest.play_round()
    whole = contest.now()
    assert whole.about.state is State.ENDED
    assert [entry.title for entry in whole.entries if entry.is_deleted] == ["deleted player"]
    assert is_sound(app)


def test_with_one_player_left_it_is_over(app: Flask) -> None:
    contest = Contest(app, 3, rounds=2)
    contest.start()
    with app.app_context():
        for user_id in contest.users[:2]:
            services.withdraw(contest.about(user_id), user_id)
    assert contest.now().about.state is State.ENDED


def test_the_last_move_of_a_round_is_made_though_the_next_one_cannot_be_paired(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    contest = Contest(app, 2, rounds=1)
    contest.start()
    with app.app_context(), services.writing() as connection:
        connection.exec_driver_sql("UPDATE competition SET rounds = 9")  # two players meet once
    contest.play_round()
    assert [record.name for record in caplog.records if record.exc_info] == ["noughts.competitions"]
    assert contest.row().state is State.PLAYING and contest.left() == []


def test_ended_by_a_press_games_in_play_count_for_nobody(app: Flask) -> None:
    contest = Contest(app, 4)
    contest.start()
    first, _ = contest.left()
    with app.app_context():
        resign(contest.players([first])[0][0], first.game or "")
        services.end(contest.about())
        services.end(contest.about())
    whole = contest.now()
    assert whole.about.state is State.ENDED
    assert [one.state for one in whole.pairings] == [PairingState.FINISHED, PairingState.CANCELLED]
    assert {row["result"] for row in rows_of(app, "seat")} == {"won", "lost", "void"}
    assert is_sound(app)


def test_one_that_never_started_is_cancelled(app: Flask) -> None:
    contest = Contest(app, 2)
    with app.app_context():
        services.end(contest.about())
        with pytest.raises(TooLate):
            services.start(contest.about())
    assert contest.row().state is State.CANCELLED


def test_the_server_stopped_before_the_games_were_cancelled(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = Contest(app, 2)
    contest.start()
    with app.app_context(), monkeypatch.context() as patch:
        patch.setattr(services, "cancel_games", lambda about: None)
        services.end(contest.about())
    assert [one.state for one in contest.now().pairings] == [PairingState.CANCELLED]


def test_nobody_enters_or_comes_back_after_the_start(app: Flask) -> None:
    contest = Contest(app, 3)
    contest.start()
    with app.app_context():
        services.withdraw(contest.about(contest.users[0]), contest.users[0])
        with pytest.raises(TooLate):
            services.enter(contest.about(contest.users[0]), contest.users[0])


def test_who_withdrew_before_the_start_may_come_back(app: Flask) -> None:
    contest = Contest(app, 2)
    user_id = contest.users[0]
    with app.app_context():
        services.withdraw(contest.about(user_id), user_id)
        assert len(contest.now().active) == 1
        services.enter(contest.about(user_id), user_id)
        services.enter(contest.about(user_id), user_id)
    assert len(contest.now().active) == len(rows_of(app, "competition_entry")) == 2


def test_its_games_cannot_be_cancelled(app: Flask) -> None:
    contest = Contest(app, 2)
    contest.start()
    [pairing] = contest.left()
    [(x, _)] = contest.players([pairing])
    with app.app_context():
        assert game_seen_by(x, pairing.game or "").arranged
        with pytest.raises(CannotNow):
            agreements.abort(x, pairing.game or "")


def test_the_check_tells_when_a_result_was_changed(app: Flask) -> None:
    contest = Contest(app, 2, rounds=1)
    contest.start()
    contest.play_round()
    assert is_sound(app)
    with app.app_context(), services.writing() as connection:
        connection.exec_driver_sql("UPDATE competition_game SET score = 'drawn'")
    assert {broken.promise for broken in check(str(app.config["SQLALCHEMY_DATABASE_URI"]))} == {"I32"}
