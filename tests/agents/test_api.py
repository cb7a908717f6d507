"""What the API answers: who am I, jobs and answers, games, and the ways in which it says no."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, update

from tests.agents.programs import Program, make_program
from tests.conftest import Browser, sqlite_only
from tests.factories import logged_in, member_of
from tests.tables import all_rows, rows_of
from webapp.accounts.tokens import TOKEN, hash_of
from webapp.agents import api_views
from webapp.agents.services import revoke_token
from webapp.database import reading, writing
from webapp.games.models import Game, Move


@pytest.fixture
def program(app: Flask) -> Program:
    return make_program(app)


def test_an_agent_is_told_who_it_is(program: Program) -> None:
    given = program.ask("GET", "/agent")
    assert given.status_code == 200 and given.headers["Cache-Control"] == "no-store"
    assert given.json == {
        "name": "robot7", "owner": "owner7", "plays_with": "", "accepts": "anyone", "games_at_once": 5, "games": 0,
        "levels": ["beginner", "casual", "perfect"], "longest_wait": 25,
    }  # fmt: skip


def test_a_job_tells_the_whole_position(app: Flask, program: Program) -> None:
    game = program.start(opponent="perfect", mark="X")
    assert program.next() == {"accepted": None, "job": {
        "game": game, "ply": 0, "board": {"rows": 3, "columns": 3, "in_a_row": 3}, "position": ".........", "moves": [],
        "mark": "X", "legal": [0, 1, 2, 3, 4, 5, 6, 7, 8], "seconds": None,
    }}  # fmt: skip
    told = program.play(0)
    assert told["accepted"] is True and told["job"]["ply"] == 2 and told["job"]["moves"][0] == 0
    assert told["job"]["position"][0] == "X" and 0 not in told["job"]["legal"]
    assert program.next() == {"accepted": None, "job": told["job"]}, "it is handed out until it is answered"


def test_an_answer_that_is_repeated_is_harmless_and_another_for_the_same_ply_is_not_accepted(program: Program) -> None:
    job = program.start() and program.job()
    answer = {"game": job["game"], "ply": 0, "cell": 4}
    first, again = program.next(answer), program.next(answer)
    assert first["accepted"] is again["accepted"] is True and first["job"] == again["job"]
    assert program.next(answer | {"cell": 5})["accepted"] is False
    assert program.next(answer | {"ply": 7})["accepted"] is False
    assert program.next(answer | {"game": "notagame"}) == {"accepted": False, "job": first["job"]}


def test_an_illegal_cell_is_refused_with_a_sentence_and_costs_nothing(app: Flask, program: Program) -> None:
    program.start()
    program.play(4)
    job = program.job()
    for cell in (4, -1, 9, 10**9):
        given = program.ask("POST", "/agent/next", {"answer": {"game": job["game"], "ply": 2, "cell": cell}, "wait": 0})
        assert given.status_code == 400, cell
        assert "illegal move" in given.json["error"] and f"cell {cell}" in given.json["error"]
    assert program.job() == job


def test_what_it_says_of_its_search_is_kept_with_the_move_and_bounded(app: Flask, program: Program) -> None:
    program.start()
    program.play(0, nodes=549946, microseconds=2**40)
    with app.app_context(), reading() as connection:
        move = connection.execute(select(Move.nodes, Move.microseconds).where(Move.ply == 0)).one()
    assert tuple(move) == (549946, 2**31 - 1)


def test_a_person_challenges_an_agent_and_the_game_begins_at_once(app: Flask, program: Program) -> None:
    browser = member_of(app, "player7")
    address = str(browser.send("/games", opponent="robot7", mark="X").location)
    assert browser.get(f"{address}/state").json["status"] == "playing"
    assert program.next()["job"] is None, "it is the person's turn"
    browser.send(f"{address}/moves", cell=4, ply=0)
    job = program.job()
    assert job["mark"] == "O" and job["moves"] == [4]
    assert program.play(0)["accepted"] is True
    assert browser.get(f"{address}/state").json["moves"] == [4, 0]


def test_agents_play_each_other_to_the_end_and_it_counts(app: Flask, program: Program) -> None:
    other = make_program(app, "owner8", "robot8")
    game = program.start("robot8", "X")
    for cell, one in zip([0, 3, 1, 4, 2], [program, other] * 3, strict=False):
        one.play(cell)
    told = program.game(game)
    assert (told["status"], told["winner"], told["players"]) == ("finished", "X", {"X": "robot7", "O": "robot8"})
    assert other.next()["job"] is None
    assert sorted((row["won"], row["lost"]) for row in rows_of(app, "tally")) == [(0, 1), (1, 0)]


def test_a_person_is_asked_first(app: Flask, program: Program) -> None:
    browser = member_of(app, "player7")
    game = program.start("player7", "O")
    assert program.game(game)["status"] == "open" and program.next()["job"] is None
    assert program.ask("POST", f"/games/{game}/resign").status_code == 403, "there is no seat to resign yet"
    assert browser.send(f"/games/{game}/join").status_code == 303
    assert program.game(game)["status"] == "playing"


def test_it_resigns_with_the_cause_in_one_line(app: Flask, program: Program) -> None:
    game = program.start()
    given = program.ask("POST", f"/games/{game}/resign", {"cause": "the program\ncrashed: \0 " + "x" * 500})
    assert given.status_code == 200 and (given.json["reason"], given.json["winner"]) == ("resigned", "O")
    assert given.json["cause"].startswith("the program crashed: x") and len(given.json["cause"]) == 200
    assert program.ask("POST", f"/games/{game}/resign").status_code == 200, "once more is harmless"


def test_no_token_a_wrong_one_and_a_cookie_are_told_alike(app: Flask, program: Program) -> None:
    member_of(app, "player7")
    browser, rows = logged_in(app, "owner7"), None
    calls = [("GET", "/agent"), ("POST", "/agent/next"), ("POST", "/games"), ("GET", "/games/abcabcabcabc"),
             ("POST", "/games/abcabcabcabc/resign")]  # fmt: skip
    rows = all_rows(app)
    for method, path in calls:
        for token in ("", "Bearer", "Bearer wrong", f"Bearer {'a' * 43}", f"Basic {program.token}", "Bearer \u00e9"):
            given = browser.open(f"/api/v1{path}", method=method, json={}, headers={"Authorization": token})
            assert given.status_code == 401 and given.headers["WWW-Authenticate"].startswith("Bearer"), (path, token)
            assert "token" in given.json["error"]
            assert "Set-Cookie" not in given.headers
    assert all_rows(app) == rows


def test_a_revoked_token_works_never_again(app: Flask, program: Program) -> None:
    with app.app_context():
        revoke_token(rows_of(app, "agent")[0]["owner_id"], program.agent_id)
    assert program.ask("GET", "/agent").status_code == 401


def test_only_the_hash_of_a_token_is_kept(app: Flask, program: Program) -> None:
    assert TOKEN.match(program.token)
    assert program.token not in repr(all_rows(app))
    assert [row["token_hash"] for row in rows_of(app, "agent")] == [hash_of(program.token)]


MALFORMED: list[Any] = [
    [], 1, "x", None, {"wait": 26}, {"wait": -1}, {"wait": "5"}, {"wait": None}, {"answer": {}}, {"answer": []},
    {"answer": {"game": "abc", "ply": 0}}, {"answer": {"game": "abc", "ply": 0, "cell": "0"}},
    {"answer": {"game": "abc", "ply": 0, "cell": 1.5}}, {"answer": {"game": "abc", "ply": 0, "cell": True}},
    {"answer": {"game": "abc", "ply": -1, "cell": 0}}, {"answer": {"game": "a\0c", "ply": 0, "cell": 0}},
    {"answer": {"game": "abc", "ply": 0, "cell": 2**70}}, {"answer": {"game": "abc", "ply": 0, "cell": 0, "nodes": -1}},
    {"more": 1},
]  # fmt: skip


@sqlite_only
def test_a_malformed_body_is_400_with_a_sentence(app: Flask, program: Program) -> None:
    for body in MALFORMED:
        given = program.ask("POST", "/agent/next", body)
        assert given.status_code == 400 and given.json["error"], body
    headers = {"Authorization": f"Bearer {program.token}"}
    for raw in (b"", b"{", b"\xff\xfe", b"[" * 50_000, b'{"wait": 1e999}', b'{"wait": NaN}'):
        given = app.test_client().post("/api/v1/agent/next", data=raw, headers=headers)
        assert given.status_code == 400 and given.json["error"], raw[:20]
    for body in ({}, {"opponent": 7}, {"opponent": "perfect", "mark": "Z"}, {"opponent": "x" * 21}):
        assert program.ask("POST", "/games", body).status_code == 400, body
    assert program.ask("POST", "/games", {"opponent": "nobody-here"}).status_code == 404


@sqlite_only
def test_a_program_is_told_what_was_wrong_and_not_of_pages(app: Flask, program: Program) -> None:
    token = f"Bearer {program.token}"
    for method, path, body, status, words in (
        ("POST", "/agent/next", b"", 400, "The body is empty."),
        ("POST", "/agent/next", b"{'wait': 1}", 400, "The body is not JSON: object keys must be strings (byte 1)."),
        ("POST", "/agent/next", b'{"wait": "1"}', 400, "Expected `float`, got `str` - at `$.wait`"),
        ("GET", "/nothing", b"", 404, "There is nothing at this address"),
        ("GET", "//agent", b"", 404, "There is nothing at this address"),
        ("GET", "/games/nothing", b"", 404, "This game does not exist"),
        ("GET", "/agent/next", b"", 405, "This address takes POST, not GET."),
        ("DELETE", "/agent", b"", 405, "This address takes GET, not DELETE."),
        ("POST", "/agent/next", b" " * 65_537, 413, "more than 65,536 bytes"),
        ("DELETE", "/agent", b" " * 65_537, 413, "more than 65,536 bytes"),
    ):
        given = app.test_client().open(f"/api/v1{path}", method=method, data=body, headers={"Authorization": token})
        assert (given.status_code, words in given.json["error"]) == (status, True), given.text
    assert "page" not in app.test_client().get("/analysis.json?position=XX").json["error"]


@sqlite_only
def test_what_is_not_there_or_not_theirs_is_404_and_json(app: Flask, program: Program) -> None:
    private = member_of(app, "player7").start(cell=4).rsplit("/", 1)[1]
    for method, path in (("GET", f"/games/{private}"), ("POST", f"/games/{private}/resign"), ("GET", "/games/nothing")):
        given = program.ask(method, path)
        assert given.status_code == 404 and given.json["error"], path
    assert program.ask("GET", "/nothing").json["error"] and program.ask("DELETE", "/agent").status_code == 405
    assert program.next({"game": private, "ply": 2, "cell": 0})["accepted"] is False


@sqlite_only
def test_under_a_plain_server_it_is_told_to_come_back(program: Program) -> None:
    given = program.ask("POST", "/agent/next", {})
    assert given.json == {"accepted": None, "job": None} and int(given.headers["Retry-After"]) >= 1


@sqlite_only
def test_a_game_whose_row_tells_the_wrong_turn_keeps_nobody_busy_for_ever(app: Flask, program: Program) -> None:
    browser = member_of(app, "player7")
    browser.send("/games", opponent="robot7", mark="X")
    with app.app_context(), writing() as connection:
        connection.execute(update(Game).values(to_move_id=program.agent_id))
    assert program.next()["job"] is None


@sqlite_only
def test_nobody_logs_in_as_an_agent(app: Flask, client: Browser, program: Program) -> None:
    for password in ("", "robot7-password", program.token, "None"):
        assert client.log_in("robot7", password).status_code == 403


@sqlite_only
def test_a_move_does_not_wait_until_it_is_noted_that_the_agent_is_here(
    app: Flask, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.start()
    job, moves = program.job(), list[int]()
    monkeypatch.setattr(api_views, "note_page", lambda *_, **__: moves.append(len(rows_of(app, "move"))))
    program.next({"game": job["game"], "ply": 0, "cell": 4})
    assert moves == [2], "both moves are stored by then"
