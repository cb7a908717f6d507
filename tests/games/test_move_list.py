"""The moves of a game as pages list them, without a database."""

from dataclasses import replace

from tests.games.records import game
from webapp.clock import now
from webapp.games.game_record import MadeMove
from webapp.games.move_list import last_search, moves_of, search_view
from webapp.tictactoe import Board, Position


def test_moves_are_numbered_from_one_and_named() -> None:
    listed = [(move.number, move.mark, move.cell, move.cell_name) for move in moves_of(game("X.. .O. ..."))]
    assert listed == [(1, "X", 0, "top left"), (2, "O", 4, "centre")]


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


def test_the_last_search_is_that_of_the_newest_answer_that_was_searched_for() -> None:
    played = game("XX. .OO ..X", level="perfect")
    assert last_search(played) is None
    searched = tuple(replace(move, nodes=ply) for ply, move in enumerate(played.moves[:4]))
    view = last_search(replace(played, moves=(*searched, played.moves[4])))
    assert view is not None
    before = Position.parse("XX./.O./...")
    assert (view.nodes, view.minimax_nodes) == (3, search_view(replace(played.moves[3], nodes=1), before).minimax_nodes)  # type: ignore[union-attr]
