"""The runner on the desk in a real browser: the model answer of each lab, and files that crash, loop and print."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.looking import sticking_out
from tests.labs.test_desk import running
from webapp.labs.starters import model_text


@pytest.fixture
def scripts() -> bool:
    return True


BUSY = """\
def minimax(board):
    marks = [cell for row in board for cell in row if cell]
    if len(marks) == 1:
        print("thinking")
        return (0, 1) if board[1][1] else (1, 1)
    if len(marks) == 3:
        return marks[7]
    while True:
        pass
"""


def press(page: Page, cell: str) -> None:
    page.get_by_role("button", name=f"{cell}, free", exact=True).click()


def test_a_file_of_each_lab_is_played_with_and_one_that_misbehaves_is_stopped(page: Page, tmp_path: Path) -> None:
    headline = page.get_by_role("heading", level=1)
    for lab in ("tictactoe", "pruning", "agent"):
        file = tmp_path / f"{lab}.py"
        file.write_text(model_text(lab), encoding="utf-8")
        with running(lab, file) as desk:
            page.goto(desk.address)
            page.get_by_role("button", name="New game as X").click()
            for cell in ("top left", "top centre", "middle left"):  # the worst that one can do
                expect(headline).to_have_text("Your turn")
                press(page, cell)
            expect(headline).to_have_text(f"{lab}.py wins")
            expect(page.get_by_role("status")).to_contain_text(f"{lab}.py played ")

    file = tmp_path / "mine.py"
    file.write_text(BUSY, encoding="utf-8")
    with running("tictactoe", file) as desk:
        page.set_viewport_size({"width": 390, "height": 800})
        page.goto(desk.address)
        page.get_by_role("button", name="New game as X").click()
        press(page, "centre")
        expect(page.get_by_text("thinking", exact=True)).to_be_visible()
        press(page, "bottom right")
        expect(headline).to_have_text("mine.py gave no move")
        expect(page.locator(".screen").first).to_contain_text("line 7, in minimax")
        expect(page.get_by_role("img", name="bottom right, X")).to_be_visible()  # the board it happened on
        assert sticking_out(page) == []
        page.get_by_role("button", name="New game as O").click()
        page.get_by_role("button", name="Stop it").click()
        expect(page.get_by_role("status")).to_have_text("You stopped it.")
        file.write_text(model_text("tictactoe"), encoding="utf-8")
        page.get_by_role("button", name="New game as O").click()
        expect(headline).to_have_text("Your turn")
