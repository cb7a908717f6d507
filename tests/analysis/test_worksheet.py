"""The worksheet: the whole tree with blank boxes, and answers that are those of the search."""

import re

import pytest

from tests.analysis.test_pages import link, text_of
from tests.conftest import Browser
from tests.tictactoe.boards import begun_by_o, unfinished
from webapp.analysis.worksheet import BY_HAND, WIDTH, SheetNode, Worksheet, fits
from webapp.tictactoe import SEARCHES, Position, Search, X, minimax_nodes

DOCUMENT = Position.parse("..OXOO..X", X)
SHEET = "/analysis/worksheet?position=..OXOO..X&to_move=X"
by_hand = pytest.mark.parametrize("search", BY_HAND.values(), ids=BY_HAND)
a_few = [*[position for position in unfinished() if fits(position)][::211], DOCUMENT]


def test_it_is_for_the_searches_of_the_books() -> None:
    assert list(BY_HAND) == list(SEARCHES)[:5]


@by_hand
def test_the_sheet_holds_the_whole_tree_and_the_answers_those_of_the_search(search: Search) -> None:
    for position in (side for each in a_few for side in (each, begun_by_o(each))):
        sheet, report = Worksheet(position, search), search.run(position)
        nodes = [one.node for one in sheet.placed]
        assert len(nodes) == minimax_nodes(position) == sheet.whole
        visits = [node.visit for node in nodes if node.visit]
        assert sorted(visit.number for visit in visits) == list(range(report.nodes))
        assert all(node.visit is None or node.visit.position == node.position for node in nodes)
        assert (sheet.walk.cell, sheet.root.visit and sheet.root.visit.value) == (report.cell, report.value)
        assert len(sheet.cuts) <= report.cutoffs
        assert bool(sheet.cuts) == (report.nodes < sheet.whole)


def ends(node: SheetNode) -> int:
    return sum(map(ends, node.children)) or 1


@by_hand
def test_no_node_lies_on_another_and_none_beside_the_page(search: Search) -> None:
    for position in a_few:
        sheet = Worksheet(position, search)
        assert len({(one.x, one.y) for one in sheet.placed}) == len(sheet.placed)
        assert ends(sheet.root) == sheet.root.rows <= 24
        boxes = 3 if sheet.has_window else 1
        assert max(one.x for one in sheet.placed) + 36 + boxes * (sheet.box + 4) <= WIDTH
        assert sheet.box >= 25  # a little over six millimetres to write in


def test_every_position_with_four_free_cells_fits_and_none_with_more() -> None:
    assert {position.free.bit_count() for position in unfinished() if fits(position)} == {1, 2, 3, 4}
    assert not fits(Position.parse("XXXOO...."))


def answers_on(page: str) -> list[str]:
    return re.findall(r'<text class="answer"[^>]*>([^<]+)<', page)


def test_the_worksheet_is_blank_and_the_answer_sheet_is_not(client: Browser) -> None:
    blank, filled = (client.get(f"{SHEET}&part={part}").text for part in ("worksheet", "answers"))
    assert (len(answers_on(blank)), len(answers_on(filled))) == (0, 31)
    assert blank.count('class="box"') == filled.count('class="box"') == 3 * 45
    assert (blank.count('class="struck"'), filled.count('class="struck"')) == (0, 45 - 31)
    assert "Bottom left: row 2, column 0" in filled and "31 of 45" in filled
    assert "Node 11: value -1 &lt;= alpha -1: X would never let it come to this." in filled
    assert "row 2" not in blank and "of 45" not in blank


def test_both_come_unless_one_is_asked_for(client: Browser) -> None:
    page = client.get(SHEET).text
    assert re.findall(r'<section class="sheet sheet-(\w+)" aria-label="([^"]+)"', page) == [
        ("a4", "Worksheet"), ("a4", "Answer sheet"),
    ]  # fmt: skip
    assert 'class="sheet sheet-letter"' in client.get(f"{SHEET}&paper=letter").text


def test_minimax_has_no_boxes_for_alpha_and_beta(client: Browser) -> None:
    page = client.get(f"{SHEET}&search=minimax&part=answers").text
    assert page.count('class="box"') == len(answers_on(page)) == 45
    assert "45 of 45" in page


def test_a_tree_that_is_too_large_is_told_so_and_another_offered(client: Browser) -> None:
    page = client.get("/analysis/worksheet").text
    assert "too large for a page" in text_of(page)
    assert "sheet-a4" not in page
    assert link(page, "The project’s board") == SHEET
    assert "The game is over" in client.get("/analysis/worksheet?position=XXXOO....").text


@pytest.mark.parametrize("query", ["paper=a5", "part=all", "search=forced", "search=x", "position=XX......."])
def test_what_there_is_not_is_refused_with_a_sentence(client: Browser, query: str) -> None:
    answer = client.get(f"/analysis/worksheet?{query}")
    assert answer.status_code == 400
    assert re.search(r"must be one of|move in turn", text_of(answer.text))


def test_the_position_and_its_tree_lead_to_their_worksheet(client: Browser) -> None:
    assert link(client.get("/analysis?position=..OXOO..X&to_move=X").text, "Worksheet with answers") == SHEET
    tree = client.get(f"{SHEET.replace('worksheet', 'tree')}&search=minimax").text
    assert link(tree, "Worksheet") == f"{SHEET}&search=minimax"
    assert "Worksheet with answers" not in client.get("/analysis").text
