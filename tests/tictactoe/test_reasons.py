"""Plain reasons: what a person sees in a move is there, and means what it says."""

from tests.conftest import Sampled
from tests.tictactoe.boards import drawn, unfinished
from webapp.tictactoe import O, X, move_value, reasons


def test_a_move_completes_a_line() -> None:
    position = drawn("""
        X X .
        O O .
        . . .""")
    assert reasons(position, 2).completes == ((0, 1, 2),)
    assert reasons(position, 5).completes == ()


def test_a_move_blocks_a_line_and_another_leaves_it_open() -> None:
    position = drawn("""
        X X .
        O O .
        . . .""")
    assert reasons(position, 5).blocks == ((3, 4, 5),)
    assert reasons(position, 8).leaves_open == (5,)


def test_a_move_makes_two_threats_at_once() -> None:
    document = drawn("""
        . . O
        X O O
        . . X""", to_move=X)
    assert reasons(document, 6).two_threats == (0, 7)
    assert reasons(document, 6).blocks == ((2, 4, 6),)


def test_a_move_lets_the_other_side_make_two_threats() -> None:
    corners = drawn("""
        X . .
        . O .
        . . X""", to_move=O)
    assert reasons(corners, 2).lets_make_two_threats == (6,)
    assert reasons(corners, 1).lets_make_two_threats == ()


def test_a_move_that_ends_the_game_leaves_nothing_open() -> None:
    last = drawn("""
        X O X
        X O O
        O X .""")
    assert reasons(last, 8) == ((), (), (), (), ())


def test_each_reason_means_what_it_says_in_every_position(sampled_if_quick: Sampled) -> None:
    for position in sampled_if_quick(unfinished()):
        for cell in position.legal_cells:
            why, judged = reasons(position, cell), move_value(position, cell)
            if why.completes:
                assert (judged.value, judged.distance) == (1, 1)
            if why.leaves_open:
                assert (judged.value, judged.distance) == (-1, 2)
            if why.lets_make_two_threats:
                assert (judged.value, judged.distance) == (-1, 4)
            if why.two_threats and not why.leaves_open:
                assert (judged.value, judged.distance) == (1, 3)
            if why.blocks:
                others = [reasons(position, other) for other in position.legal_cells if other != cell]
                assert all(other.completes or cell in other.leaves_open for other in others)
