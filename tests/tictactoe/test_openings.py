"""The openings of competitions: what each asks of the side to move, checked against the table of all positions."""

from tests.tictactoe.boards import drawn
from webapp.tictactoe import STANDARD, O, Position, X, openings, replay, table_of

TABLE = table_of(STANDARD)


def values(position: Position) -> dict[int, int]:
    return {cell: -TABLE[position.play(cell)].value for cell in position.legal_cells}


def test_they_are_six_two_unequal_and_four_balanced_in_turn() -> None:
    assert [opening.is_balanced for opening in openings()] == [False, True, False, True, True, True]


def test_the_first_two_are_these() -> None:
    unequal, balanced, *_ = openings()
    assert replay(unequal.cells) == drawn("""
        . X .
        . . .
        O . .""", to_move=X)
    assert replay(balanced.cells) == drawn("""
        X O X
        . . .
        . . .""", to_move=O)


def test_one_move_is_right_in_each_and_every_other_is_a_mistake() -> None:
    for opening in openings():
        position = replay(opening.cells)
        kept = [cell for cell, value in values(position).items() if value == opening.value]
        assert kept == [opening.only], opening
        assert TABLE[position].value == opening.value in (0, 1), opening


def test_nothing_presses_and_no_win_is_at_hand() -> None:
    for opening in openings():
        position = replay(opening.cells)
        assert not position.wins and not position.threats, opening
        assert TABLE[position].distance >= 5, opening


def test_several_decisions_are_left_to_who_plays_well() -> None:
    for opening in openings():
        assert most_decisions(replay(opening.cells)) >= 3, opening


def most_decisions(position: Position) -> int:
    """In the longest game in which neither side makes a mistake: the moves where the legal ones differ in value."""
    if position.is_over:
        return 0
    after, best = values(position), TABLE[position].value
    rest = max(most_decisions(position.play(cell)) for cell, value in after.items() if value == best)
    return rest + (len(set(after.values())) > 1)


def test_no_two_are_alike_by_symmetry() -> None:
    kinds = {frozenset(twin.text for twin in replay(opening.cells).twins) for opening in openings()}
    assert len(kinds) == len(openings())
