"""The walk of a search is found without walking, and is the one that a watcher sees: visit for visit, cut for cut."""

from collections.abc import Iterator

import pytest

from tests.conftest import Sampled
from tests.tictactoe.boards import begun_by_o, drawn, unfinished
from tests.tictactoe.watching import Visit, visit_of, watch, watched
from webapp.tictactoe import (
    SEARCHES,
    Board,
    BoardTooLarge,
    Branch,
    Counts,
    GameAlreadyOver,
    Position,
    Search,
    Walk,
    Why,
    X,
    walk_of,
)

every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
MINIMAX, ALPHA_BETA = SEARCHES["minimax"], SEARCHES["alpha-beta"]
a_few = (*unfinished()[90::197], drawn("""
    . . O
    X O O
    . . X""", X))


def all_of(walk: Walk) -> Iterator[Branch]:
    """Every visit of the walk, in order, by way of the children."""

    def below(branch: Branch) -> Iterator[Branch]:
        yield branch
        for child in branch.children:
            yield from below(child)

    for root in walk.rounds:
        yield from below(root)


def as_watched(walk: Walk) -> list[Visit]:
    """A watcher tells of one root, also where the search begins again, and numbers the rest without the others."""
    roots = {root.number for root in walk.rounds}
    kept = [visit_of(walk.rounds[-1])._replace(number=0)]
    for branch in all_of(walk):
        if branch.number not in roots:
            skipped = sum(root.number < branch.number for root in walk.rounds) - 1
            parent = 0 if branch.parent in roots else branch.parent - skipped  # type: ignore[operator]
            kept.append(visit_of(branch)._replace(number=branch.number - skipped, parent=parent))
    return kept


@every_search
def test_the_visits_are_those_of_a_real_walk(search: Search) -> None:
    for position in a_few:
        assert as_watched(walk_of(search, position)) == watched(search, position)


@pytest.mark.parametrize("name", ["alpha-beta", "forced", "forced-table", "forced-table-symmetry", "deepening"])
def test_so_are_those_from_the_empty_board(name: str) -> None:
    assert as_watched(walk_of(SEARCHES[name], Position.start())) == watched(SEARCHES[name], Position.start())


@every_search
def test_the_counts_are_those_of_a_real_run_wherever_it_begins_and_whoever_began(
    search: Search, sampled_if_quick: Sampled
) -> None:
    for position in sampled_if_quick(unfinished()[82::7]):
        report, walk = search.run(position), walk_of(search, begun_by_o(position))
        assert walk.counts == (report.nodes, report.leaves, report.cutoffs, report.table_hits), position
        assert (walk.cell, walk.score) == (report.cell, report.score)


@pytest.mark.parametrize(
    ("name", "counts"),
    {
        "minimax": (549_946, 255_168, 0, 0),
        "alpha-beta": (18_297, 7_330, 8_180, 0),
        "alpha-beta-strict": (146_120, 62_162, 37_788, 0),
        "alpha-beta-ordered": (7_275, 2_893, 3_090, 0),
        "alpha-beta-ordered-strict": (72_246, 29_285, 21_414, 0),
    }.items(),
)
def test_the_known_counts_from_the_empty_board(name: str, counts: tuple[int, ...]) -> None:
    assert walk_of(SEARCHES[name], Position.start()).counts == counts


def test_the_board_of_the_third_course_document_has_45_and_31_nodes() -> None:
    position = Position.parse("..O/XOO/..X", X)
    assert [walk_of(search, position).counts.nodes for search in (MINIMAX, ALPHA_BETA)] == [45, 31]
    assert {walk_of(search, position).cell for search in (MINIMAX, ALPHA_BETA)} == {6}


@every_search
def test_any_visit_is_found_by_its_number(search: Search) -> None:
    for position in a_few[::3]:
        walk = walk_of(search, position)
        for branch in all_of(walk):
            *before, found = walk.path_to(branch.number)
            assert found == branch
            assert [each.number for each in before][-1:] == ([] if branch.parent is None else [branch.parent])


def test_a_visit_of_plain_minimax_from_the_empty_board_is_found_too() -> None:
    walk = walk_of(MINIMAX, Position.start())
    path = walk.path_to(400_000)
    assert [branch.number for branch in path[1:]] == sorted(branch.number for branch in path[1:])
    position = Position.start()
    for branch in path[1:]:
        position = position.play(branch.cell)  # type: ignore[arg-type]
    assert (path[-1].number, path[-1].position) == (400_000, position)


@pytest.mark.parametrize("number", [-1, 45])
def test_there_is_no_visit_beyond_the_last(number: int) -> None:
    with pytest.raises(IndexError, match=r"^The visits are numbered from 0 to 44\.$"):
        walk_of(MINIMAX, Position.parse("..O/XOO/..X", X)).path_to(number)


@every_search
def test_what_is_left_before_each_arrival_is_what_a_watcher_is_told_meanwhile(search: Search) -> None:
    for position in a_few[::3]:
        walk = walk_of(search, position)
        left = [branch.number for k in range(walk.counts.nodes + 1) for branch in walk.left_before(k)]
        told: list[int] = []
        watch(search, position, lambda visit, told=told: told.append(visit.number))  # type: ignore[misc]
        assert len(left) == walk.counts.nodes == len(set(left))
        if len(walk.rounds) == 1:
            assert left == told


@every_search
def test_the_counts_at_each_arrival_add_up_what_was_left_before(search: Search) -> None:
    for position in a_few[::4]:
        walk = walk_of(search, position)
        leaves = cuts = hits = 0
        for number in range(walk.counts.nodes + 1):
            for branch in walk.left_before(number):
                leaves += branch.node.is_leaf
                cuts += branch.node.is_cut
                hits += branch.node.is_table_hit
            assert walk.counts_before(number) == Counts(number, leaves, cuts, hits)


@every_search
def test_the_next_cut_is_the_first_arrival_after_one(search: Search) -> None:
    for position in a_few[::4]:
        walk = walk_of(search, position)
        cuts = [n for n in range(walk.counts.nodes + 1) if any(visit_of(one).is_cut for one in walk.left_before(n))]
        for number in range(walk.counts.nodes + 1):
            assert walk.next_cut(number) == next((cut for cut in cuts if cut > number), None)


@every_search
def test_moves_are_looked_at_or_passed_over_and_none_both(search: Search) -> None:
    for position in a_few:
        for branch in all_of(walk_of(search, position)):
            seen = [child.cell for child in branch.children]
            assert sorted([*seen, *branch.cells_passed_over]) == list(branch.position.legal_cells)  # type: ignore[type-var]
            if branch.cells_passed_over and search.name.startswith("alpha-beta"):
                assert branch.why is Why.CUT


def test_equal_subtrees_are_kept_once() -> None:
    nodes = {id(node) for node in graph(walk_of(MINIMAX, Position.start()).rounds[0])}
    assert len(nodes) == 5_478


def graph(root: Branch) -> Iterator[object]:
    found, front = {id(root.node): root.node}, [root.node]
    while front:
        children = {id(child): child for node in front for child in node.children}
        front = [child for key, child in children.items() if key not in found]
        found |= children
    yield from found.values()


def test_searches_on_larger_boards_are_not_recorded() -> None:
    with pytest.raises(BoardTooLarge, match="at most 9 cells"):
        walk_of(ALPHA_BETA, Position.start(Board(4, 4, 4)))


def test_there_is_no_walk_once_the_game_is_over() -> None:
    with pytest.raises(GameAlreadyOver):
        walk_of(ALPHA_BETA, Position.parse("XXXOO...."))


@every_search
def test_every_search_says_what_its_counts_count(search: Search) -> None:
    assert search.convention.startswith("The root counts. ")
    assert search.convention.endswith(".")
