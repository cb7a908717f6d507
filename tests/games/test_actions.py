"""What a person may do in a game now, without a database. How each is decided is in test_agreements, test_people."""

from datetime import timedelta

import pytest

from tests.games.records import ANN, BOB, EVE, game, open_game
from webapp.clock import now
from webapp.games.actions import Actions
from webapp.games.game_record import GameRecord, Person
from webapp.games.states import Status
from webapp.tictactoe import Mark

pytestmark = pytest.mark.usefixtures("settings_alone")  # how long somebody is away before a claim
ALL = [name for name in vars(Actions) if name.startswith("can_")]


def allowed(record: GameRecord, viewer: int | None) -> set[str]:
    actions = Actions(record, viewer)
    return {name.removeprefix("can_") for name in ALL if getattr(actions, name)}


def cases() -> dict[str, tuple[GameRecord, dict[int | None, set[str]]]]:
    """Made afresh for each test: who was here a moment ago is away some minutes later."""
    long_ago = now() - timedelta(hours=1)
    return {
        "for anyone": (open_game(), {ANN: {"withdraw"}, BOB: {"join"}, None: set()}),
        "a challenge": (
            open_game(challenged=Person(BOB, "bob", False)),
            {ANN: {"withdraw"}, BOB: {"join", "decline"}, EVE: set()},
        ),
        "cancelled": (open_game(status=Status.WITHDRAWN), {ANN: set(), BOB: set()}),
        "nobody has moved": (game(), {ANN: {"abort", "resign"}, BOB: {"abort", "resign"}, EVE: set(), None: set()}),
        "both have moved": (game("X.. .O. ..."), {ANN: {"resign", "offer_draw"}, BOB: {"resign", "offer_draw"}}),
        "X offers a draw": (
            game("X.. .O. ...", draw_is_open=True, draw_offered_by=Mark.X, draw_offered_ply=2),
            {ANN: {"resign"}, BOB: {"resign", "answer_draw"}, EVE: set()},
        ),
        "O has gone on their turn": (
            game("X.. .O. ..X", seen_at=long_ago, turn_began_at=long_ago),
            {ANN: {"resign", "offer_draw", "claim"}, BOB: {"resign", "offer_draw"}, EVE: set()},
        ),
        "against the computer": (game("X.. .O. ...", level="perfect"), {ANN: {"resign"}, EVE: set()}),
        "won": (
            game("XXX OO. ...", status=Status.FINISHED, winner=Mark.X),
            {ANN: {"rematch"}, BOB: {"rematch"}, EVE: set()},
        ),
    }


@pytest.mark.parametrize("name", list(cases()))
def test_each_person_may_do_what_the_game_allows_them(name: str) -> None:
    record, expected = cases()[name]
    assert {viewer: allowed(record, viewer) for viewer in expected} == expected
