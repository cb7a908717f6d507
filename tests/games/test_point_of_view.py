"""A game as one person sees it, without a database: what is worked out for the page."""

from webapp.clock import now
from webapp.games.point_of_view import search_view
from webapp.games.queries import MadeMove
from webapp.tictactoe import Board, Position


def test_an_answer_is_set_beside_plain_minimax() -> None:
    view = search_view(MadeMove(0, now(), 45, 120), Position.parse("..O/XOO/..X"))
    assert view is not None
    assert (view.nodes, view.microseconds, view.minimax_nodes) == (45, 120, 45)


def test_a_board_too_large_to_count_shows_the_search_alone() -> None:
    view = search_view(MadeMove(0, now(), 20_000, 120), Position.start(Board(4, 4, 4)))
    assert view is not None
    assert (view.nodes, view.minimax_nodes) == (20_000, None)


def test_a_move_without_a_search_shows_none() -> None:
    assert search_view(MadeMove(0, now(), None, None), Position.start()) is None
