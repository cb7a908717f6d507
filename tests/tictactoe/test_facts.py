"""The counts that every book gives for 3x3, from the empty board, root counted."""

import pytest

from webapp.tictactoe import SEARCHES, STANDARD, Position, minimax_nodes, table_of

NODES = {
    "minimax": 549_946,
    "alpha-beta": 18_297,
    "alpha-beta-strict": 146_120,
    "alpha-beta-ordered": 7_275,
    "alpha-beta-ordered-strict": 72_246,
}


@pytest.mark.parametrize("name", NODES)
def test_each_textbook_search_visits_the_known_number_of_nodes(name):
    assert SEARCHES[name].run(Position.start()).nodes == NODES[name]


def test_the_nodes_of_minimax_are_known_without_walking_the_tree():
    assert minimax_nodes(Position.start()) == 549_946


def test_there_are_5478_positions():
    assert len(table_of(STANDARD)) == 5_478
