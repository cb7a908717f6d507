"""A new version comes in while people play: nobody's connection is refused or cut, and what was answered is true."""

import signal

import pytest

from tests.live_server import LiveServer, until, workers_of
from tests.operations.answer_checks import check_beside
from tests.operations.players import Crowd, StrictPlayer

PLAYERS = 10


def reload(server: LiveServer) -> None:
    """Comes back when the old workers have gone."""
    assert server.process
    process, old = server.process, workers_of(server.process)
    process.send_signal(signal.SIGHUP)
    until(lambda: not old & workers_of(process), server.log)


@pytest.mark.slow
def test_nobody_is_cut_off_when_a_new_version_comes_in(server: LiveServer) -> None:
    with Crowd(server, PLAYERS, StrictPlayer) as crowd:
        crowd.wait_for_moves(40)
        reload(server)
        crowd.wait_for_moves(40)
    # On a machine that is busy with other things the database may be, too; then that is what people are told.
    assert set().union(*(player.met for player in crowd.players)) <= {200, 303, 409, 503}  # type: ignore[attr-defined]
    assert check_beside(server.database, crowd.log, [server.log]) == []
