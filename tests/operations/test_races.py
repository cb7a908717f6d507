"""Two tabs of one player at once: whoever is first, there is one result, and both answers are true."""

from functools import partial

from tests.live import LiveServer
from tests.meanwhile import all_at_once
from tests.operations.players import Log, Player
from webapp.operations.invariants import check

GAMES = 40


def test_a_move_against_a_resignation_gives_one_result(server: LiveServer) -> None:
    log: Log = []
    here, there = Player(server, 1, log), Player(server, 2, log)
    here.begin(here.get("/log-in").csrf_token)
    there.cookies = here.cookies
    for _ in range(GAMES):
        game = here.begin(here.get("/log-in").csrf_token)
        page = here.look(game)
        assert page
        cell = page.free_cells[0]
        all_at_once([partial(here.move, game, page, cell), partial(there.resign, game, page)])
        assert here.look(game) is None, "the game goes on"
    resignations = [entry["status"] for entry in log if entry["did"] == "resign"]
    assert set(resignations) <= {303, 409}
    assert 303 in resignations
    assert check(server.database, log) == []
