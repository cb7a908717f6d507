"""From the set-up link to a class that plays, with scripts on and off; and a lesson as its instructor sees it, live."""

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.classrooms.rooms import Room, cards_on
from tests.conftest import Browser as ClientBrowser
from tests.factories import enrolled, logged_in, make_classroom, put_into
from tests.journeys.looking import faults_of
from tests.journeys.people import People
from tests.live_server import live_server
from tests.tables import rows_of
from tests.two_players import begin_game
from webapp.classrooms.set_up import new_set_up_token
from webapp.extensions import settings_of

PRESSES = 12  # from the link to a class that plays


@pytest.fixture
def bring(app: Flask, site: str, browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[People]:
    people = People(app, site, browser, browser_context_args)
    yield people
    people.leave()


@pytest.fixture
def bring_live(app: Flask, browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[People]:
    """To the real server, whose pages are told of changes; what is not looked at goes through the app beside it."""
    with live_server(settings_of(app).instance, workers=1) as server:
        people = People(app, server.url, browser, browser_context_args)
        yield people
        people.leave()


class Presses:
    """Counts what somebody presses to get there; what they type is not pressed."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, role: Any, words: str) -> None:
        self.page.get_by_role("main").get_by_role(role, name=words).first.click()
        self.count += 1

    def fill(self, **fields: str) -> None:
        for label, text in fields.items():
            self.page.get_by_label(label, exact=True).first.fill(text)


def test_from_the_link_to_a_class_that_plays_in_twelve_presses(app: Flask, bring: People) -> None:
    teacher, student = bring(None), bring(None)
    with app.app_context():
        teacher.goto(f"/set-up/{new_set_up_token()}")
    press = Presses(teacher)
    press.fill(**{"User name": "teacher7", "Password": "correct horse"})
    press("button", "Make the instructor")
    expect(teacher.get_by_role("heading", name="What to do next")).to_be_visible()
    press.fill(Name="Informatics 7b", Term="Autumn 2026")
    press("button", "Make the classroom")
    code = teacher.locator(".code").inner_text()

    joining = Presses(student)
    student.goto("/join")
    joining.fill(Code=code.upper())
    joining("button", "Go on")
    joining.fill(**{"User name": "student1", "Password": "correct horse"})
    joining("button", "Join Informatics 7b")
    expect(student.get_by_role("heading", name="Informatics 7b")).to_be_visible()

    teacher.reload()
    press("button", "Start the lesson")
    expect(teacher.get_by_role("region", name="Not started yet")).to_contain_text("student1")
    joining("link", "Play the computer")
    student.get_by_role("button", name="centre, free", exact=True).click()
    teacher.reload()
    expect(teacher.get_by_role("region", name="Playing now")).to_contain_text("student1")
    press("link", "Projector")
    expect(teacher.get_by_role("main")).not_to_contain_text("student1")
    press("link", "Show user names")
    expect(teacher.get_by_role("main")).to_contain_text("student1")
    assert press.count + joining.count + 1 <= PRESSES


def log_in(page: Page, browser: ClientBrowser, site: str) -> Page:
    """The window shows what this client is logged in to."""
    cookie = browser.get_cookie("noughts")
    assert cookie
    page.context.add_cookies([{"name": "noughts", "value": cookie.value, "url": site}])
    return page


def lines_on_a_phone(page: Page) -> int:
    """Of the places in the head, with games that wait: what comes moves nothing; a question has a place of its own."""
    page.set_viewport_size({"width": 390, "height": 664})
    page.evaluate("document.getElementById('waiting').hidden = false")
    tops = "[...document.querySelectorAll('.places a:not(#asked)')].map(one => one.getBoundingClientRect().top)"
    return len(set(page.evaluate(tops)))


@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_a_lesson_of_eight_is_seen_live_and_the_class_is_asked(bring_live: People, app: Flask) -> None:
    room = Room(app)
    names = [name for name, _ in room.add("Zoë Åberg\n" + "\n".join(f"Student {number}" for number in range(2, 9)))]
    codes = dict(cards_on(room.browser.send(f"{room.path}/log-in-codes").text))
    students = [logged_in(app, name, codes[name]) for name in names]
    teacher, wall = (log_in(bring_live(None), room.browser, bring_live.site) for _ in range(2))
    pupil = log_in(bring_live(None), students[0], bring_live.site)
    room.browser.send(f"{room.path}/lesson")
    teacher.goto(f"{room.path}/lesson")
    wall.goto(f"{room.path}/lesson/projector")
    pupil.goto("/labs")
    expect(teacher.get_by_role("region", name="Not started yet")).to_contain_text("Zoë Åberg")
    students[0].send(f"{students[0].start(cell=4, level='casual')}/resign")
    for student in students[1:6]:
        student.start(cell=4, level="perfect")
    for student in students[6:]:
        student.send(f"{room.path}/play")
    expect(teacher.get_by_role("region", name="Playing now").locator("li")).to_have_count(6)
    expect(teacher.get_by_role("region", name="Results as they come in")).to_contain_text("Zoë Åberg")
    expect(teacher.get_by_role("region", name="Not started yet")).to_have_count(0)
    expect(wall.locator(".tables li")).to_have_count(6)
    expect(wall.locator("#head")).to_have_count(0)

    room.browser.send(f"{room.path}/question", position="X...O...X", to_move="O")
    expect(pupil.locator("#asked")).to_be_visible()
    assert lines_on_a_phone(pupil) == 1
    pupil.get_by_role("link", name="Your class is asked").click()
    pupil.get_by_role("region", name="O to move").get_by_role("button", name="top centre, free").click()
    expect(pupil.get_by_role("main")).to_contain_text("You chose top centre")
    for student in students[1:]:
        student.send(f"{room.path}/question/1/answer", cell=1)
    expect(teacher.locator(".share-10")).to_contain_text("8")
    expect(wall.get_by_role("region", name="O to move")).to_contain_text("8 of 8 have answered")
    expect(wall.locator(".share-10")).to_have_count(0)
    teacher.get_by_role("button", name="Close and show the values").click()
    expect(wall.locator(".share-10")).to_contain_text("draw")
    expect(pupil.get_by_role("main")).to_contain_text(re.compile("one of the best moves"))
    expect(wall.get_by_role("main")).not_to_contain_text("Zoë")

    found = faults_of(pupil) + faults_of(wall) + faults_of(teacher)
    for path in ("", "/settings", "/projector", "/question", "/question/all"):
        teacher.goto(f"{room.path}{path}")
        found += [f"{path}, {fault}" for fault in faults_of(teacher)]
    teacher.goto("/classrooms")
    room.browser.send(f"{room.path}/students/passwords", student=room.id_of(names[0]))
    expect(pupil).to_have_url(re.compile("/log-in"))  # whose password is reset in mid-lesson
    expect(pupil.get_by_role("alert")).to_contain_text("You were logged out, because your password was changed")
    pupil.goto("/join/" + rows_of(app, "classroom")[0]["join_code"])
    assert found + faults_of(teacher) + faults_of(pupil) == []


def saved(page: Page, words: str) -> bytes:
    with page.expect_download() as begun:
        page.get_by_role("main").get_by_role("link", name=words, exact=True).click()
    return begun.value.path().read_bytes()


@pytest.mark.slow
def test_results_are_saved_and_the_term_ends(app: Flask, bring: People) -> None:
    room = Room(app)
    [(name, password)] = room.add("Zoë Åberg")
    student = logged_in(app, name, password)
    student.send("/account/password", new_password="my own words")
    student.send(f"{student.start(cell=4, level='perfect')}/resign")
    teacher = log_in(bring(None), room.browser, bring.site)
    press = Presses(teacher)
    teacher.goto(room.path)
    press("link", "Results")
    expect(teacher.get_by_role("row", name="Zoë Åberg")).to_contain_text("0-0-1")
    teacher.set_viewport_size({"width": 390, "height": 664})
    heading = teacher.get_by_role("columnheader", name="Accuracy").bounding_box()
    assert heading and 0 <= heading["x"] < heading["x"] + heading["width"] <= 390 and heading["height"] >= 44
    press("link", "Accuracy")
    assert f"Zoë Åberg,{name}," in saved(teacher, "CSV").decode("utf-8-sig")
    assert "Zoë Åberg" in text_in(saved(teacher, "XLSX"), "xl/sharedStrings.xml")

    teacher.goto(f"{room.path}/settings")
    press("link", "End of term")
    assert "Zoë Åberg" in text_in(saved(teacher, "Download everything"), "students.csv")
    teacher.locator("summary", has_text="Take the names off").click()
    press("button", "Yes, take the names off")
    expect(teacher.get_by_text("The names are gone from Informatics 7b")).to_be_visible()
    press("link", "Results")
    expect(teacher.get_by_role("row", name=name)).to_contain_text("0-0-1")
    expect(teacher.get_by_role("main")).not_to_contain_text("Zoë")
    assert student.get("/account").status_code == 303

    teacher.goto(f"{room.path}/end-of-term")
    for typed, sentence in (("7b", "Nothing was deleted"), ("Informatics 7b", "Informatics 7b is deleted")):
        teacher.get_by_label("Type the name of the classroom").fill(typed)
        press("button", "Delete the classroom")
        expect(teacher.get_by_text(sentence)).to_be_visible()
    assert rows_of(app, "classroom") == []


def text_in(archive: bytes, name: str) -> str:
    return zipfile.ZipFile(io.BytesIO(archive)).read(name).decode("utf-8-sig")


@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_a_leaderboard_of_long_names_fits_every_screen(app: Flask, bring: People) -> None:
    room = make_classroom(app)
    page = bring("W" * 20)
    put_into(app, room, "W" * 20)
    ann = enrolled(app, room, "ann")
    ann.send(f"{begin_game(bring.clients[page], ann)}/resign")
    page.goto(f"/classrooms/{room}/leaderboard")
    expect(page.locator(".leaderboard")).to_contain_text("W" * 20)
    assert faults_of(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("scripts", [True], indirect=True)
def test_who_is_removed_while_they_look_at_the_class_page_reads_what_happened(app: Flask, bring_live: People) -> None:
    room = Room(app)
    page = bring_live("student1")
    put_into(app, room.public_id, "student1")
    page.goto(room.path)
    expect(page.locator("[data-news=told]")).to_be_attached()
    room.remove(room.id_of("student1"))
    expect(page.get_by_role("heading", level=1)).to_have_text("You are no longer in this classroom")
    page.get_by_role("link", name="To your classrooms").click()
    expect(page.get_by_role("link", name="Join a classroom")).to_be_visible()
