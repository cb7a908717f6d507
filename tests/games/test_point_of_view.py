"""A game as one person sees it, without a database: how its parts come together."""

from tests.games.records import ANN, BOB, EVE, game, open_game
from webapp.games.point_of_view import PointOfView
from webapp.games.states import Status
from webapp.tictactoe import Mark


def test_an_open_game_is_an_invitation_and_has_no_ending() -> None:
    for status in (Status.OPEN, Status.WITHDRAWN, Status.DECLINED):
        seen = PointOfView(open_game(status=status), ANN)
        assert seen.invitation and not seen.ending, status


def test_a_game_has_an_ending_when_it_is_over() -> None:
    assert PointOfView(game(), ANN).ending is None
    assert PointOfView(game("XXX OO. ...", status=Status.FINISHED, winner=Mark.X), EVE).ending


def test_the_board_can_be_pressed_by_whose_turn_it_is_and_shows_the_last_move() -> None:
    boards = {viewer: PointOfView(game("X.. ... ..."), viewer).board for viewer in (ANN, BOB, EVE)}
    assert {viewer: board.playable for viewer, board in boards.items()} == {ANN: False, BOB: True, EVE: False}
    assert [cell.cell for cell in boards[EVE].cells if cell.is_last] == [0]


def test_a_page_waits_while_the_next_thing_is_somebody_else_s_to_do() -> None:
    over = game("XXX OO. ...", status=Status.FINISHED, winner=Mark.X)
    asked = game(status=Status.FINISHED, rematch="next", rematch_by=ANN, rematch_status=Status.OPEN)
    pages = [
        (open_game(), ANN, True), (open_game(), EVE, False), (game(), ANN, False), (game(), BOB, True),
        (game(), EVE, True), (over, ANN, False), (asked, ANN, True), (asked, BOB, False),
    ]  # fmt: skip
    for record, viewer, expected in pages:
        assert PointOfView(record, viewer).is_waiting is expected, (record.status, viewer)
