"""What a stricter package says of its games is asked: time, and what a fault costs."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.agents.programs import make_program
from tests.conftest import sqlite_only
from webapp.agents.terms import TERMS, AgentFault, Terms
from webapp.games import services
from webapp.games.game_record import GameRecord
from webapp.games.refusals import GameIsOver


@pytest.fixture
def strict(app: Flask) -> Iterator[list[tuple[str, str]]]:
    """Two seconds for each move, no time left from the fifth move on, and each fault costs the game."""
    told: list[tuple[str, str]] = []

    def before_move(game: GameRecord, user_id: int) -> None:
        if len(game.moves) >= 4:
            raise GameIsOver("The time is over.")

    def fault(game: GameRecord, user_id: int, kind: AgentFault, sentence: str) -> bool:
        told.append((kind, sentence))
        services.resign(user_id, game.public_id, sentence)
        return True

    before, app.extensions[TERMS] = app.extensions[TERMS], [Terms(lambda game, user_id: 2, before_move, fault)]
    yield told
    app.extensions[TERMS] = before


@sqlite_only
def test_an_illegal_cell_and_a_crash_cost_the_game(app: Flask, strict: list[tuple[str, str]]) -> None:
    program = make_program(app)
    game = program.start()
    job = program.job()
    assert job["seconds"] == 2
    given = program.ask("POST", "/agent/next", {"answer": {"game": game, "ply": 0, "cell": 9}, "wait": 0})
    assert given.status_code == 400 and "costs this game" in given.json["error"]
    assert program.game(game)["cause"] == "there is no cell 9" and program.next()["job"] is None
    other = program.start()
    assert program.ask("POST", f"/games/{other}/resign", {"cause": "it crashed"}).json["cause"] == "it crashed"
    assert strict == [(AgentFault.ILLEGAL, "there is no cell 9"), (AgentFault.CRASHED, "it crashed")]
    for again in range(2):
        assert program.ask("POST", f"/games/{other}/resign", {"cause": "it crashed"}).status_code == 200, again
    assert len(strict) == 2, "a game that is over costs nothing more"


@sqlite_only
def test_an_answer_after_the_time_is_not_accepted(app: Flask, strict: list[tuple[str, str]]) -> None:
    program = make_program(app)
    game = program.start()
    assert [program.play()["accepted"] for _ in range(3)] == [True, True, False]
    assert len(program.game(game)["moves"]) == 4
