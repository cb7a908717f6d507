"""Results become the grades of one assignment, as a gradebook imports them."""

import csv
import io
from typing import Any

import pytest
from flask import Flask

from tests.classrooms.rooms import Room
from tests.conftest import Browser, SetClock, sqlite_only
from tests.factories import enrolled
from tests.test_statements import statements
from webapp.accounts.queries import account_named
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import read_roster


@pytest.fixture
def room(app: Flask) -> Room:
    """Ann with three games, Ben with one, and somebody of whom the roster knows nothing."""
    room = Room(app)
    ann = enrolled(app, room.public_id, "ann", real_name="O'Brien, Ann", external_id="S-1", email="ann@b.example")
    ben = enrolled(app, room.public_id, "ben", real_name="=Ben", section="7a")
    enrolled(app, room.public_id, "cem")
    for browser, level, count in ((ann, "beginner", 2), (ann, "perfect", 1), (ben, "beginner", 1)):
        for _ in range(count):
            browser.send(f"{browser.start(cell=4, level=level)}/resign")
    return room


def rows(browser: Browser, path: str, **query: Any) -> list[list[str]]:
    answer = browser.get(path, query_string=query)
    assert answer.status_code == 200 and answer.mimetype == "text/csv", answer.text
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=Informatics-7b-")
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_the_file_for_canvas_has_its_columns_and_the_points_possible(app: Flask, room: Room) -> None:
    path = f"{room.path}/grades/canvas.csv"
    found = rows(room.browser, path, goal="2", points="5", title="Essay 1 (101)")
    assert found == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Essay 1 (101)"],
        ["    Points Possible", "", "", "", "", "5"],
        ["'=Ben", "", "", "", "7a", "2.5"],
        ["O'Brien, Ann", "", "S-1", "", "", "5"],
    ], "three games give no more than all points, and a formula is text"
    text = room.browser.get(path).data.decode("utf-8-sig")
    assert [(row.name, row.external_id) for row in read_roster(text)] == [("'=Ben", ""), ("O'Brien, Ann", "S-1")]


def test_a_file_for_moodle_has_only_those_whom_it_can_find(app: Flask, room: Room) -> None:
    for system, title, key in (("by-email", "Email address", "ann@b.example"), ("by-id", "ID number", "S-1")):
        found = rows(room.browser, f"{room.path}/grades/moodle-{system}.csv", goal="9", points="10")
        assert found == [[title, "Noughts"], [key, "3.33"]]


def test_the_page_shows_each_grade_and_who_cannot_be_found(app: Flask, room: Room) -> None:
    page = room.browser.get(f"{room.path}/grades?count=unbeaten&goal=1&points=3").text
    assert "Who has 1 or more games against Perfect not lost gets all 3 points;" in page
    assert "1 student without an ID: Canvas looks" in page and "1 student without an ID and a name: left out" in page
    assert "2 students without an e-mail address: left out" in page and 'value="unbeaten" selected' in page
    link = "/grades/canvas.csv?period=all&amp;count=unbeaten&amp;goal=1&amp;points=3&amp;title=Noughts"
    assert link in page
    room.remove(room.id_of("ann"))
    page = room.browser.get(f"{room.path}/grades").text
    assert "no student has an e-mail address" in page and "no student has an ID" in page and "moodle-" not in page
    nobody = Room(app, "teacher8")
    assert "nobody to grade" in nobody.browser.get(f"{nobody.path}/grades").text


def test_what_counts_is_counted_in_the_chosen_time(app: Flask, room: Room, set_clock: SetClock) -> None:
    def points(**query: str) -> dict[str, str]:
        found = rows(room.browser, f"{room.path}/grades/canvas.csv", goal="4", points="4", **query)
        return {row[0]: row[-1] for row in found[2:]}

    assert points() == points(period="week") == {"'=Ben": "1", "O'Brien, Ann": "3"}
    assert points(period="lesson") == {"'=Ben": "0", "O'Brien, Ann": "0"}
    for count in ("unbeaten", "classmates", "practice", "answered", "right"):
        assert points(count=count) == {"'=Ben": "0", "O'Brien, Ann": "0"}, count
    assert f'href="{room.path}/grades?period=week"' in room.browser.get(f"{room.path}/results?period=week").text
    assert 'name="period" value="week"' in room.browser.get(f"{room.path}/grades?period=week").text
    assert "points=7&amp;" in room.browser.get(f"{room.path}/grades?points=7").text, "another time keeps what was typed"


def test_what_cannot_be_is_said_beside_its_field(app: Flask, room: Room) -> None:
    cases = {
        "goal": ("0", "", "abc", "1.5", "-1", "10001", "٣", "1" * 99),
        "points": ("0", "1001", "x"),
        "title": ("", " ", "x" * 81, "a\x07b"),
        "count": ("", "everything"),
    }
    for field, texts in cases.items():
        for text in texts:
            for page in ("", "/canvas.csv"):
                answer = room.browser.get(f"{room.path}/grades{page}", query_string={"goal": "7", field: text})
                assert answer.status_code == 400 and f'id="{field}-error"' in answer.text, (field, text)
                assert answer.text.count("field-error") == 1 and "For Canvas" not in answer.text
                assert field == "goal" or 'name="goal" value="7"' in answer.text


def test_grades_are_made_by_instructors_alone(app: Flask, room: Room) -> None:
    assistant = enrolled(app, room.public_id, "assist7", Role.ASSISTANT)
    for page in ("grades", "grades/canvas.csv"):
        assert assistant.get(f"{room.path}/{page}").status_code == 404
    assert "/grades" not in assistant.get(f"{room.path}/results").text
    assert room.browser.get(f"{room.path}/grades/other.csv").status_code == 404


@sqlite_only
def test_grades_cost_the_same_for_a_larger_class(app: Flask, room: Room) -> None:
    costs = []
    for number in range(2):
        with statements(app) as sent:
            assert room.browser.get(f"{room.path}/grades").status_code == 200
        costs.append(len(sent))
        enrolled(app, room.public_id, f"more{number}")
        with app.app_context():
            assert account_named(f"more{number}")
    assert costs[0] == costs[1] <= 12, costs
