"""From the home page to a checked file: read a lab, take the starter and the checker, and see what is missing."""

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect

from webapp.labs.packing import packed
from webapp.labs.starters import starter


def take(page: Page, words: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("link", name=words).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_a_student_takes_the_starter_and_the_checker_and_is_told_where_to_begin(
    page: Page, tmp_path: Path, scripts: bool
) -> None:
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name="Labs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Three labs")
    page.get_by_role("link", name="Minimax for both sides").click()
    expect(page.get_by_role("heading", name="Minimax for both sides")).to_be_in_viewport()

    file = take(page, "Download tictactoe.py", tmp_path)
    assert file.read_text(encoding="utf-8") == starter("tictactoe")
    checker = take(page, "Download labs.pyz", tmp_path)
    typed = page.locator("#tictactoe pre").inner_text()
    assert typed == f"python3 {checker.name} check tictactoe {file.name}"
    assert checker.read_bytes() == packed()
    if scripts:  # the same two files in the same terminal: once is enough
        run_as_typed(typed, tmp_path)


def run_as_typed(typed: str, folder: Path) -> None:
    program = [sys.executable, *typed.split()[1:]]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stdout.endswith("2 of 14 tests passed. Begin with the first that is wrong: initial_state.\n")


def test_the_list_of_mistakes_opens(page: Page) -> None:
    page.goto("/labs")
    first = page.get_by_role("listitem").filter(has_text="A bound is taken for a value")
    expect(first).to_be_hidden()
    page.get_by_text("mistakes it knows by name").click()
    expect(first).to_be_visible()
