"""The tree of a search: what is said at a node is what the search did there, and links open it level by level."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from math import inf
from xml.etree import ElementTree

import pytest

from tests.analysis.test_pages import link, text_of
from tests.conftest import Browser
from tests.tictactoe.boards import unfinished
from tests.tictactoe.watching import watched
from webapp.analysis.open_tree import MOST_SHOWN, OpenTree
from webapp.analysis.tree import TreeNode, roots
from webapp.analysis.tree_picture import ROW, picture_of
from webapp.analysis.tree_words import comparison, condition, figure, why_left, why_never
from webapp.errors import BadRequest
from webapp.tictactoe import SEARCHES, Position, Search, Why, X, walk_of

DOCUMENT = Position.parse("..OXOO..X", X)
TREE = "/analysis/tree?position=..OXOO..X&to_move=X"
COMPARE = {">=": float.__ge__, ">": float.__gt__, "<=": float.__le__, "<": float.__lt__}
TOLD = re.compile(r"value (\S+) (\S+) (alpha|beta) (\S+): ([XO]) would never let it come to this")
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
a_few = (*unfinished()[150::401], DOCUMENT)


def below(node: TreeNode) -> Iterator[TreeNode]:
    yield node
    for child in node.children:
        yield from below(child)


def all_nodes(search: Search, position: Position) -> list[TreeNode]:
    return [node for root in roots(walk_of(search, position)) for node in below(root)]


@every_search
def test_max_is_the_side_to_move_at_the_root_and_values_are_its_own(search: Search) -> None:
    if search.name == "deepening":
        return  # a watcher numbers its visits otherwise; test_walk compares them
    for position in a_few:
        for node, visit in zip(all_nodes(search, position), watched(search, position), strict=True):
            sign = 1 if visit.position.to_move is position.to_move else -1
            assert node.is_max == (sign == 1)
            assert node.value == sign * visit.value
            assert sorted(node.window) == list(node.window) == sorted((sign * visit.alpha, sign * visit.beta))
            assert node.why is visit.why


@every_search
def test_every_comparison_that_is_told_is_true(search: Search) -> None:
    cuts = [node for position in a_few for node in all_nodes(search, position) if node.why is Why.CUT]
    assert bool(cuts) == (search.name != "minimax")
    for node in cuts:
        told = TOLD.match(comparison(node))
        assert told, comparison(node)
        bound = node.window[told[3] == "beta"]
        assert (told[1], told[4]) == (figure(node.value), figure(bound))
        assert COMPARE[told[2]](float(node.value), float(bound))
        assert told[2][1:] == ("" if search.name.endswith("strict") else "=")
        assert told[5] == node.side.other


@every_search
def test_the_chosen_child_gave_its_parent_the_value(search: Search) -> None:
    for node in (node for position in a_few for node in all_nodes(search, position)):
        chosen = [child for child in node.children if child.is_chosen]
        assert len(chosen) <= 1
        assert all(child.value == node.value for child in chosen)
        if node.children and search.name in ("minimax", "alpha-beta", "alpha-beta-strict"):
            assert chosen


@every_search
def test_the_condition_told_on_arrival_is_the_one_that_cuts(search: Search) -> None:
    for node in (node for position in a_few for node in all_nodes(search, position)):
        told = re.match(r"Cut as soon as a child is (\S+) (\S+)\.", condition(node))
        assert told or node.why is not Why.CUT
        if told and node.bound is not None:
            assert told[2] == figure(node.bound)
            met = [child for child in node.children if COMPARE[told[1]](float(child.value), float(node.bound))]
            assert met == node.children[-1:] * node.branch.node.is_cut


@every_search
def test_every_node_has_its_words(search: Search) -> None:
    for node in (node for position in a_few for node in all_nodes(search, position)):
        assert re.fullmatch(r"[A-Z].+\.", why_left(node))
        assert re.fullmatch(r"[A-Z].+\.", condition(node))
        if node.passed_over:
            assert re.fullmatch(r"[A-Z].+\.", why_never(node))


def test_figures_are_short() -> None:
    assert [figure(value) for value in (inf, -inf, 0, -0.0, 1, -5, 0.0274)] == ["+∞", "-∞", "0", "0", "1", "-5", "0.03"]


def test_the_picture_gives_every_end_a_row_of_its_own() -> None:
    walk = walk_of(SEARCHES["alpha-beta"], DOCUMENT)
    picture = picture_of(OpenTree(walk, range(walk.counts.nodes)))
    assert sum(one.node is not None for one in picture.placed) == 31
    places = [(one.x, one.y) for one in picture.placed]
    assert len(set(places)) == len(places)
    by_column: dict[float, list[float]] = {}
    for x, y in places:
        by_column.setdefault(x, []).append(y)
    for rows in by_column.values():
        assert rows == sorted(rows)
        assert all(after - before >= ROW for before, after in pairwise(rows))


def test_no_more_is_open_than_can_be_shown() -> None:
    walk = walk_of(SEARCHES["minimax"], Position.start())
    first = [branch.number for branch in walk.rounds[0].children]
    second = [branch.number for branch in next(walk.rounds[0].children).children]
    assert OpenTree(walk, {0, *first}).shown == 1 + 9 + 72
    for opened in ({0, *first, *second}, range(130), range(549_946)):
        with pytest.raises(BadRequest, match="level by level"):
            OpenTree(walk, opened)


def nodes_on(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'id="visit-(\d+)"', page)]


def test_the_tree_opens_level_by_level_and_the_address_says_what_is_open(client: Browser) -> None:
    page = client.get(TREE).text
    assert nodes_on(page) == [0, 1, 10, 17, 26]
    opening = unescape(re.search(r'href="([^"]+)">Open \d moves<span class="unseen"> below visit 10<', page)[1])  # type: ignore[index]
    assert opening == "/analysis/tree?position=..OXOO..X&to_move=X&search=alpha-beta&open=0-10#visit-10"
    page = client.get(opening).text
    assert nodes_on(page) == [0, 1, 10, 11, 16, 17, 26]
    closing = unescape(re.search(r'href="([^"]+)">Close<span class="unseen"> visit 10<', page)[1])  # type: ignore[index]
    assert nodes_on(client.get(closing).text) == [0, 1, 10, 17, 26]


def test_what_was_never_visited_is_there_with_the_comparison_that_cut_it(client: Browser) -> None:
    page = text_of(client.get(f"{TREE}&open=0-10").text)
    assert "Never visited: bottom centre. Value -1 <= alpha -1: X would never let it come to this." in page
    assert "10 X plays top centre: value -1 MIN, O to move; alpha -1, beta +∞ → -1. Cut: value -1 <= alpha -1" in page
    assert "17 X plays bottom left: value 1 chosen" in page


def test_a_small_tree_can_be_opened_whole(client: Browser) -> None:
    page = client.get(link(client.get(TREE).text, "Open all 31")).text
    assert nodes_on(page) == list(range(31))
    assert "Open all" not in client.get("/analysis/tree").text


@every_search
def test_every_search_has_a_tree_from_every_position(client: Browser, search: Search) -> None:
    for text in (".........", "X...O....", "..OXOO..X", "XX.OO...."):
        page = client.get(f"/analysis/tree?position={text}&search={search.name}")
        assert page.status_code == 200
        assert nodes_on(page.text)[0] == 0


def test_the_picture_can_be_saved_as_a_file(client: Browser) -> None:
    address = unescape(re.search(r'href="(/analysis/tree\.svg[^"]+)"', client.get(f"{TREE}&open=all").text)[1])  # type: ignore[index]
    answer = client.get(address)
    assert answer.mimetype == "image/svg+xml"
    words = ["".join(text.itertext()) for text in ElementTree.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}text")]
    assert sum("visit" in text and text != "never visited" for text in words) == 31
    assert words.count("never visited") == 6
    assert "MIN, visit 10, cut" in words


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("search=nothing", "The search must be one of minimax, alpha-beta,"),
        ("open=all", "At most 120 nodes are shown at once."),
        ("open=1--2", "This link does not lead to any part of the tree."),
        ("position=XXXOO....", "The game is over in this position, so there is nothing to search."),
        ("position=XX.......", "here X has 2 and O has 0."),
        ("open=" + "-".join(map(str, range(201))), "This link does not lead to any part of the tree."),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_sentence(client: Browser, query: str, sentence: str) -> None:
    for address in ("/analysis/tree", "/analysis/tree.svg"):
        answer = client.get(f"{address}?{query}")
        assert answer.status_code == 400
        assert sentence in text_of(answer.text)


def test_numbers_of_no_visit_open_nothing(client: Browser) -> None:
    assert nodes_on(client.get(f"{TREE}&open=999999").text) == [0]
    assert MOST_SHOWN == 120
