"""How a game ended as one person sees it, without a database. The sentences are in test_words.py."""

from typing import Any

import pytest

from tests.games.records import ANN, BOB, EVE, game
from webapp.games.ending import Ending, ending_of
from webapp.games.players import players_of
from webapp.games.states import EndReason, Status
from webapp.tictactoe import Mark


def ending(board: str, viewer: int | None, **values: Any) -> Ending:
    record = game(board, **{"status": Status.FINISHED, "reason": EndReason.LINE} | values)
    return ending_of(record, players_of(record, viewer))


@pytest.mark.parametrize(("viewer", "result"), [(ANN, "won"), (BOB, "lost"), (EVE, None), (None, None)])
def test_a_line_has_a_name_a_winner_and_a_result_for_each_player(viewer: int | None, result: str | None) -> None:
    seen = ending("XXX OO. ...", viewer, winner=Mark.X)
    assert seen.winner and seen.loser
    assert (seen.result, seen.line_name) == (result, "top row")
    assert (seen.winner.title, seen.loser.title) == ("ann", "bob")


def test_a_draw_has_no_winner_and_no_line() -> None:
    seen = ending("XOX XOO OXX", BOB, reason=EndReason.FULL_BOARD)
    assert (seen.result, seen.winner, seen.loser, seen.line_name) == ("drawn", None, None, None)


def test_whose_turn_it_was_has_left_and_the_other_stayed() -> None:
    seen = ending("X.. .O. ..X", ANN, reason=EndReason.CLAIMED, winner=Mark.X)
    assert (seen.left.title, seen.stayed.title, seen.stayed.is_me) == ("bob", "ann", True)


def test_a_cancelled_game_has_no_result() -> None:
    seen = ending("X.. ... ...", ANN, reason=EndReason.ABORTED, status=Status.ABORTED)
    assert seen.is_aborted and seen.result is None
