"""A search can be watched: each visit, its window, and why it was left."""

from math import inf

import pytest

from tests.tictactoe.boards import drawn, oracle, unfinished
from tests.tictactoe.watching import Visit, watch
from webapp.tictactoe import SEARCHES, Board, Position, Report, Search, Why
from webapp.tictactoe.search.deepening import Deepening

every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
a_few = unfinished()[700::173]


def visits(search: Search, position: Position) -> list[Visit]:
    told: list[Visit] = []
    watch(search, position, told.append)
    return told


def counts(report: Report) -> tuple[int, float, int, int, int, int]:
    return report.cell, report.score, report.nodes, report.leaves, report.cutoffs, report.table_hits


@every_search
def test_watching_changes_nothing(search: Search) -> None:
    for position in a_few:
        assert counts(watch(search, position, lambda visit: None)) == counts(search.run(position))


@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "deepening"])
def test_each_node_is_told_once_and_the_counts_agree(name: str) -> None:
    for position in a_few:
        report, told = SEARCHES[name].run(position), visits(SEARCHES[name], position)
        assert sorted(visit.number for visit in told) == list(range(report.nodes))
        assert sum(visit.is_cut for visit in told) == report.cutoffs
        assert sum(visit.why is Why.TABLE for visit in told) == report.table_hits


@every_search
def test_the_visits_form_a_tree(search: Search) -> None:
    for position in a_few:
        told = visits(search, position)
        by_number = {visit.number: visit for visit in told}
        assert (told[-1].number, told[-1].parent, told[-1].cell, told[-1].position) == (0, None, None, position)
        for visit in told[:-1]:
            assert visit.parent is not None
            assert visit.cell is not None
            assert by_number[visit.parent].position.play(visit.cell) == visit.position


@every_search
def test_every_value_told_is_true_as_far_as_its_window_goes(search: Search) -> None:
    for position in a_few:
        for visit in visits(search, position):
            if visit.why is Why.HORIZON or search.name == "deepening":
                continue
            truth = oracle(visit.position.text, visit.position.to_move)[0]
            value = max(-1, min(visit.value, 1))
            assert value <= truth or visit.value < visit.beta
            assert value >= truth or visit.value > visit.alpha
            if visit.alpha < visit.value < visit.beta:
                assert value == truth


def test_a_cut_is_told_where_the_value_has_reached_beta() -> None:
    for visit in visits(SEARCHES["alpha-beta"], drawn("""
        X O .
        . X .
        . . O""")):
        assert (visit.why is Why.CUT) <= (visit.value >= visit.beta)


def test_minimax_has_an_open_window_everywhere() -> None:
    assert {(visit.alpha, visit.beta) for visit in visits(SEARCHES["minimax"], a_few[0])} == {(-inf, inf)}


def whys(name: str, position: Position) -> set[Why]:
    return {visit.why for visit in visits(SEARCHES[name], position)}


def test_textbook_searches_leave_for_textbook_reasons() -> None:
    middle = drawn("""
        X . O
        . . .
        . . .""")
    assert whys("minimax", middle) == {Why.ALL_MOVES, Why.LINE, Why.FULL_BOARD}
    assert whys("alpha-beta", middle) == {Why.ALL_MOVES, Why.LINE, Why.FULL_BOARD, Why.CUT}


def test_forced_moves_give_reasons_of_their_own() -> None:
    assert whys("forced", Position.start()) == {
        Why.ALL_MOVES, Why.CUT, Why.NO_GAIN, Why.BEST_FOUND, Why.TWO_THREATS,
    }  # fmt: skip
    assert whys("forced", drawn("""
        X O X
        X O O
        O X .""")) == {Why.BEST_FOUND, Why.FULL_BOARD}
    assert Why.TABLE in whys("forced-table", Position.start())


def test_a_visit_says_that_a_win_is_at_hand() -> None:
    (root,) = visits(SEARCHES["forced"], drawn("""
        X X .
        O O .
        . . ."""))
    assert (root.why, root.value) == (Why.WIN_AT_HAND, 5)


def test_a_visit_says_that_two_threats_cannot_be_answered() -> None:
    told = visits(SEARCHES["forced"], drawn("""
        X . .
        . O .
        O . X"""))
    fork = next(visit for visit in told if visit.cell == 2)
    assert (fork.why, fork.value) == (Why.TWO_THREATS, -3)


def test_a_visit_says_that_the_horizon_is_reached() -> None:
    told: list[Visit] = []
    watch(Deepening("", "", "", most_nodes=100), Position.start(Board(5, 5, 4)), told.append)
    assert Why.HORIZON in {visit.why for visit in told}
    assert told[-1].number == 0
