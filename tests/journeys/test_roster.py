"""From a file of the school to students who are logged in: the list, cards on paper, a first log-in, a code."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect

from tests.classrooms.rosters import BLACKBOARD
from tests.conftest import sqlite_only
from tests.factories import PASSWORD, make_classroom
from tests.journeys.looking import faults_of

HOLD_BACK = "one => document.querySelector(one).addEventListener('submit', e => e.preventDefault(), {once: true})"
LONG = "Wolfeschlegelsteinhausenbergerdorff" * 2


def log_in(page: Page, site: str, name: str, password: str) -> None:
    page.goto(f"{site}/log-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.locator("main").get_by_role("button", name="Log in").click()


def cards_on(page: Page) -> list[str]:
    return page.locator(".login-card-secret").all_inner_texts()


def comes_back(page: Page, form: str, button: Locator) -> None:
    """A button takes no second press while its form is sent, and works again after Back."""
    page.evaluate(HOLD_BACK, form)
    handle = button.element_handle()
    words = button.inner_text()
    button.click()
    expect(page.get_by_text("Please wait")).to_be_disabled()
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    assert (handle.inner_text(), handle.is_enabled()) == (words, True)


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def paper_cards(page: Page) -> tuple[int, bool]:
    """How many rows of cards fit on A4 between its margins, and whether the cards stay between these."""
    size = page.viewport_size
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})  # 190 by 277 mm
    boxes = [box for card in page.locator(".login-card").all() if (box := card.bounding_box())]
    page.emulate_media(media="screen")
    if size:
        page.set_viewport_size(size)
    rows = int(1047 // max(box["height"] - 1 for box in boxes))
    return rows, all(box["x"] >= 0 and box["x"] + box["width"] <= 718 for box in boxes)


@sqlite_only
@pytest.mark.slow
def test_a_class_comes_from_a_file_and_logs_in(
    app: Flask, site: str, page: Page, browser: Browser, browser_context_args: dict[str, Any], tmp_path: Path,
    scripts: bool,
) -> None:  # fmt: skip
    def look(page: Page) -> list[str]:
        return faults_of(page) if scripts else []  # once is enough

    make_classroom(app, name="Parallel group")
    classroom = f"{site}/classrooms/{make_classroom(app)}"
    file = tmp_path / "gc.xls"
    file.write_bytes(f"{BLACKBOARD}\n{LONG}\tAnna\tanna\nDoe\tBen\tben\nDoe\tBenjamin\tben\n".encode("utf-16"))
    log_in(page, site, "teacher7", PASSWORD)
    faults = {}
    page.goto(f"{classroom}/roster")
    faults["add"] = look(page)
    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_role("heading", name="1 line needs a change")).to_be_visible()
    faults["preview"] = look(page)
    add = page.get_by_role("button", name="Add the other 4 students")
    if scripts:
        comes_back(page, "[data-once]", add)
    add.click()
    expect(page.get_by_role("heading", name="4 accounts are ready")).to_be_visible()
    faults["cards"] = look(page)
    if scripts:
        assert {paper: pages_of(page.pdf(format=paper)) for paper in ("A4", "Letter")} == {"A4": 1, "Letter": 1}
        assert paper_cards(page) == (6, True)
    name, password, other, _, *_ = cards_on(page)

    student = browser.new_context(**browser_context_args).new_page()
    log_in(student, site, name, password)
    expect(student.get_by_role("heading", name="Choose your own password")).to_be_visible()
    expect(student.get_by_label("Current password", exact=True)).to_have_count(0)
    student.get_by_label("New password", exact=True).fill("my own words")
    student.get_by_role("button", name="Save and go on").click()
    expect(student).to_have_url(classroom)
    student.locator("#head").get_by_role("link", name=name).click()
    faults["account"] = look(student)
    student.get_by_label("New user name").fill("wildcat")
    student.get_by_role("button", name="Change user name").click()
    expect(student.get_by_role("heading", name="wildcat")).to_be_visible()

    print_cards = page.get_by_role("button", name="Print the cards")
    if scripts:
        page.evaluate("window.print = () => { document.title = 'On paper' }")
        print_cards.click()
        expect(page).to_have_title("On paper")
    else:
        expect(print_cards).to_be_hidden()
    page.get_by_role("link", name="Done").click()
    page.get_by_role("link", name="Students", exact=False).first.click()
    expect(page.get_by_role("cell", name="wildcat")).to_be_visible()
    page.get_by_role("button", name="Log-in codes").click()
    shown = cards_on(page)
    student.context.clear_cookies()
    log_in(student, site, other, shown[shown.index(other) + 1])
    expect(student.locator("#head").get_by_role("link", name=other)).to_be_visible()

    page.goto(f"{classroom}/students")
    page.get_by_label("Zoë O'Brien", exact=True).check()
    page.get_by_role("button", name="Remove those ticked").click()
    expect(page.get_by_text("1 student was removed")).to_be_visible()
    faults["students"] = look(page)
    reset = page.get_by_role("button", name="New password for José")
    if scripts:
        comes_back(page, "#one", reset)
    reset.click()
    expect(page.get_by_role("heading", name="1 new password")).to_be_visible()
    assert faults == {key: [] for key in faults}
    student.context.close()
