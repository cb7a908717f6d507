"""A tournament of four in a class: entered, played and followed in real browsers, two of them with scripts off."""

import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.classrooms.rooms import Room
from tests.competitions.contests import Contest
from tests.journeys.looking import faults_of
from tests.journeys.people import People, play, push
from tests.live_server import live_server
from webapp.classrooms.enrolling import enrol, take_seats
from webapp.classrooms.roles import Role
from webapp.competitions.states import Format
from webapp.database import writing
from webapp.extensions import settings_of

pytestmark = pytest.mark.parametrize("scripts", [True], indirect=True)

WIN_FOR_X = ("top left", "middle left", "top centre", "centre", "top right")
NAMES = ("ann", "bob", "cat", "dan")


@pytest.fixture
def bring(app: Flask, browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[People]:
    """To the real server, whose pages are told of changes; what is not looked at goes through the app beside it."""
    with live_server(settings_of(app).instance, workers=1) as server:
        people = People(app, server.url, browser, browser_context_args)
        yield people
        people.leave()


@pytest.mark.slow
def test_a_tournament_of_four(app: Flask, bring: People) -> None:
    room = Room(app)
    teacher = bring(None)
    teacher.context.add_cookies([cookie_of(room.browser, bring.site)])
    students = {name: bring(name, java_script_enabled=name in ("ann", "bob")) for name in NAMES}
    with app.app_context(), writing() as connection:
        take_seats(connection, 1, len(NAMES))
        for name in NAMES:
            enrol(connection, 1, room.id_of(name), Role.STUDENT)

    address = made_by(teacher, room)
    for page in students.values():
        page.goto(f"{room.path}")
        page.get_by_role("link", name="Competitions").click()
        page.get_by_role("link", name="Autumn cup", exact=True).click()
        push(page, "Enter")
        expect(page.get_by_role("main").get_by_text("Withdraw").first).to_be_visible()
    wall = teacher.context.new_page()
    wall.goto(f"{address}/projector")
    expect(wall.locator("#happened")).to_have_text("4 have entered")
    teacher.reload()
    assert faults_of(teacher) == []
    teacher.get_by_role("button", name="Start", exact=True).dblclick()
    expect(wall.locator("#happened")).to_have_text("Round 1 of 3")  # by itself

    for page in students.values():
        page.goto(address)
        push(page, "Play .* as")
        expect(page).to_have_url(re.compile("/games/"))
    x, o = (page for page in students.values() if page.url == students["ann"].url)
    if is_spectator_of_x(x):
        x, o = o, x
    play(x, o, *WIN_FOR_X)
    o.reload()
    push(o, "To the competition")
    expect(o.locator(".standings tr.is-me")).to_contain_text("0")
    expect(wall.locator(".wall-table li").first).to_contain_text("1")  # the point, by itself

    finish(bring, students, address)
    expect(wall.locator("#happened")).to_contain_text("won")
    assert faults_of(wall) == []
    teacher.goto(address)
    expect(teacher.locator(".cross td a")).to_have_count(12)
    assert faults_of(teacher) == []
    teacher.locator(".cross td a").first.click()
    expect(teacher).to_have_url(re.compile("/games/"))
    expect(teacher.get_by_role("main").get_by_role("link", name="To the competition")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_names_of_a_crosstable_stay_while_it_is_moved_by_keys(
    page: Page, app: Flask, site: str, scheme: Literal["light", "dark"]
) -> None:
    contest = Contest(app, players=9, format=Format.ROUND_ROBIN)
    contest.start()
    page.set_viewport_size({"width": 390, "height": 700})
    page.emulate_media(color_scheme=scheme)
    page.goto(site + contest.path)
    frame = page.get_by_role("group", name="Crosstable")
    names = frame.locator("tr > :first-child")
    left = "cells => cells.map(cell => cell.getBoundingClientRect().left)"
    before = names.evaluate_all(left)
    frame.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(frame.locator("thead th").last).to_be_in_viewport(ratio=1)
    assert names.evaluate_all(left) == before
    clear = "cells => cells.filter(cell => /, 0\\)|transparent/.test(getComputedStyle(cell).backgroundColor)).length"
    assert names.evaluate_all(clear) == 0, "what passes below is not read through them"


def cookie_of(client: Any, site: str) -> Any:
    return {"name": "noughts", "value": client.get_cookie("noughts").value, "url": site}


def made_by(teacher: Page, room: Room) -> str:
    """The form, as an instructor fills it in; gives the address."""
    teacher.goto(room.path)
    teacher.get_by_role("link", name="Competitions").click()
    assert faults_of(teacher) == []
    teacher.get_by_label("Name", exact=True).first.fill("Autumn cup")
    teacher.get_by_role("button", name="Make the competition").first.dblclick()
    expect(teacher.get_by_role("heading", name="Autumn cup")).to_be_visible()
    return teacher.url


def is_spectator_of_x(page: Page) -> bool:
    """It is the other's turn, who has X."""
    return page.get_by_role("button", name="centre, free", exact=True).count() == 0


def finish(bring: People, students: dict[str, Page], address: str) -> None:
    """The other games, without a window: in each somebody resigns."""
    path = address.removeprefix(bring.site)
    for _ in range(6):
        for page in students.values():
            client = bring.clients[page]
            if link := re.search(r'button-strong" href="(/games/[^"]+)">Play', client.get(path).text):
                client.send(f"{link[1]}/resign")
