"""Two people, or fifty, press at one moment, on the real server with two workers: one result each, no accident."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import count

import pytest

from tests.conftest import DATABASES, DatabaseIn
from tests.live_server import Answer, LiveBrowser, LiveServer, live_server
from tests.meanwhile import all_at_once
from tests.two_players import begin_game, open_game, two_players
from webapp.operations.invariants import check

ROUNDS = 15
NUMBERS = count(1)


@pytest.fixture(scope="module", params=DATABASES)
def server(
    request: pytest.FixtureRequest, database_in: DatabaseIn, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveServer]:
    """Whoever is not seen is gone at once, so that a claim can race against a move."""
    folder = tmp_path_factory.mktemp("races")
    settings = {"NOUGHTS_GONE_SECONDS_WITHOUT_SCRIPTS": "0", "NOUGHTS_GONE_SECONDS": "0"}
    with live_server(folder, DATABASE_URL=database_in(request.param, folder), **settings) as server:
        yield server
    assert check(server.database) == []


class Player(LiveBrowser):
    """With the token of their forms at hand, once they have signed up: what they press is one request."""

    token = ""

    def sign_up(self, name: str = "player7", password: str = "correct horse") -> Answer:
        answer = super().sign_up(name, password)
        self.token = self.get("/account").csrf_token
        return answer

    def send(self, path: str, page: str = "/", **fields: object) -> Answer:
        if not self.token:
            return super().send(path, page, **fields)
        return self.post(path, {"csrf_token": self.token, **fields})

    def press(self, path: str, **fields: object) -> tuple[int, str]:
        answer = self.send(path, **fields)
        return answer.status, answer.location


@pytest.fixture
def pair(server: LiveServer) -> tuple[Player, Player]:
    return two_players(lambda: Player(server), next(NUMBERS))


def test_fifty_join_at_once_and_one_gets_the_seat(server: LiveServer) -> None:
    host, *joiners = [Player(server) for _ in range(51)]
    for number, player in enumerate((host, *joiners)):
        player.sign_up(f"player-{number}")
    address = open_game(host)
    answers = all_at_once([partial(joiner.press, f"{address}/join") for joiner in joiners])
    assert Counter(status for status, _ in answers) == {303: 1, 409: 49}


def test_both_press_rematch_and_land_in_one_game(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    for _ in range(ROUNDS):
        address = begin_game(ann, bob, 0, 3, 1, 4, 2)
        answers = all_at_once([partial(player.press, f"{address}/rematch") for player in (ann, bob, ann, bob)])
        assert {status for status, _ in answers} == {303}
        assert len({location for _, location in answers}) == 1
        assert '"status": "playing"' in ann.get(f"{answers[0][1]}/state").text


def test_who_join_each_others_games_meet_in_one_of_them(pair: tuple[Player, Player]) -> None:
    """Either waits for the lock that the other holds, unless both take them in one order."""
    ann, bob = pair
    for _ in range(ROUNDS):
        (_, of_ann), (_, of_bob) = [player.press("/games", opponent="anyone") for player in pair]
        answers = all_at_once([partial(ann.press, f"{of_bob}/join"), partial(bob.press, f"{of_ann}/join")])
        assert sorted(status for status, _ in answers) == [303, 409]


def test_a_draw_accepted_against_a_move(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    for _ in range(ROUNDS):
        address = begin_game(ann, bob, 0)
        assert ann.press(f"{address}/draw", draw="offer")[0] == 303
        accept = partial(bob.press, f"{address}/draw", draw="accept")
        answers = all_at_once([accept, partial(bob.press, f"{address}/moves", cell=4, ply=1)])
        assert sorted(status for status, _ in answers) == [303, 409]


def test_a_claim_against_a_late_move(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    for _ in range(ROUNDS):
        address = begin_game(ann, bob, 0, 4, 8)
        claim = partial(ann.press, f"{address}/claim", claim="win")
        answers = all_at_once([claim, partial(bob.press, f"{address}/moves", cell=2, ply=3)])
        assert sorted(status for status, _ in answers) == [303, 409]
