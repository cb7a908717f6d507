"""One moves while the other gives up: whoever is first, there is one result, and both answers are true."""

from functools import partial
from itertools import count

from tests.live_server import LiveServer
from tests.meanwhile import all_at_once
from tests.operations.answer_checks import check_beside
from tests.operations.players import Log, Player
from tests.two_players import begin_game, two_players
from webapp.games.services import new_public_id

GAMES = 40


def meet(ann: Player, bob: Player) -> str:
    """Ann has X, Bob joins; gives the game's id."""
    game = new_public_id()
    assert begin_game(ann, bob, visibility="public", public_id=game) == f"/games/{game}"
    return game


def test_a_move_against_a_resignation_gives_one_result(server: LiveServer) -> None:
    log: Log = []
    numbers = count(1)
    ann, bob = two_players(lambda: Player(server, next(numbers), log))
    for cell in range(GAMES):
        game = meet(ann, bob)
        board, seat = ann.look(game), bob.look(game)
        assert board and seat
        all_at_once([partial(ann.move, game, board, cell % 9), partial(bob.resign, game, seat, "O")])
        assert ann.look(game) is None, "the game goes on"
    assert {entry["status"] for entry in log if entry["did"] == "resign"} == {303}
    assert {entry["status"] for entry in log if entry["did"] == "move"} <= {303, 409}
    assert check_beside(server.database, log) == []
