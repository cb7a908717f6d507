"""A search step by step: at each visit what a watcher would know, and pages that lead from one to the next."""

import re
from html import unescape
from itertools import pairwise

import pytest

from tests.analysis.test_pages import text_of
from tests.conftest import Browser
from tests.tictactoe.boards import unfinished
from webapp.analysis.steps import Step
from webapp.tictactoe import SEARCHES, Position, Search, Walk, X, walk_of

DOCUMENT = Position.parse("..OXOO..X", X)
TREE = "/analysis/tree?position=..OXOO..X&to_move=X"
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
a_few = (*unfinished()[900::607], DOCUMENT)


def steps_of(walk: Walk) -> list[Step]:
    return [Step(walk, number) for number in range(walk.counts.nodes + 1)]


@every_search
def test_each_visit_is_reached_once_in_the_order_of_arrival(search: Search) -> None:
    for position in a_few:
        *visits, end = steps_of(walk_of(search, position))
        assert [step.current.number for step in visits if step.current] == list(range(len(visits)))
        assert end.is_end
        assert end.current is None
        assert sum(len(step.left) for step in (*visits, end)) == len(visits)


@every_search
def test_a_move_has_come_back_or_is_under_way_or_was_not_looked_at_yet(search: Search) -> None:
    for position in a_few:
        for step in steps_of(walk_of(search, position)):
            for one in step.way:
                known = [child.move for child in one.seen] + ([one.going_on.move] if one.going_on else [])
                cells = [one.node.position.board.cell_name(cell) for cell in one.node.position.legal_cells]
                assert sorted([*known, *one.not_yet]) == sorted(cells)  # type: ignore[list-item]


@pytest.mark.parametrize("name", [name for name in SEARCHES if name.startswith("alpha-beta")])
def test_the_window_by_now_is_the_one_that_the_next_child_is_given(name: str) -> None:
    for position in a_few:
        for step in steps_of(walk_of(SEARCHES[name], position)):
            for one in step.way:
                assert one.going_on is None or one.window == one.going_on.window


@every_search
def test_the_counters_grow_to_those_of_the_whole_search(search: Search) -> None:
    for position in a_few:
        walk = walk_of(search, position)
        counts = [step.counts for step in steps_of(walk)]
        assert [count.nodes for count in counts[:-1]] == list(range(1, walk.counts.nodes + 1))
        assert counts[-1] == walk.counts
        assert all(list(map(max, before, after)) == list(after) for before, after in pairwise(counts))


def keys_on(page: str) -> dict[str, int]:
    links = re.findall(r'href="[^"]+&amp;step=(\d+)" data-key="(\w+)"', page)
    return {key: int(number) for number, key in links}


def test_the_steps_are_plain_links(client: Browser) -> None:
    assert keys_on(client.get(f"{TREE}&step=0").text) == {"ArrowRight": 1, "c": 6, "End": 31}
    middle = {"Home": 0, "ArrowLeft": 5, "ArrowRight": 7, "c": 10, "End": 31}
    assert keys_on(client.get(f"{TREE}&step=6").text) == middle
    assert keys_on(client.get(f"{TREE}&step=31").text) == {"Home": 0, "ArrowLeft": 30}
    assert "c" not in keys_on(client.get(f"{TREE}&search=minimax&step=0").text)


def test_a_visit_tells_its_window_its_condition_and_what_came_back(client: Browser) -> None:
    page = text_of(client.get(f"{TREE}&step=17").text)
    assert "Visit 17 X plays bottom left. MIN: O is to move. Cut as soon as a child is <= -1." in page
    assert "nodes 18 leaves 7 cut-offs 4" in page
    assert "16 O bottom left comes back with -1 . O has won." in page
    assert "10 X top centre comes back with -1 . Cut: value -1 <= alpha -1: X would never let it come to this." in page
    assert "Never visited: bottom centre." in page
    assert "0 The position. MAX, X to move: alpha -∞ → -1, beta +∞" in page
    assert "top left -1 , top centre -1 , bottom left now; not looked at yet: bottom centre." in page


def test_at_a_finished_position_nobody_is_to_move(client: Browser) -> None:
    won = text_of(client.get("/analysis/tree?position=XOX.O.X..&to_move=O&search=alpha-beta&step=3").text)
    assert "The game is over here: O has won. The value 1 comes back." in won
    assert "MIN: X is to move" not in won
    full = text_of(client.get("/analysis/tree?position=XOXXOOO.X&to_move=X&search=minimax&step=1").text)
    assert "The game is over here: the board is full. The value 0 comes back." in full


def test_the_end_tells_what_is_recommended(client: Browser) -> None:
    page = text_of(client.get(f"{TREE}&step=31").text)
    assert "The search is over Alpha-beta recommends bottom left for X: value 1." in page


def test_any_step_of_the_long_searches_is_found(client: Browser) -> None:
    for name, number in (("alpha-beta", 18_296), ("alpha-beta-strict", 146_119), ("minimax", 400_000)):
        answer = client.get(f"/analysis/tree?search={name}&step={number}")
        assert answer.status_code == 200
        assert f"<h1 id=\"headline\" tabindex=\"-1\">Visit {number:,}</h1>" in answer.text


def test_from_a_step_one_comes_to_its_place_in_the_tree(client: Browser) -> None:
    page = client.get(f"{TREE}&step=14").text
    address = unescape(re.search(r'href="([^"]+)">Here in the tree<', page)[1])  # type: ignore[index]
    assert address.endswith("&open=0-10-11-14#visit-14")
    assert 'id="visit-14"' in client.get(address).text


@pytest.mark.parametrize("step", ["32", "-1", "", "1.5", "x", "%D9%A3", "1 ", "9999999", "549946"])
def test_a_visit_that_there_is_not_is_refused(client: Browser, step: str) -> None:
    answer = client.get(f"{TREE}&step={step}")
    assert answer.status_code == 400
    assert "The visits of this search are numbered from 0 to 30." in answer.text
