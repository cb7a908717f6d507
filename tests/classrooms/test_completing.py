"""A later list fills in what the roster does not know of students who are here."""

import re
from functools import partial
from html import unescape

import pytest
from flask import Flask

from tests.classrooms.rooms import Room, cards_on, students
from tests.classrooms.rosters import CANVAS
from tests.factories import enrolled, logged_in
from tests.meanwhile import all_at_once
from webapp.classrooms.completing import matches
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import RosterRow


@pytest.fixture
def room(app: Flask) -> Room:
    return Room(app)


def kept(app: Flask) -> list[tuple[str, ...]]:
    columns = ("real_name", "external_id", "email", "section")
    return sorted(tuple(row[column] for column in columns) for row in students(app))


def form_on(page: str, button: str) -> dict[str, str]:
    """As a browser sends the form with this button."""
    [form] = [one for one in re.findall(r"(?s)<form.*?</form>", page) if button in one]
    fields = re.findall(r'<input type="(\w+)" name="(?!csrf)(\w+)" value="([^"]*)"( checked)?', form)
    return {name: unescape(value) for kind, name, value, ticked in fields if kind == "hidden" or ticked}


def test_who_was_pasted_by_name_gets_id_and_section_from_a_later_file(app: Flask, room: Room) -> None:
    room.add("Zoë O'Brien\nJosé García Márquez\n")
    ids = {row["user_id"] for row in students(app)}
    page = room.roster(names=CANVAS).text
    assert "The list knows more of 2 students" in page and "S-001" in page and "needs a change" not in page
    assert kept(app) == [("José García Márquez", "", "", ""), ("Zoë O'Brien", "", "", "")], "nothing is saved yet"
    form = form_on(page, "Take over ID and section for 2 students")
    for _ in range(2):  # pressed twice
        assert room.roster(**form).status_code == 303
    assert kept(app) == [
        ("José García Márquez", "S-002", "", "Informatics 7b, Group 2"),
        ("Zoë O'Brien", "S-001", "", "Informatics 7b"),
    ]
    assert {row["user_id"] for row in students(app)} == ids
    again = room.roster(names=CANVAS).text
    assert "All 2 students of the list are in Informatics 7b already" in again and "Take over" not in again


def test_new_students_are_added_with_the_same_press_and_taking_over_can_be_left_out(app: Flask, room: Room) -> None:
    room.add("Ann\nBen\n")
    listed = "Name\tID\nAnn\tS-1\nCem\tS-3\n"
    form = form_on(room.roster(names=listed).text, "Add 1 student")
    without = {name: text for name, text in form.items() if name != "complete"}
    assert form["complete"] == "yes" and len(cards_on(room.roster(**without).text)) == 1
    assert kept(app) == [("Ann", "", "", ""), ("Ben", "", "", ""), ("Cem", "S-3", "", "")]
    more = form_on(room.roster(names="Name\tID\nBen\tS-2\nDan\tS-4\n").text, "Add 1 student")
    page = room.roster(**more).text
    assert len(cards_on(page)) == 1 and "knows more of 1 student who was here" in page
    assert kept(app)[1] == ("Ben", "S-2", "", "") and kept(app)[3] == ("Dan", "S-4", "", "")


def test_who_may_be_another_is_listed_and_left_alone(app: Flask, room: Room) -> None:
    room.add("Ann\nBen\n")
    for name in ("twin1", "twin2"):
        enrolled(app, room.public_id, name, real_name="Twin")
    page = room.roster(names="Name\tID\nTwin\tS-1\nAnn\tS-2\nAnn\tS-3\nBen\tS-4\n").text
    assert "3 lines need a change" in page and page.count("nothing is taken over from this line") == 3
    form = form_on(page, "Take over ID for 1 student")
    assert room.roster(**form).status_code == 303
    assert kept(app) == [("Ann", "", "", ""), ("Ben", "S-4", "", ""), ("Twin", "", "", ""), ("Twin", "", "", "")]


def test_a_press_whose_students_are_others_by_now_changes_nothing(app: Flask, room: Room) -> None:
    room.add("Ann\nBen\n")
    listed = "Name\tID\nAnn\tS-1\nCem\tS-3\n"
    form = form_on(room.roster(names=listed).text, "Add 1 student")
    enrolled(app, room.public_id, "ann7", real_name="Ann")
    before = kept(app)
    answer = room.roster(**form)
    assert answer.status_code == 409 and "the students of this classroom are others" in answer.text
    assert kept(app) == before
    bad = room.roster(completing="Name\tID\nBen\t" + "x" * 101, complete="yes", confirm="yes", names="")
    assert bad.status_code == 409 and kept(app) == before
    assistant = enrolled(app, room.public_id, "assist7", Role.ASSISTANT)
    assert assistant.send(f"{room.path}/roster", **form).status_code == 404 and kept(app) == before


def test_more_seats_and_what_the_list_knows_go_with_one_press(app: Flask, room: Room) -> None:
    room.add("Ann\n")
    room.browser.send(f"{room.path}/settings", name="7b", seat_limit="1", levels=["beginner"])
    page = room.roster(names="Name\tID\nAnn\tS-1\nCem\tS-3\n").text
    form = form_on(page, "Allow 2 seats and add all 1")
    assert room.roster(**form).status_code == 200 and kept(app) == [("Ann", "S-1", "", ""), ("Cem", "S-3", "", "")]


def test_which_line_is_about_whom() -> None:
    here = {
        1: RosterRow(0, "Zoë O'Brien"),
        2: RosterRow(0, "Ben", "S-2"),
        3: RosterRow(0, "Cem", "", "cem@b.example", "7a"),
        4: RosterRow(0, "Dan", "", "", "7a"),
    }
    cases = {
        RosterRow(1, "O'BRIEN, Zoë", "S-1"): (1, {"external_id": "S-1"}),
        RosterRow(1, "Benjamin", "s-2", "ben@b.example"): (2, {"email": "ben@b.example"}),
        RosterRow(1, "C", "S-3", "CEM@b.example", "7b"): (3, {"external_id": "S-3"}),
        RosterRow(1, "Dan", "S-4", "", "7A"): (4, {"external_id": "S-4"}),
        RosterRow(1, "Dan", "S-4", "", "7b"): None,  # of another section
        RosterRow(1, "Ben", "S-3"): None,  # of another ID
        RosterRow(1, "Nobody", "S-9"): None,
    }
    for row, known in cases.items():
        found = matches([row], here)
        assert [(one.user_id, one.fills) for one in found.sure] == ([known] if known else []), row
        assert found.unsure == ([] if known else [row])
    twice = [RosterRow(1, "Ben", "S-2", "a@b"), RosterRow(2, "Ben", "S-2", "b@b")]
    assert matches(twice, here).unsure == twice


def test_of_two_lists_at_once_one_fills_in_what_is_missing(app: Flask, room: Room) -> None:
    room.add("Ann\n")
    browsers = [logged_in(app, "teacher7") for _ in range(2)]
    forms = [
        form_on(one.send(f"{room.path}/roster", names=f"Name\tID\nAnn\tS-{number}").text, "Take over ID")
        for number, one in enumerate(browsers)
    ]
    presses = [partial(one.send, f"{room.path}/roster", **form) for one, form in zip(browsers, forms, strict=True)]
    assert sorted(answer.status_code for answer in all_at_once(presses)) == [303, 409]
    assert kept(app) in ([("Ann", "S-0", "", "")], [("Ann", "S-1", "", "")])


def test_another_name_in_the_list_is_shown_beside_the_one_here(room: Room) -> None:
    room.add("Name\tID\nAnn Lee\tS-1\n")
    page = room.roster(names="Name\tID\tSection\nAnn Miller\tS-1\t7a\n").text
    assert "Ann Lee (in the list: Ann Miller)" in page
