"""Two people, or fifty, press at one moment, on the real server with two workers: one result each, no accident."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.live import LiveBrowser, LiveServer, live_server
from tests.meanwhile import all_at_once
from webapp.operations.invariants import check

ROUNDS = 15


@pytest.fixture
def server(database: str, tmp_path: Path) -> Iterator[LiveServer]:
    """Whoever is not seen is gone at once, so that a claim can race against a move."""
    settings = {"NOUGHTS_GONE_SECONDS_WITHOUT_SCRIPTS": "0", "NOUGHTS_GONE_SECONDS": "0"}
    with live_server(tmp_path, DATABASE_URL=database, **settings) as server:
        yield server
    assert check(database or tmp_path / "noughts.db") == []


class Player(LiveBrowser):
    """Signed up, with the token of their forms at hand: what they press is one request."""

    def __init__(self, server: LiveServer, name: str) -> None:
        super().__init__(server)
        self.sign_up(name)
        self.token = self.get("/account").csrf_token

    def press(self, path: str, **fields: object) -> tuple[int, str]:
        answer = self.post(path, {"csrf_token": self.token, **fields})
        return answer.status, answer.location

    def begin(self, other: "Player", *cells: int) -> str:
        """A game in which this player has X, with these moves made."""
        _, address = self.press("/games", opponent="anyone", mark="X")
        assert other.press(f"{address}/join")[0] == 303
        for ply, cell in enumerate(cells):
            assert (self, other)[ply % 2].press(f"{address}/moves", cell=cell, ply=ply)[0] == 303
        return address


@pytest.fixture
def pair(server: LiveServer) -> tuple[Player, Player]:
    return Player(server, "ann"), Player(server, "bob")


def test_fifty_join_at_once_and_one_gets_the_seat(server: LiveServer) -> None:
    host, joiners = Player(server, "host-1"), [Player(server, f"player-{number}") for number in range(50)]
    _, address = host.press("/games", opponent="anyone", mark="X")
    answers = all_at_once([partial(joiner.press, f"{address}/join") for joiner in joiners])
    assert Counter(status for status, _ in answers) == {303: 1, 409: 49}


def test_both_press_rematch_and_land_in_one_game(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    for _ in range(ROUNDS):
        address = ann.begin(bob, 0, 3, 1, 4, 2)
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
        address = ann.begin(bob, 0)
        assert ann.press(f"{address}/draw", draw="offer")[0] == 303
        accept = partial(bob.press, f"{address}/draw", draw="accept")
        answers = all_at_once([accept, partial(bob.press, f"{address}/moves", cell=4, ply=1)])
        assert sorted(status for status, _ in answers) == [303, 409]


def test_a_claim_against_a_late_move(pair: tuple[Player, Player]) -> None:
    ann, bob = pair
    for _ in range(ROUNDS):
        address = ann.begin(bob, 0, 4, 8)
        claim = partial(ann.press, f"{address}/claim", claim="win")
        answers = all_at_once([claim, partial(bob.press, f"{address}/moves", cell=2, ply=3)])
        assert sorted(status for status, _ in answers) == [303, 409]
