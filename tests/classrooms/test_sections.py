"""The results, the grades and the list of a class can be those of one section."""

import csv
import io
import re
from html import unescape

import pytest
from flask import Flask

from tests.classrooms.rooms import Room, cards_on, students

ROSTER = "Name\tID\tSection\nAnn\tS-1\t7a\nBen\tS-2\t7b, group 2\nCem\tS-3\t7a\nDan\tS-4\t\n"


@pytest.fixture
def room(app: Flask) -> Room:
    room = Room(app)
    room.add(ROSTER)
    return room


def shown(page: str) -> list[str]:
    main = page[page.index("<main") :]
    return [name for name in ("Ann", "Ben", "Cem", "Dan") if f">{name}<" in main]


def test_pages_and_files_show_one_section_and_keep_the_other_filters(room: Room) -> None:
    for page in ("results", "grades", "students"):
        asked = {"": "Ann Ben Cem Dan", "7a": "Ann Cem", "7b, group 2": "Ben", "other": "Ann Ben Cem Dan"}
        for section, names in asked.items():
            answer = room.browser.get(f"{room.path}/{page}", query_string={"section": section})
            assert " ".join(shown(answer.text)) == names, (page, section)
    page = room.browser.get(f"{room.path}/results?section=7a&period=week&sort=games").text
    assert "2 students</h2>" in page and "<option selected>7a</option>" in page
    form = page.split('class="by-section"')[1].split("</form>")[0]
    assert 'name="period" value="week"' in form and 'name="sort" value="games"' in form
    for link in re.findall(r'href="([^"]+(?:results\.csv|results|grades)\?[^"]*)"', page):
        assert "section=7a" in unescape(link), link
    rows = csv.DictReader(io.StringIO(room.browser.get(f"{room.path}/results.csv?section=7a").data.decode("utf-8-sig")))
    assert [row["name"] for row in rows] == ["Ann", "Cem"]
    grades = room.browser.get(f"{room.path}/grades?section=7a&goal=3").text
    assert 'name="goal" value="3"' in grades.split('class="by-section"')[1].split("</form>")[0]
    canvas = re.search(r'href="([^"]+canvas\.csv[^"]*)"', grades)
    assert canvas and "Ben" not in room.browser.get(unescape(canvas[1])).text


def test_all_students_of_a_filtered_list_are_those_that_it_shows(app: Flask, room: Room) -> None:
    page = room.browser.get(f"{room.path}/students?section=7a").text
    assert "All 2 students of 7a" in page and 'name="section" value="7a"' in page
    asked = room.browser.send(f"{room.path}/students/remove", student="all", section="7a")
    assert "Remove 2 students?" in asked.text and "Ben" not in asked.text
    marks = re.search(r'name="marks" value="([^"]*)"', page)
    assert marks
    fields = {"student": "all", "section": "7a", "confirm": "yes", "marks": marks[1]}
    assert len(cards_on(room.browser.send(f"{room.path}/students/passwords", **fields).text)) == 2
    gone = room.browser.send(f"{room.path}/students/remove", student="all", section="7c", confirm="yes")
    assert gone.status_code == 303 and not [row for row in students(app) if row["removed_at"]]


def test_the_list_keeps_its_section_after_a_press(room: Room) -> None:
    filtered = f"{room.path}/students?section=7a"
    nobody = room.browser.send(f"{room.path}/students/remove", section="7a")
    assert nobody.status_code == 303 and nobody.location.endswith(filtered)
    for how in ("remove", "passwords"):
        asked = room.browser.send(f"{room.path}/students/{how}", student="all", section="7a").text
        assert f'href="{filtered}">No<' in asked and 'name="section" value="7a"' in asked, how
    cem = re.search(r'name="student" value="(\d+)"[^>]*> <span dir="auto">Cem<', room.browser.get(filtered).text)
    assert cem
    assert room.browser.send(f"{room.path}/students/remove", student=cem[1], section="7a").location.endswith(filtered)
    assert room.browser.send(f"{room.path}/students/bring-back", student="all").location.endswith("/students")


def test_a_class_without_sections_has_nothing_to_choose(app: Flask) -> None:
    room = Room(app)
    room.add("Ann\nBen\n")
    for page in ("results", "grades", "students"):
        assert "by-section" not in room.browser.get(f"{room.path}/{page}").text
