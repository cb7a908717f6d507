"""A position laid open in a real browser: set up, read, gone on from, measured; with scripts on and off."""

import re

import pytest
from playwright.sync_api import Page, expect


def set_up(page: Page, scripts: bool, marks: dict[str, str]) -> None:
    """By pressing the cells where scripts are on, by the choices where they are off."""
    for name, mark in marks.items():
        if scripts:
            for _ in range("XO".index(mark) + 1):
                page.get_by_role("button", name=re.compile(f"^{name}, ")).click()
        else:
            page.get_by_role("combobox", name=name, exact=True).select_option(mark)


def test_a_position_is_set_up_read_gone_on_from_and_measured(page: Page, scripts: bool) -> None:
    page.goto("/labs")
    page.get_by_role("link", name="Analyse any position").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A draw with best play")
    board = {"top right": "O", "middle left": "X", "centre": "O", "middle right": "O", "bottom right": "X"}
    set_up(page, scripts, board)
    page.get_by_label("X", exact=True).check()
    page.get_by_role("button", name="Show this position").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("X wins in 3 plies")
    assert page.url.endswith("/analysis?position=..OXOO..X&to_move=X")
    expect(page.locator(".answers")).to_contain_text("Minimax 45, alpha-beta 31")

    page.get_by_role("link", name="bottom left: win in 3 plies best").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("O loses in 2 plies")
    page.get_by_role("link", name="Turn").click()
    expect(page.get_by_role("img", name="top left, X, last move")).to_be_visible()
    page.get_by_role("link", name="Back one move").click()
    expect(page.get_by_role("link", name="top left: win in 3 plies best")).to_be_visible()

    page.get_by_role("button", name="Measure").click()
    expect(page.locator(".analysis-times tbody tr")).to_have_count(9)
    expect(page.locator(".analysis-times tbody")).to_contain_text(" ms")

    page.goto("/analysis")
    set_up(page, scripts, {"centre": "X", "top left": "X"})
    page.get_by_role("button", name="Show this position").click()
    expect(page.get_by_role("alert")).to_contain_text("here X has 2 and O has 0.")


def test_a_search_is_opened_and_stepped_through(page: Page, scripts: bool) -> None:
    page.goto("/analysis?position=..OXOO..X&to_move=X")
    page.get_by_role("link", name="Open the tree").click()
    page.get_by_role("link", name="Open 2 moves below visit 10").click()
    expect(page.get_by_text("Never visited: bottom centre. Value -1 <= alpha -1: X would never let it")).to_be_visible()
    page.get_by_role("link", name="Step through it").click()
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Visit 0")
    page.wait_for_load_state()  # the keys are the script's
    for name, key, words in [("Forward", "ArrowRight", "Visit 1"), ("Forward", "ArrowRight", "Visit 2"),
                             ("Back", "ArrowLeft", "Visit 1"), ("Next cut", "c", "Visit 6"),
                             ("End", "End", "The search is over"), ("Start", "Home", "Visit 0")]:  # fmt: skip
        if scripts:
            page.keyboard.press(key)
        else:
            page.get_by_role("link", name=name, exact=True).click()
        expect(title).to_have_text(words)
    page.get_by_label("Go to visit").fill("17")
    page.get_by_label("Go to visit").press("ArrowUp")  # a key of the field, not a step
    expect(title).to_have_text("Visit 0")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(title).to_have_text("Visit 18")
    page.get_by_role("link", name="Here in the tree").click()
    expect(page.locator("#visit-18")).to_be_in_viewport()


def test_a_position_half_set_up_is_there_on_the_way_back(page: Page, scripts: bool) -> None:
    page.goto("/analysis")
    set_up(page, scripts, {"centre": "O"})
    page.goto("/practice")
    page.go_back()
    expect(page.locator(".editor-cells select").nth(4)).to_have_value("O")
    if scripts:
        expect(page.locator(".editor-cells button").nth(4)).to_have_text("O")


@pytest.mark.parametrize("scripts", [False], indirect=True)
@pytest.mark.parametrize(("paper", "size"), [("a4", (594, 841)), ("letter", (612, 792))])
def test_the_largest_worksheet_and_its_answers_have_a_page_each(page: Page, paper: str, size: tuple[int, int]) -> None:
    page.goto(f"/analysis/worksheet?position=..O..XXOX&to_move=O&paper={paper}")
    assert pages_of(page.pdf(prefer_css_page_size=True)) == [size, size]


@pytest.mark.parametrize("scripts", [False], indirect=True)
def test_the_page_of_a_position_is_printed_as_a_handout_of_one_page(page: Page) -> None:
    page.goto("/analysis")
    margins = dict.fromkeys(("top", "right", "bottom", "left"), "10mm")
    for paper in ("A4", "Letter"):
        assert len(pages_of(page.pdf(format=paper, margin=margins))) == 1  # type: ignore[arg-type]


def pages_of(document: bytes) -> list[tuple[int, ...]]:
    """Width and height of each page of a PDF, in points."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", document)
    return [tuple(int(float(length)) for length in box) for box in boxes]
