"""What the roster says of a student is put right on the student's page."""

import re
from functools import partial
from html import unescape

import pytest
from flask import Flask

from tests.classrooms.rooms import Room, students
from tests.conftest import Browser
from tests.factories import enrolled, logged_in
from tests.meanwhile import all_at_once
from webapp.classrooms import corrections
from webapp.classrooms.roles import Role

ROSTER = "Name\tID\tEmail\tSection\nO'Brien, Zoe\tS-1\tzoe@school.example\t7a\nBen\tS-2\t\t7b\nAnn\t\t\t\n"


@pytest.fixture
def room(app: Flask) -> Room:
    room = Room(app)
    room.add(ROSTER)
    return room


def path_of(room: Room, real_name: str) -> str:
    page = room.browser.get(f"{room.path}/results").text
    found = re.search(rf'href="([^"]+/students/[^"]+)">{re.escape(real_name)}<', unescape(page))
    assert found
    return found[1]


def form_on(page: str) -> dict[str, str]:
    """As a browser would send it."""
    form = page.split('id="correct"')[1].split("</form>")[0]
    return {name: unescape(text) for name, text in re.findall(r' name="(?!csrf)(\w+)" value="([^"]*)"', form)}


def send(browser: Browser, path: str, **typed: str) -> tuple[int, str]:
    answer = browser.send(path, **{**form_on(browser.get(path).text), **typed})
    return answer.status_code, answer.text


def kept(app: Flask) -> list[tuple[str, ...]]:
    columns = ("real_name", "external_id", "email", "section")
    return sorted(tuple(row[column] for column in columns) for row in students(app))


def test_name_id_e_mail_and_section_of_a_student_are_corrected(app: Flask, room: Room) -> None:
    path = path_of(room, "O'Brien, Zoe")
    assert f'href="{path}"' in room.browser.get(f"{room.path}/students").text
    status, _ = send(
        room.browser, path, real_name="  O'Brien,  Zoë ", external_id="S-11", email="z@b.example", section=""
    )
    assert status == 303 and kept(app)[2] == ("O'Brien, Zoë", "S-11", "z@b.example", "")
    page = room.browser.get(path).text
    assert "The roster is corrected." in page and "ID: S-11" in page and "Section:" not in page


def test_after_a_press_the_window_shows_the_sentence_or_the_wrong_field(room: Room) -> None:
    path = path_of(room, "Ben")
    page = room.browser.get(path).text
    assert f'action="{path}"' in page, "a fragment would scroll past the sentence, and keep autofocus from its field"
    assert "No game has counted yet." in page and "<dl" not in page, "a list of terms has terms"


def test_two_who_correct_at_once_both_stand(app: Flask, room: Room) -> None:
    other = enrolled(app, room.public_id, "other7", Role.INSTRUCTOR)
    path = path_of(room, "Ben")
    mine, theirs = form_on(room.browser.get(path).text), form_on(other.get(path).text)
    room.browser.send(path, **{**mine, "section": "7c"})
    refused = other.send(path, **{**theirs, "email": "ben@school.example", "external_id": "s-1"})
    assert refused.status_code == 400
    other.send(path, **{**form_on(refused.text), "external_id": "S-3"})
    assert kept(app)[1] == ("Ben", "S-3", "ben@school.example", "7c")


def test_what_cannot_be_is_said_beside_its_field_and_what_was_typed_stays(app: Flask, room: Room) -> None:
    before, path = kept(app), path_of(room, "Ben")
    cases = {
        "real_name": {"": "The name is missing", "x" * 101: "101 characters", "A\x07": "nobody can see"},
        "external_id": {"s-1": "O'Brien, Zoe has this ID already"},
        "email": {"ZOE@school.example": "has this e-mail address already"},
        "section": {"x" * 101: "The section has 101"},
    }
    for field, texts in cases.items():
        for typed, sentence in texts.items():
            status, page = send(room.browser, path, **{"section": "7z", field: typed})
            error = re.search(rf'id="{field}-error">([^<]+)<', page)
            assert status == 400 and error and sentence in unescape(error[1]), (field, typed)
            assert '<details class="card" id="correct" open>' in page and form_on(page)["shown_section"] == "7b"
            assert unescape(form_on(page)[field]) == typed and page.count("field-error") == 1
    page = send(room.browser, path, real_name="", external_id="S-1")[1]
    assert page.count("field-error") == 2 and page.count("autofocus") == 1
    assert kept(app) == before


def test_two_students_of_one_name_need_something_that_tells_them_apart(app: Flask, room: Room) -> None:
    path = path_of(room, "Ann")
    assert "no ID tells the two apart" in send(room.browser, path, real_name="ben")[1]
    assert send(room.browser, path, real_name="ben", external_id="S-9")[0] == 303
    enrolled(app, room.public_id, "twin1", real_name="Twin")
    enrolled(app, room.public_id, "twin2", real_name="Twin")  # as two who joined by themselves may be called
    for fields in ({"section": "7a"}, {"external_id": "S-8"}):
        assert send(room.browser, f"{room.path}/students/twin1", **fields)[0] == 303


def test_who_joined_without_a_name_gets_one_or_stays_without(app: Flask, room: Room) -> None:
    enrolled(app, room.public_id, "ann")
    path = f"{room.path}/students/ann"
    assert send(room.browser, path, section="7a")[0] == 303
    assert send(room.browser, path, real_name="Ann Lee")[0] == 303
    assert ("Ann Lee", "", "", "7a") in kept(app)


def test_only_instructors_of_a_classroom_in_use_correct(app: Flask, room: Room) -> None:
    before, path = kept(app), path_of(room, "Ben")
    fields = {**form_on(room.browser.get(path).text), "real_name": "Benjamin"}
    assistant = enrolled(app, room.public_id, "assist7", Role.ASSISTANT)
    assert 'id="correct"' not in assistant.get(path).text and assistant.send(path, **fields).status_code == 404
    assert Room(app, "teacher8").browser.send(path, **fields).status_code == 404
    room.browser.send(f"{room.path}/archive")
    assert 'id="correct"' not in room.browser.get(path).text
    assert room.browser.send(path, **fields).status_code == 409 and kept(app) == before


def test_who_has_lost_the_role_or_the_student_meanwhile_is_told_that_nothing_is_there(app: Flask, room: Room) -> None:
    page, path = room.browser.get(path_of(room, "Ben")).text, path_of(room, "Ben")
    name = path.rsplit("/", 1)[1]
    room.remove(room.id_of(name))
    gone = room.browser.send(path, **{**form_on(page), "real_name": "B"})
    assert gone.status_code == 404 and f'href="{room.path}/students">To the students<' in gone.text
    assert set(corrections.FIELDS) <= set(form_on(page)) and logged_in(app, "teacher7").get(path).status_code == 404


def test_of_two_students_who_get_one_id_at_once_one_keeps_it(app: Flask, room: Room) -> None:
    browsers, paths = [logged_in(app, "teacher7") for _ in range(2)], [path_of(room, name) for name in ("Ann", "Ben")]
    forms = [{**form_on(one.get(path).text), "external_id": "S-7"} for one, path in zip(browsers, paths, strict=True)]
    presses = [partial(*one) for one in zip((one.send for one in browsers), paths, strict=True)]
    answers = all_at_once(partial(press, **form) for press, form in zip(presses, forms, strict=True))
    assert sorted(answer.status_code for answer in answers) == [303, 400]
    assert [row[1] for row in kept(app)].count("S-7") == 1
