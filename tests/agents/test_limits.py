"""How often an agent may ask: exact however many requests come at once, and never in the way of one who plays."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from tests.agents.programs import make_program
from tests.databases import KeptApp
from tests.meanwhile import all_at_once
from tests.tables import rows_of

MOST_REQUESTS, MOST_GAMES = 20, 3


@pytest.fixture
def app(database_kind: str, kept_apps: Callable[..., KeptApp]) -> Iterator[Flask]:
    settings = {"NOUGHTS_AGENT_REQUESTS": MOST_REQUESTS, "NOUGHTS_AGENT_GAMES": MOST_GAMES}
    with kept_apps(database_kind, **settings).lent() as app:
        yield app


def test_the_limit_is_exact_under_sixty_requests_at_once(app: Flask) -> None:
    program = make_program(app)
    calls = [("GET", "/agent", None), ("POST", "/agent/next", {"wait": 0}), ("POST", "/agent/next", {"wait": 5})] * 20
    answers = all_at_once([lambda call=call: program.ask(*call) for call in calls])
    assert sorted(answer.status_code for answer in answers) == [200] * MOST_REQUESTS + [429] * (60 - MOST_REQUESTS)
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert 1 <= int(refused.headers["Retry-After"]) <= 900 and "too often" in refused.json["error"]
    assert make_program(app, "owner8", "robot8").ask("GET", "/agent").status_code == 200, "each has its own"


def test_games_have_a_limit_of_their_own(app: Flask) -> None:
    program = make_program(app)
    body = {"opponent": "beginner"}
    answers = all_at_once([lambda: program.ask("POST", "/games", body) for _ in range(10)])
    assert sorted(answer.status_code for answer in answers) == [201] * MOST_GAMES + [429] * (10 - MOST_GAMES)
    assert len(rows_of(app, "game")) == MOST_GAMES


def test_a_move_that_is_accepted_counts_for_no_limit_and_anything_else_does(app: Flask) -> None:
    program = make_program(app)
    game = program.start("casual")
    told, answer = program.next(), {}
    while told["job"]:
        answer = {"game": game, "ply": told["job"]["ply"], "cell": told["job"]["legal"][0]}
        told = program.next(answer)
    assert told["accepted"] is True
    for count in range(1, MOST_REQUESTS):
        wrong = {"answer": answer, "wait": 0} if count % 2 else {"wait": "x"}
        assert program.ask("POST", "/agent/next", wrong).status_code in (200, 400)
    assert program.ask("POST", "/agent/next", {"answer": answer, "wait": 0}).status_code == 429
