"""The whole server is killed in the middle of play, again and again: what was answered is true afterwards."""

from random import Random

import pytest

from tests.live_server import LiveServer
from tests.operations.answer_checks import check_beside
from tests.operations.players import Crowd

KILLS = {"SQLite": 8, "PostgreSQL": 3}  # PostgreSQL itself is not killed, so there is less to see
PLAYERS = 8


@pytest.mark.long
def test_nothing_that_was_answered_is_lost_when_the_server_is_killed(server: LiveServer) -> None:
    random, kills = Random(12), KILLS["SQLite" if "sqlite" in server.database else "PostgreSQL"]
    with Crowd(server, PLAYERS) as crowd:
        for kill in range(1, 5 * kills):
            crowd.wait_for_moves(random.randrange(20, 40))
            server.kill()
            assert check_beside(server.database, list(crowd.log)) == []
            server.start()
            if kill >= kills and crowd.moves(None) > kills:
                break
        crowd.wait_for_moves(20)
    assert crowd.moves(None) > kills, "too few moves were under way when the server fell"
    # On a machine that is busy with other things the database may be, too; then that is what people are told.
    assert {entry["status"] for entry in crowd.log if "status" in entry} <= {303, 409, 503, None}
    assert check_beside(server.database, crowd.log, [server.log]) == []
