"""The known counts of 3x3, from the empty board, root counted."""

from collections import Counter
from functools import cache

import pytest

from tests.tictactoe.boards import every_position, unfinished
from webapp.tictactoe import (
    SEARCHES,
    STANDARD,
    Board,
    BoardTooLarge,
    Mark,
    Position,
    can_count_tree,
    minimax_nodes,
    table_of,
)


@cache
def games_from(position: Position) -> Counter[Mark | None]:
    """By who wins them."""
    if position.outcome:
        return Counter([position.outcome.winner])
    return sum((games_from(position.play(cell)) for cell in position.legal_cells), Counter())


NODES = {
    "minimax": 549_946,
    "alpha-beta": 18_297,
    "alpha-beta-strict": 146_120,
    "alpha-beta-ordered": 7_275,
    "alpha-beta-ordered-strict": 72_246,
    "forced": 745,
    "forced-table": 364,
    "forced-table-symmetry": 129,
}


@pytest.mark.parametrize("name", NODES)
def test_each_search_visits_the_known_number_of_nodes(name: str) -> None:
    assert SEARCHES[name].run(Position.start()).nodes == NODES[name]


def test_minimax_ends_in_each_game_once() -> None:
    report = SEARCHES["minimax"].run(Position.start())
    assert (report.leaves, report.cutoffs, report.table_hits) == (255_168, 0, 0)


def test_there_are_255168_games() -> None:
    assert games_from(Position.start()) == {"X": 131_184, "O": 77_904, None: 46_080}
    assert games_from(Position.start()).total() == 255_168


def test_nodes_on_each_ply() -> None:
    ways, nodes = Counter([Position.start()]), []  # in how many ways each position is reached
    while ways:
        nodes.append(ways.total())
        following: Counter[Position] = Counter()
        for at, count in ways.items():
            following.update({at.play(cell): count for cell in at.legal_cells})
        ways = following
    assert nodes == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_the_nodes_of_minimax_are_known_without_walking_the_tree() -> None:
    assert minimax_nodes(Position.start()) == 549_946
    for position in unfinished()[40::97]:
        assert minimax_nodes(position) == SEARCHES["minimax"].run(position).nodes


def test_there_are_5478_positions_and_4520_of_them_are_not_finished() -> None:
    assert (len(every_position()), len(unfinished()), len(table_of(STANDARD))) == (5_478, 4_520, 5_478)


def test_there_are_765_positions_up_to_symmetry() -> None:
    assert len({min(twin.text for twin in position.twins) for position in every_position()}) == 765


def test_finished_positions_by_how_they_end() -> None:
    outcomes = (position.outcome for position in every_position())
    assert Counter(outcome.winner for outcome in outcomes if outcome) == {"X": 626, "O": 316, None: 16}


def test_a_tree_too_large_to_count_is_refused() -> None:
    board = Board(4, 4, 4)
    with pytest.raises(BoardTooLarge, match="at most 9 free cells"):
        minimax_nodes(Position.start(board))
    assert not can_count_tree(Position.start(board))
    assert minimax_nodes(Position.parse("XOXO/OXOX/OXOX/....", board=board)) == 65
