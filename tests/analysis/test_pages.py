"""The page of a position with scripts off: values, lines, reasons, links, editor, and sentences for what is wrong."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Browser
from tests.history.playing import play_people

DOCUMENT = "/analysis?position=..OXOO..X&to_move=X"
ADDRESSES = ("/analysis", "/analysis.json", "/analysis.csv", "/analysis.svg", "/analysis/tree", "/analysis/tree.svg",
             "/analysis/worksheet")  # fmt: skip


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def link(page: str, words: str) -> str:
    found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>{re.escape(words)}</a>', page)
    assert found, f"no link {words}"
    return unescape(found[1])


def section(page: str, name: str) -> str:
    found = re.search(rf'<section class="card {name}".*?</section>', page, re.S)
    assert found, f"no section {name}"
    return text_of(found[0])


def test_every_free_cell_shows_what_it_is_worth_and_leads_on(client: Browser) -> None:
    page = client.get(DOCUMENT).text
    found = re.findall(r'<a class="cell worth[^>]*href="([^"]+)">(.*?)</a>', page, re.S)
    cells = {href: text_of(words) for href, words in found}
    assert list(cells.values()) == [
        "top left: loss in 2 plies", "top centre: loss in 2 plies",
        "bottom left: win in 3 plies best", "bottom centre: loss in 2 plies",
    ]  # fmt: skip
    assert unescape(list(cells)[2]) == "/analysis?position=..OXOOX.X&to_move=O&back=6"


def test_equally_good_cells_are_all_named(client: Browser) -> None:
    page = client.get("/analysis?position=X...O...X&to_move=O").text
    assert re.findall(r'class="worth-best">([^<]+)<', page) == ["best", "as good", "as good", "as good"]
    assert "top centre: draw in 6 plies best" in text_of(page)
    assert "top right: loss in 4 plies" in text_of(page)


def test_the_headline_says_what_the_position_is_worth(client: Browser) -> None:
    for query, words in {
        "position=..OXOO..X&to_move=X": "X wins in 3 plies",
        "position=X...O...X&to_move=O": "A draw with best play",
        "position=XX.OO....&to_move=O": "O wins in 1 ply",
        "position=X.O.O.X.X&to_move=O": "O loses in 2 plies",
        "position=XXXOO....": "X has won in the top row",
        "position=XOXXOOOXX": "Drawn: the board is full",
    }.items():
        assert f"<h1>{words}</h1>" in client.get(f"/analysis?{query}").text


def test_the_line_the_reasons_and_the_questions_are_answered(client: Browser) -> None:
    page = client.get(DOCUMENT).text
    assert section(page, "analysis-line").endswith("1. X bottom left 2. O top left 3. X bottom centre")
    assert "Bottom left blocks O in the diagonal from the top right; makes two threats" in section(page, "analysis-why")
    answers = section(page, "analysis-questions")
    assert "What does minimax recommend? Bottom left: row 2, column 0" in answers
    assert "Do both suggest the same move? Yes" in answers
    assert "Minimax 45, alpha-beta 31" in answers


def test_a_recommendation_that_is_not_the_quickest_is_explained(client: Browser) -> None:
    answers = section(client.get("/analysis?position=XOX.O.X..&to_move=O").text, "analysis-questions")
    assert "Middle left is worth the same as bottom centre: both win, though not equally soon." in answers
    assert "not equally soon" not in client.get(DOCUMENT).text


def test_whether_play_can_reach_it_is_said(client: Browser) -> None:
    assert "Only a game that O began can come to this position" in text_of(client.get(DOCUMENT).text)
    assert "A game in which X begins can come to this position" in text_of(client.get("/analysis").text)


def test_the_table_shows_every_search_with_its_bar(client: Browser) -> None:
    page = client.get("/analysis").text
    table = section(page, "analysis-table")
    assert "Minimax 549,946 255,168 0 0 never top left" in table
    assert "Alpha-beta, centre first 7,275 2,893 3,090 0 alpha >= beta centre" in table
    assert re.findall(r'class="bar-part" width="([\d.]+)%"', page)[:2] == ["100.00", "3.33"]


def test_one_goes_on_from_a_cell_and_comes_back(client: Browser) -> None:
    page = client.get("/analysis?position=X...O....&to_move=X&back=0-4").text
    assert link(page, "Back one move") == "/analysis?position=X........&to_move=O&back=0"
    assert "centre, O, last move" in page
    assert "Back one move" not in client.get("/analysis?position=X...O....").text
    assert "Back one move" not in client.get("/analysis?position=X...O....&back=4-0").text


def test_a_finished_position_is_shown_as_such(client: Browser) -> None:
    page = client.get("/analysis?position=XXXOO....&back=2").text
    assert 'class="strike"' in page
    assert "worth-word" not in page and "Measure" not in page
    assert link(page, "Back one move") == "/analysis?position=XX.OO....&to_move=X"


def test_the_editor_leads_to_the_address_of_its_position(client: Browser) -> None:
    form = {f"cell{cell}": letter for cell, letter in enumerate("..OXOO..X")}
    answer = client.get("/analysis", query_string={**form, "to_move": "X"})
    assert (answer.status_code, answer.location) == (303, DOCUMENT)


def test_a_position_that_cannot_be_says_why_and_keeps_the_editor_filled_in(client: Browser) -> None:
    form = {f"cell{cell}": "." for cell in range(9)} | {"cell0": "X", "cell4": "X"}
    answer = client.get("/analysis", query_string={**form, "to_move": "O"}, follow_redirects=True)
    assert answer.status_code == 400
    assert "here X has 2 and O has 0." in answer.text
    choices = re.findall(r'<select name="(cell\d)"(.*?)</select>', answer.text, re.S)
    assert [name for name, options in choices if 'value="X" selected' in options] == ["cell0", "cell4"]
    assert '<input type="radio" name="to_move" value="O" checked>' in answer.text


texts = st.one_of(st.text("XO./", max_size=12), st.text(max_size=12), st.text("XO.", min_size=9, max_size=9))
queries = st.dictionaries(
    st.sampled_from(["position", "to_move", "back", "times", "cell0", "cell8", "search", "open", "step"]),
    st.one_of(texts, st.sampled_from(["X", "O", "0-4", "alpha-beta"])),
    max_size=5,
)


@given(query=queries)
@pytest.mark.parametrize("address", ADDRESSES)
def test_whatever_is_asked_for_there_is_an_answer_and_a_sentence(
    client: Browser, address: str, query: dict[str, str]
) -> None:
    answer = client.get(address, query_string=query)
    assert answer.status_code in (200, 303, 400)
    if answer.status_code == 400:
        said = answer.json["error"] if address.endswith(".json") else text_of(answer.text)
        assert re.search(r"[A-Z][^.]+\.", said)


@given(query=st.binary(max_size=40))
def test_so_it_is_for_any_bytes_in_the_address(client: Browser, query: bytes) -> None:
    for address in ADDRESSES:
        answer = client.get(address, environ_overrides={"QUERY_STRING": query.decode("latin-1")})
        assert answer.status_code in (200, 303, 400)


@pytest.mark.parametrize("ply", range(6))
def test_every_ply_of_a_finished_game_leads_to_its_analysis(client: Browser, ply: int) -> None:
    client.sign_up("player7")
    client.application.test_client().sign_up("Rosalind")  # type: ignore[attr-defined]
    game = play_people(client.application, "player7", "Rosalind", [0, 3, 1, 4, 2])
    page = client.get(link(client.get(f"/games/{game}/replay?ply={ply}").text, "Analyse this position")).text
    for _ in range(ply):
        page = client.get(link(page, "Back one move")).text
    assert "<h1>A draw with best play</h1>" in page


def test_the_end_of_a_game_leads_to_its_analysis(client: Browser) -> None:
    game = client.start(cell=0)
    client.send(f"{game}/resign")
    assert "&back=0-4" in link(client.get(game).text, "Analyse it, from its end backwards")
