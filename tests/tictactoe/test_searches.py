"""Every search against plain minimax, on every position, from both starting sides."""

import pytest

from tests.conftest import Sampled
from tests.tictactoe.boards import begun_by_o, drawn, oracle, unfinished
from webapp.tictactoe import SEARCHES, GameAlreadyOver, O, Position, Report, Search

EXACT_DISTANCE = ("forced", "forced-table", "forced-table-symmetry", "deepening")
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
other_searches = pytest.mark.parametrize("name", [name for name in SEARCHES if name != "minimax"])
a_few = unfinished()[20::61]  # not the first plies, whose trees are large


def test_minimax_agrees_with_the_oracle(sampled_if_quick: Sampled) -> None:
    for position in sampled_if_quick(unfinished()):
        assert SEARCHES["minimax"].run(position).value == oracle(position.text, position.to_move)[0]


@other_searches
def test_every_search_gives_the_value_of_minimax(name: str, sampled_if_quick: Sampled) -> None:
    for position in sampled_if_quick(unfinished()):
        report, value = SEARCHES[name].run(position), oracle(position.text, position.to_move)[0]
        assert report.value == value, position
        assert oracle_after(position, report.cell)[0] == value, position


def oracle_after(position: Position, cell: int) -> tuple[int, int]:
    """What the cell is worth to the side that plays it, and in how many plies."""
    after = position.play(cell)
    value, plies = oracle(after.text, after.to_move)
    return -value, plies + 1


@other_searches
def test_who_began_makes_no_difference_to_a_search(name: str, sampled_if_quick: Sampled) -> None:
    for position in sampled_if_quick(unfinished()):
        ours, theirs = SEARCHES[name].run(position), SEARCHES[name].run(begun_by_o(position))
        assert (ours.value, ours.cell, ours.nodes) == (theirs.value, theirs.cell, theirs.nodes)


@pytest.mark.parametrize("name", EXACT_DISTANCE)
def test_searches_with_forced_moves_take_the_quickest_win_and_the_slowest_loss(
    name: str, sampled_if_quick: Sampled
) -> None:
    for position in sampled_if_quick(unfinished()):
        best = oracle(position.text, position.to_move)
        equals = [cell for cell in position.legal_cells if oracle_after(position, cell) == best]
        assert SEARCHES[name].run(position).cell == equals[0], position


@every_search
def test_the_expected_line_leads_to_the_value_in_as_many_plies_as_it_says(search: Search) -> None:
    for position in a_few:
        report = search.run(position)
        end = position
        for cell in report.line:
            end = end.play(cell)
        assert end.outcome
        assert report.value == {position.to_move: 1, None: 0}.get(end.outcome.winner, -1)
        assert report.distance == len(report.line)
        if search.name in EXACT_DISTANCE:
            assert report.distance == oracle(position.text, position.to_move)[1]


@every_search
def test_counts_add_up(search: Search) -> None:
    for position in a_few:
        report = search.run(position)
        assert report.nodes > 0
        assert report.leaves + report.cutoffs + report.table_hits <= report.nodes
        assert search.run(position).nodes == report.nodes


def test_each_refinement_visits_fewer_nodes_in_all() -> None:
    ladder = ("minimax", "alpha-beta-strict", "alpha-beta", "alpha-beta-ordered", "forced")
    totals = [sum(SEARCHES[name].run(position).nodes for position in a_few) for name in ladder]
    assert totals == sorted(totals, reverse=True)


@every_search
def test_there_is_nothing_to_search_once_the_game_is_over(search: Search) -> None:
    won = drawn("""
        X X X
        O O .
        . . .""")
    with pytest.raises(GameAlreadyOver, match=r"^There is nothing to search: X has won\.$"):
        search.run(won)


@every_search
def test_every_search_has_words_for_people(search: Search) -> None:
    assert SEARCHES[search.name] is search
    assert search.title[0].isupper()
    assert search.description.endswith(".")


def test_a_win_at_hand_is_taken_at_once() -> None:
    report: Report = SEARCHES["forced"].run(drawn("""
        X X .
        O O .
        . . ."""))
    assert (report.cell, report.value, report.distance, report.nodes, report.leaves) == (2, 1, 1, 1, 1)


def test_a_threat_is_answered_without_looking_elsewhere() -> None:
    position = drawn("""
        O O .
        . X .
        . . .""", to_move=O.other)
    assert SEARCHES["forced"].run(position).cell == 2
    assert SEARCHES["forced"].run(position).nodes < 10
