"""The games of a competition of agents: each is begun once, when both are here, and counted as it was played."""

from collections import Counter
from datetime import timedelta
from typing import Any

from flask import Flask
from sqlalchemy import select, update

from tests.agents.programs import Program, make_program
from tests.competitions.agent_contests import Contest, any_cell, play_on
from tests.conftest import SetClock, sqlite_only
from tests.factories import make_classroom
from tests.tables import all_rows, rows_of
from webapp.accounts.queries import account_named
from webapp.agents.services import revoke_token
from webapp.agents.terms import AgentFault
from webapp.classrooms.enrolling import enrol, take_seats
from webapp.classrooms.models import Classroom
from webapp.classrooms.roles import Role
from webapp.clock import now
from webapp.competitions import services
from webapp.competitions.agent_entries import replace_agent, withdraw_agent
from webapp.competitions.agent_games import _begin, _next_of
from webapp.competitions.agent_terms import lose_by_fault
from webapp.competitions.models import Pairing
from webapp.competitions.settling import end_agents, settle_agents
from webapp.competitions.states import PairingState
from webapp.database import writing
from webapp.games.queries import game_seen_by
from webapp.operations.invariants import check
from webapp.privacy.services import delete_account
from webapp.tictactoe.board import STANDARD


def pairings(app: Flask, **having: Any) -> list[dict[str, Any]]:
    rows = rows_of(app, "competition_game")
    return [row for row in rows if all(row[name] == value for name, value in having.items())]


def between_agents(app: Flask) -> list[dict[str, Any]]:
    references = {row["id"] for row in rows_of(app, "competition_entry") if row["reference"]}
    return [row for row in pairings(app) if not references & {row["x_entry_id"], row["o_entry_id"]}]


def test_the_whole_schedule_is_played_once(app: Flask) -> None:
    contest = Contest(app)
    programs = contest.enter("ada", "bea")
    contest.start()
    planned = pairings(app)
    assert len(planned) == (1 + 2 * 5) * 2
    play_on(programs, any_cell)
    games = rows_of(app, "game")
    assert Counter(row["state"] for row in pairings(app)) == {"finished": len(planned)}
    assert len(games) == len(planned) and {game["status"] for game in games} == {"finished"}
    assert {row["game_id"] for row in pairings(app)} == {game["id"] for game in games}
    assert {game["opening_plies"] for game in games} == {2}
    winners = {game["id"]: game["winner"] or "drawn" for game in games}
    assert all(row["score"] == winners[row["game_id"]] for row in pairings(app))
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


@sqlite_only
def test_the_same_play_meets_the_same_answers(app: Flask) -> None:
    """Two who play alike have the same games against every reference player."""
    contest = Contest(app)
    programs = contest.enter("ada", "bea")
    contest.start()
    play_on(programs, any_cell)
    seats = {(row["game_id"], row["mark"]): row for row in rows_of(app, "seat")}
    cells: dict[int, list[int]] = {}
    for move in sorted(rows_of(app, "move"), key=lambda row: (row["game_id"], row["ply"])):
        cells.setdefault(move["game_id"], []).append(move["cell"])
    met: dict[tuple[str, str], list[list[int]]] = {}
    for (game_id, mark), seat in seats.items():
        if seat["level"]:
            met.setdefault((seat["level"], mark), []).append(cells[game_id])
    assert len(met) == 10 and all(first == second for first, second in met.values())


@sqlite_only
def test_nothing_begins_before_the_start_and_nobody_plays_who_is_away(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, starts_at=now() + timedelta(hours=1))
    ada, bea = contest.enter("ada", "bea")
    assert ada.next()["job"] is None and rows_of(app, "game") == []
    set_clock.pass_time(hours=2)
    play_on([ada])
    assert Counter(row["state"] for row in pairings(app)) == {"finished": 10, "waiting": 12}
    assert {row["state"] for row in between_agents(app)} == {"waiting"}
    play_on([ada, bea])
    assert {row["state"] for row in pairings(app)} == {"finished"}


@sqlite_only
def test_a_start_begins_the_games_of_those_that_wait_already(app: Flask, set_clock: SetClock) -> None:
    """Nobody would look for them until the end of a wait."""
    for how in ("by a press", "by its time"):
        contest = Contest(app, starts_at=now() + timedelta(seconds=5))
        ada, bea, _away = contest.enter(*(f"{name}{how[-5:].strip()}" for name in ("ada", "bea", "cyd")))
        ada.next(), bea.next()
        if how == "by a press":
            with app.app_context():
                services.start(contest.about)
        else:
            set_clock.pass_time(seconds=5)
            app.test_client().get("/competitions")
        playing = pairings(app, competition_id=contest.id, state="playing")
        assert len(playing) == 2 and ada.next()["job"] and bea.next()["job"], how


@sqlite_only
def test_an_agent_plays_no_more_games_at_once_than_its_owner_allows(app: Flask) -> None:
    contest = Contest(app)
    [ada] = contest.enter("ada", at_once=3)
    contest.start()
    ada.next()
    for _ in range(5):
        ada.next()
    assert len(pairings(app, state="playing")) <= 3
    contest.enter("bea", at_once=1)[0].next()
    bea = next(row["id"] for row in rows_of(app, "competition_entry") if row["id"] == 7)
    assert len([row for row in pairings(app, state="playing") if bea in (row["x_entry_id"], row["o_entry_id"])]) == 1


@sqlite_only
def test_a_late_agent_gets_all_its_games(app: Flask) -> None:
    contest = Contest(app)
    [ada] = contest.enter("ada")
    contest.start()
    play_on([ada])
    [bea] = contest.enter("bea")
    assert len(pairings(app, state="waiting")) == 12
    play_on([ada, bea])
    assert {row["state"] for row in pairings(app)} == {"finished"} and len(pairings(app)) == 22


# Faults


def begun(app: Flask, openings: int = 1, **values: Any) -> tuple[Program, Program, dict[str, Any]]:
    """Two agents, and a job of the first against the other."""
    contest = Contest(app, openings, **values)
    ada, bea = contest.enter("ada", "bea", at_once=1)
    ada.next(), bea.next()  # they are here
    contest.start()
    first, second = (ada, bea) if ada.next()["job"] else (bea, ada)
    job = first.job()
    assert [row["state"] for row in between_agents(app)] == ["playing", "waiting"]
    return first, second, job


def fault_of(app: Flask) -> tuple[str, str, str, str]:
    """Of the one game that was lost by one: the fault, its words, and the game's own reason and cause."""
    [row] = [row for row in pairings(app) if row["fault"]]
    [game] = [game for game in rows_of(app, "game") if game["id"] == row["game_id"]]
    assert row["state"] == "forfeited" and row["score"] == game["winner"]
    return row["fault"], row["fault_words"], game["reason"], game["cause"]


def used_by_loser(app: Flask) -> tuple[int, int]:
    """The microseconds of all its moves and of the first, in the one game that was lost by a fault."""
    [row] = [row for row in pairings(app) if row["fault"]]
    loser = "o" if row["score"] == "X" else "x"
    return row[f"{loser}_microseconds"], row[f"{loser}_first"]


def test_an_illegal_move_loses_the_game(app: Flask) -> None:
    first, _, job = begun(app)
    taken = job["moves"][0]
    answer = {"game": job["game"], "ply": job["ply"], "cell": taken}
    refused = first.ask("POST", "/agent/next", {"answer": answer, "wait": 0})
    assert refused.status_code == 400 and "costs this game" in refused.json["error"]
    told = f"it answered cell {taken} ({STANDARD.cell_name(taken)}), but there is an X in it already"
    assert fault_of(app) == ("illegal", told, "illegal", told)
    page = app.test_client().get(f"/games/{job['game']}").text
    assert page.count("opening, made by the site") == 2 and page.count("Made no move.") == 2
    assert "No decisions" not in page
    assert first.game(job["game"])["winner"] != job["mark"]


@sqlite_only
def test_an_error_of_the_program_loses_the_game_with_its_words(app: Flask) -> None:
    first, _, job = begun(app)
    first.ask("POST", f"/games/{job['game']}/resign", {"cause": "KeyError: 4 (line 7 of robot.py)"})
    assert fault_of(app)[::3] == ("exception", "KeyError: 4 (line 7 of robot.py)")


@sqlite_only
def test_a_program_that_its_client_stopped_was_too_slow(app: Flask, set_clock: SetClock) -> None:
    first, _, job = begun(app, bank_seconds=10, start_seconds=5)
    assert job["seconds"] == 15
    set_clock.pass_time(seconds=14)
    first.ask("POST", f"/games/{job['game']}/resign", {"cause": "It thought for longer than 13 seconds."})
    assert fault_of(app)[0] == "too slow"


@sqlite_only
def test_no_seconds_for_the_first_move_are_none_to_the_clock_and_to_its_alarm(app: Flask, set_clock: SetClock) -> None:
    _, _, job = begun(app, bank_seconds=10, start_seconds=0)
    with app.app_context():
        game = game_seen_by(None, job["game"])
    assert (job["seconds"], game.due_at) == (10, game.created_at + timedelta(seconds=10))


@sqlite_only
def test_the_time_of_its_opponent_does_not_make_an_error_slow(app: Flask, set_clock: SetClock) -> None:
    first, _, job = begun(app, bank_seconds=10, start_seconds=5)
    first.next({"game": job["game"], "ply": job["ply"], "cell": job["legal"][0]})
    set_clock.pass_time(seconds=14)
    first.ask("POST", f"/games/{job['game']}/resign", {"cause": "KeyError: 4"})
    assert fault_of(app)[0] == "exception"


@sqlite_only
def test_an_answer_after_its_time_is_not_accepted(app: Flask, set_clock: SetClock) -> None:
    first, _, job = begun(app, bank_seconds=10, start_seconds=5)
    set_clock.pass_time(seconds=15.5)
    answer = {"game": job["game"], "ply": job["ply"], "cell": job["legal"][0]}
    assert first.next(answer)["accepted"] is False
    fault, words, *_ = fault_of(app)
    assert fault == "too slow" and words.startswith("It used 15.5 seconds.")
    assert "ran out of time" in app.test_client().get(f"/games/{job['game']}").text  # as in the competition


@sqlite_only
def test_who_is_not_heard_of_any_more_is_gone(app: Flask, set_clock: SetClock) -> None:
    _, second, _ = begun(app, bank_seconds=10, start_seconds=5)
    set_clock.pass_time(seconds=40)
    second.next()
    fault, words, *_ = fault_of(app)
    assert fault == "gone" and words.startswith("Nothing was heard of it for 40 seconds")


@sqlite_only
def test_the_time_of_a_move_that_never_came_is_used(app: Flask, set_clock: SetClock) -> None:
    first, second, job = begun(app, bank_seconds=10, start_seconds=5)
    set_clock.pass_time(seconds=3)
    first.next({"game": job["game"], "ply": job["ply"], "cell": job["legal"][0]})
    second.play()
    set_clock.pass_time(seconds=4)
    first.ask("POST", f"/games/{job['game']}/resign", {"cause": "KeyError: 4"})
    assert fault_of(app)[0] == "exception" and used_by_loser(app) == (7_000_000, 3_000_000)


@sqlite_only
def test_who_is_gone_has_used_the_time_that_there_was(app: Flask, set_clock: SetClock) -> None:
    _, second, _ = begun(app, bank_seconds=10, start_seconds=5)
    set_clock.pass_time(hours=2)  # until somebody looks
    second.next()
    assert fault_of(app)[0] == "gone" and used_by_loser(app) == (15_000_000, 15_000_000)


@sqlite_only
def test_who_is_gone_loses_one_game_and_plays_the_others_when_it_comes_back(app: Flask, set_clock: SetClock) -> None:
    first, second, _ = begun(app, bank_seconds=30, start_seconds=15)
    for _ in range(5):
        set_clock.pass_time(seconds=50)
        play_on([second])
    assert fault_of(app)[0] == "gone"
    assert [row["state"] for row in between_agents(app)] == ["forfeited", "waiting"]
    play_on([first, second])
    assert fault_of(app)[0] == "gone" and Counter(row["state"] for row in pairings(app))["finished"] == 21


@sqlite_only
def test_no_game_begins_for_an_agent_whose_token_is_revoked(app: Flask) -> None:
    """Its last game has just ended, and it was here a moment ago."""
    first, _, job = begun(app)
    with app.app_context():
        revoke_token(account_named(f"owner-{first.name}"), first.agent_id)
        lose_by_fault(game_seen_by(first.agent_id, job["game"]), first.agent_id, AgentFault.CRASHED, "KeyError")
    assert [row["state"] for row in between_agents(app)] == ["forfeited", "waiting"]
    assert len(pairings(app, state="playing")) == 1, "the other goes on against a reference player"


@sqlite_only
def test_who_asks_again_and_again_but_does_not_move_is_too_slow(app: Flask, set_clock: SetClock) -> None:
    first, _, _ = begun(app, bank_seconds=30, start_seconds=5)
    for _ in range(5):
        set_clock.pass_time(seconds=8)
        first.next()
    assert fault_of(app)[0] == "too slow"


@sqlite_only
def test_time_is_counted_from_the_turn_and_never_zero(app: Flask, set_clock: SetClock) -> None:
    first, second, job = begun(app, bank_seconds=10, start_seconds=5)
    set_clock.pass_time(seconds=6)
    first.next({"game": job["game"], "ply": job["ply"], "cell": job["legal"][0], "nodes": 12})
    second.play(nodes=3)
    [row] = [row for row in between_agents(app) if row["state"] == "playing"]
    mine, other = ("x", "o") if job["mark"] == "X" else ("o", "x")
    assert (row[f"{mine}_microseconds"], row[f"{mine}_first"], row[f"{mine}_nodes"]) == (6_000_000, 6_000_000, 12)
    assert row[f"{other}_microseconds"] == 1
    assert first.job()["seconds"] == 9  # one of ten went beyond the allowance


@sqlite_only
def test_a_game_that_waits_for_another_answer_costs_no_time(app: Flask, set_clock: SetClock) -> None:
    """It answers one at a time: thinking of one game, it has no time for the others."""
    contest = Contest(app, bank_seconds=10, start_seconds=5)
    ada, bea = contest.enter("ada", "bea", at_once=2)
    ada.next(), bea.next()
    contest.start()
    first = ada.job()
    set_clock.pass_time(seconds=1)
    bea.play()
    for is_first in (True, False):
        set_clock.pass_time(seconds=12)
        bea.next()
        job = ada.job()
        assert (job["game"] == first["game"]) == is_first
        assert ada.next({"game": job["game"], "ply": job["ply"], "cell": job["legal"][0]})["accepted"] is True
    assert pairings(app, state="forfeited") == []


@sqlite_only
def test_a_game_that_is_lost_by_a_fault_costs_the_others_no_time(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, bank_seconds=10, start_seconds=5)
    ada, bea = contest.enter("ada", "bea", at_once=2)
    ada.next(), bea.next()
    contest.start()
    job = ada.job()
    set_clock.pass_time(seconds=1)
    bea.play()  # now two games wait for ada
    set_clock.pass_time(seconds=12)
    ada.ask("POST", f"/games/{job['game']}/resign", {"cause": "It thought for longer than 12 seconds."})
    other = ada.job()
    assert other["game"] != job["game"] and other["seconds"] == 15
    set_clock.pass_time(seconds=12)
    assert ada.next({"game": other["game"], "ply": other["ply"], "cell": other["legal"][0]})["accepted"] is True


@sqlite_only
def test_thinking_about_an_ordinary_game_costs_no_time_in_a_competition(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, bank_seconds=10, start_seconds=5)
    ada, bea = contest.enter("ada", "bea", at_once=1)
    ordinary = ada.start(make_program(app).name, "X")
    assert ada.job()["game"] == ordinary
    set_clock.pass_time(seconds=1)
    contest.start()
    bea.play()
    set_clock.pass_time(seconds=40)
    bea.next()
    assert ada.next({"game": ordinary, "ply": 0, "cell": 4})["accepted"] is True
    job = ada.job()
    assert job["game"] != ordinary and job["seconds"] == 15


@sqlite_only
def test_an_answer_in_another_game_than_the_job_buys_no_time(app: Flask, set_clock: SetClock) -> None:
    first, _, job = begun(app, bank_seconds=10, start_seconds=5)
    ordinary = first.start("perfect", "X")
    set_clock.pass_time(seconds=8)
    first.next({"game": ordinary, "ply": 0, "cell": 4})
    assert first.job()["game"] == job["game"] and first.job()["seconds"] == 7


# Newer versions, leaving, the end


def test_a_newer_version_plays_all_its_games_anew_and_the_old_ones_stay(app: Flask) -> None:
    contest = Contest(app)
    ada, bea = contest.enter("ada", "bea")
    contest.start()
    play_on([ada, bea])
    old = [row["id"] for row in pairings(app)]
    with app.app_context():
        for _ in range(2):  # pressed twice
            replace_agent(contest.about, ada.agent_id, version=1)
    assert Counter(row["state"] for row in pairings(app)) == {"superseded": 12, "finished": 10, "waiting": 12}
    play_on([ada, bea])
    assert Counter(row["state"] for row in pairings(app)) == {"superseded": 12, "finished": 22}
    assert set(old) <= {row["id"] for row in pairings(app)} and len(rows_of(app, "game")) == 34
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


@sqlite_only
def test_who_leaves_loses_what_is_left_and_comes_back_anew(app: Flask) -> None:
    contest = Contest(app)
    ada, bea = contest.enter("ada", "bea")
    contest.start()
    with app.app_context():
        withdraw_agent(contest.about, ada.agent_id)
    assert {row["fault"] for row in between_agents(app)} == {"withdrew"}
    play_on([ada, bea])
    assert Counter(row["state"] for row in pairings(app)) == {"forfeited": 12, "finished": 10}
    with app.app_context():
        contest.enter_again(ada)
    play_on([ada, bea])
    assert Counter(row["state"] for row in pairings(app)) == {"finished": 22}


def test_who_comes_late_gets_the_points_of_who_left_before(app: Flask) -> None:
    """As many games as anybody else has: else a newer version of a program could rank lower for having come later."""
    contest = Contest(app)
    ada, bea, cyd = contest.enter("ada", "bea", "cyd")
    with app.app_context():
        withdraw_agent(contest.about, cyd.agent_id)  # before the start: nobody gets points for that
    contest.start()
    with app.app_context():
        withdraw_agent(contest.about, ada.agent_id)
        replace_agent(contest.about, bea.agent_id, 1)
    contest.enter("dan")
    of = {row["id"]: row["user_id"] for row in rows_of(app, "competition_entry") if not row["replaced_by"]}
    lost = [row for row in between_agents(app) if row["state"] == "forfeited"]
    assert Counter(frozenset(of[row[side]] for side in ("x_entry_id", "o_entry_id")) for row in lost) == {
        frozenset({ada.agent_id, bea.agent_id}): 2, frozenset({ada.agent_id, of[max(of)]}): 2,
    }  # fmt: skip
    assert all(of[row["x_entry_id" if row["score"] == "O" else "o_entry_id"]] == ada.agent_id for row in lost)


def test_at_the_end_who_is_not_here_loses_what_was_not_played(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, ends_at=now() + timedelta(hours=1))
    ada, *others = contest.enter("ada", "bea", "cyd")
    contest.start()
    set_clock.pass_time(minutes=59.9)
    job = ada.job()
    set_clock.pass_time(minutes=1)
    with app.app_context():
        settle_agents()
        assert contest.about.state == "playing", "a game goes on"
    before = all_rows(app)
    for _ in range(2):  # whoever looks on writes nothing
        assert app.test_client().get(f"/competitions/{contest.public_id}").status_code == 200
        with app.app_context():
            end_agents(contest.id)
    assert all_rows(app) == before
    assert ada.next({"game": job["game"], "ply": job["ply"], "cell": job["legal"][0]})["accepted"] is True
    play_on([ada, *others])
    with app.app_context():
        settle_agents()
        assert contest.about.state == "ended"
    rows = between_agents(app)
    assert Counter(row["score"] for row in rows)["both lost"] == 2, "neither bea nor cyd was here"
    assert sum(row["fault"] == "absent" for row in rows) == 4
    assert not pairings(app, state="waiting") and not pairings(app, state="playing")


def test_an_end_by_a_press_leaves_nothing_to_be_played(app: Flask) -> None:
    contest = Contest(app)
    ada, bea = contest.enter("ada", "bea")
    contest.start()
    job = ada.job()
    with app.app_context():
        pairing = _next_of(ada.agent_id)
        assert pairing, "another game could begin"
        services.end(contest.about)
        assert {row["state"] for row in pairings(app)} == {"cancelled"}
        with writing() as connection:  # as one begun when this was read
            connection.execute(update(Pairing).where(Pairing.id == pairing.id).values(state=PairingState.WAITING))
        assert not _begin(pairing), "the competition is over"
    assert ada.game(job["game"])["status"] == "aborted"
    assert bea.next()["job"] is None and check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


@sqlite_only
def test_the_games_of_an_agent_that_is_deleted_are_lost_with_that_cause(app: Flask) -> None:
    contest = Contest(app)
    [bea] = contest.enter("ada", "bea")[1:]
    contest.start()
    with app.app_context():
        delete_account(account_named("owner-ada"))
    assert {row["fault"] for row in between_agents(app)} == {"deleted"}
    play_on([bea])
    assert Counter(row["state"] for row in pairings(app)) == {"forfeited": 12, "finished": 10}


@sqlite_only
def test_agents_of_a_classroom_that_has_them_switched_off_do_not_play(app: Flask) -> None:
    """Not even if they were in before."""
    contest = Contest(app)
    ada, bea = contest.enter("ada", "bea")
    contest.start()
    room = make_classroom(app, "teacher8")
    with app.app_context(), writing() as connection:
        connection.execute(update(Classroom).values(allows_agents=False))
        classroom_id = connection.scalar(select(Classroom.id)) or 0
        take_seats(connection, classroom_id, 1)
        enrol(connection, classroom_id, account_named("owner-ada"), Role.STUDENT)
    play_on([ada, bea])
    assert room and {row["state"] for row in between_agents(app)} == {"waiting"}
    assert Counter(row["state"] for row in pairings(app)) == {"waiting": 12, "finished": 10}
