"""Students are added from a list: looked at first, then all or nobody, and their passwords are shown once."""

import re
from functools import partial
from io import BytesIO

import pytest
from flask import Flask

from tests.classrooms.rooms import NAMES, Room, cards_on, students
from tests.classrooms.rosters import CANVAS
from tests.factories import enrolled, logged_in
from tests.meanwhile import all_at_once
from tests.tables import all_rows, rows_of
from webapp.accounts import passwords
from webapp.classrooms import student_accounts
from webapp.classrooms.models import SEATS
from webapp.classrooms.roles import Role
from webapp.database import writing


@pytest.fixture
def room(app: Flask) -> Room:
    return Room(app)


def test_the_preview_writes_nothing_and_hands_the_list_on(app: Flask, room: Room) -> None:
    before = all_rows(app)
    file = {"file": (BytesIO(CANVAS.encode("utf-16")), "grades.csv")}
    page = room.roster(**file).text
    assert all_rows(app) == before
    assert "“Student, Test” is left out" in page and "left out" not in room.roster(names=NAMES).text
    assert "2 students to add" in page and "O&#39;Brien, Zoë" in page and "Informatics 7b, Group 2" in page
    handed_on = re.search(r'(?s)name="names" value="(.*?)"', page)
    assert handed_on
    names = handed_on[1].replace("&#39;", "'").replace("&#34;", '"')
    assert room.roster(names=names, confirm="yes").status_code == 200
    kept = [(row["real_name"], row["external_id"], row["section"]) for row in students(app)]
    assert kept == [
        ("García Márquez, José", "S-002", "Informatics 7b, Group 2"),
        ("O'Brien, Zoë", "S-001", "Informatics 7b"),
    ] or kept[::-1]  # fmt: skip


def test_each_card_opens_a_neutral_account_whose_password_must_be_changed(app: Flask, room: Room) -> None:
    cards = room.add()
    assert len(cards) == len(students(app)) == 3
    assert all(row["made_for_classroom"] for row in students(app))
    for name, password in cards:
        browser = logged_in(app, name, password)
        assert browser.get("/").location == "/account"
        assert "data-events" not in browser.get("/account").text  # the stream would be led there too
        browser.send("/account/password", current_password=password, new_password="my own words")
        assert browser.get("/").status_code == 200 and "data-events" in browser.get("/account").text


def test_the_passwords_are_shown_once_and_stand_nowhere(
    app: Flask, room: Room, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = room.roster(names=NAMES, confirm="yes")
    cards = cards_on(answer.text)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    stored = repr(all_rows(app)) + capfd.readouterr().err
    shown_again = "".join(room.browser.get(f"{room.path}{page}").text for page in ("/roster", "/students"))
    for _, password in cards:
        assert password not in stored + shown_again
    assert all(row["password_hash"].startswith("$argon2id$") for row in rows_of(app, "user"))


def test_an_address_that_only_this_computer_can_open_is_told_before_cards_are_printed(room: Room) -> None:
    told = "works only on this computer"
    pages = [room.browser.get(f"{room.path}{page}").text for page in ("", "/roster", "/projector")]
    for page in [*pages, room.roster(names=NAMES).text]:
        assert told in page and "<code>python3 run.py --host 0.0.0.0</code>" in page
    assert "and make new passwords under Students" in room.roster(names=NAMES, confirm="yes").text
    assert "and make new codes under Students" in room.browser.send(f"{room.path}/log-in-codes").text
    room.browser.send(f"{room.path}/archive")
    assert told not in room.browser.get(room.path).text


def test_a_confirmation_while_problems_are_left_writes_nothing(app: Flask, room: Room) -> None:
    before = all_rows(app, "session", "presence")
    for names in ("Anna\nAnna", "Anna\n" + "x" * 101, "Anna\n--"):
        answer = room.roster(names=names, confirm="yes")
        assert answer.status_code == 409, names
        assert "Nothing was saved" in answer.text and "needs a change" in answer.text, names
    assert all_rows(app, "session", "presence") == before


def test_who_is_here_already_is_no_fault_of_the_list(room: Room) -> None:
    room.add("Anna\nBen\n")
    page = room.roster(names="Anna\nBen\nCem\n").text
    assert "1 student to add" in page and "2 students are here already" in page and "row-problem" not in page
    page = room.roster(names="Anna\nBen\n").text
    assert "All 2 students of the list are in Informatics 7b already" in page and "show their cards" not in page
    assert "Check again" in page, "two people may have one name"
    again = room.roster(names="Anna\nBen\n", confirm="yes")
    assert again.status_code == 409 and "Nothing was saved, because these students are here already" in again.text
    assert "Were they added a moment ago?" in again.text


def test_too_few_seats_are_told_once_and_one_press_allows_more_and_adds_all(app: Flask, room: Room) -> None:
    room.add("Zoe")
    names = "\n".join(f"S {number}" for number in range(SEATS + 2))
    pages = [room.roster(names=names), room.roster(names=names, confirm="yes")]
    assert [page.status_code for page in pages] == [200, 409] and len(students(app)) == 1
    for page in (answer.text for answer in pages):
        assert page.count("No seat is left") == 1 and f"{SEATS + 3} students, {SEATS} seats" in page
        assert f"No seat is left for 3 of them: from “<span dir=\"auto\">S {SEATS - 1}</span>” on" in page
        assert f"Add only the {SEATS - 1} students" in page and "needs a change" not in page
    form = pages[0].text.partition(f"Allow {SEATS + 3} seats")[0]
    all_names = re.findall(r'(?s)name="names" value="(.*?)"', form)[-1]
    seats = re.findall(r'name="seats" value="(.*?)"', form)[-1]
    assert room.roster(names=all_names, confirm="yes", seats="x").status_code == 400
    assert len(cards_on(room.roster(names=all_names, confirm="yes", seats=seats).text)) == SEATS + 2
    assert [row["seat_limit"] for row in rows_of(app, "classroom")] == [SEATS + 3]


def test_the_lines_without_a_problem_can_be_added_alone(app: Flask, room: Room) -> None:
    room.add("Anna\nBen\n")
    page = room.roster(names="Anna\nBen\nCem\nCem\n").text
    assert "1 line needs a change" in page and "Add the other 1 student" in page
    assert "2 students are here already" in page and "stands in line 3 too" in page, "as they were pasted"
    handed_on = re.search(r'(?s)name="names" value="(.*?)"', page)
    assert handed_on and len(room.add(handed_on[1])) == 1
    assert sorted(row["real_name"] for row in students(app)) == ["Anna", "Ben", "Cem"]


def test_a_problem_is_told_with_its_line_in_the_box_to_correct_it_in(room: Room) -> None:
    content = b"\n\nName,ID\n\nAnna,1\n\n\nBen,2\nBen B,2\n"
    page = room.roster(file=(BytesIO(content), "list.csv")).text
    box = re.search(r"(?s)<textarea[^>]*>\n(.*?)</textarea>", page)
    assert box and [line.split("\t")[0] for line in box[1].splitlines()] == ["Name", "Anna", "Ben", "Ben B"]
    assert re.findall(r'data-label="Line">(\d)<', page) == ["4", "2", "3"] and "stands in line 3 too" in page
    assert "correct your file, where the lines may have other numbers" in page
    assert 'data-label="Line"' not in room.roster(names=NAMES).text


def test_who_stands_twice_in_the_list_with_one_id_is_no_problem(app: Flask, room: Room) -> None:
    page = room.roster(names="Name,ID\nAnna,1\nBen,2\nAnna,1\n").text
    assert "2 students to add" in page
    assert "stands in the list more than once with the same ID, and is taken once" in page
    handed_on = re.search(r'(?s)name="names" value="(.*?)"', page)
    assert handed_on and handed_on[1].startswith("Name\tID\tEmail\tSection\nAnna\t1")
    assert len(room.add(handed_on[1])) == len(students(app)) == 2


def test_the_same_list_confirmed_twice_at_once_makes_one_set(app: Flask) -> None:
    room = Room(app)
    second = logged_in(app, "teacher7")
    presses = [partial(one.send, f"{room.path}/roster", names=NAMES, confirm="yes") for one in (room.browser, second)]
    assert sorted(answer.status_code for answer in all_at_once(presses)) == [200, 409]
    assert len(students(app)) == 3
    answer = room.roster(names=NAMES, confirm="yes")
    assert answer.status_code == 409 and f"{room.path}/students" in answer.text


def test_a_user_name_that_is_taken_is_not_given_again(app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    [(taken, _)] = room.add("Anna")
    drawn = iter([[taken], [taken], ["calm-river-42"]])
    monkeypatch.setattr(student_accounts, "new_user_names", lambda count: next(drawn))
    assert room.add("Ben")[0][0] == "calm-river-42"


def test_passwords_are_hashed_while_others_write(app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = []

    def hash_and_write(password: str) -> str:
        with app.app_context(), writing():  # would wait for the lock in vain if it were held
            hashed.append(password)
        return "$argon2id$" + password[::-1]

    monkeypatch.setattr(passwords, "hash_password", hash_and_write)
    assert [password for _, password in room.add()] == hashed


def test_only_the_instructors_of_the_classroom_add_students(app: Flask, room: Room) -> None:
    Room(app, "other-teacher")
    others = [logged_in(app, "other-teacher")]
    others += [enrolled(app, room.public_id, "student1"), enrolled(app, room.public_id, "assist1", Role.ASSISTANT)]
    before = students(app)
    for browser in others:
        assert browser.get(f"{room.path}/roster").status_code == 404
        assert browser.send(f"{room.path}/roster", names=NAMES, confirm="yes").status_code == 404
    assert students(app) == before and len(rows_of(app, "user")) == 4


def test_what_is_no_list_is_refused_on_the_page_it_was_sent_from(room: Room) -> None:
    for fields, sentence in (
        ({"names": " \n"}, "There is no name in it"),
        ({"file": (BytesIO(b"PK\x03\x04"), "list.xlsx")}, "save it as CSV"),
        ({"names": "Anna\n" * 501}, "at most 500"),
        ({}, "There is no name in it"),
    ):
        answer = room.roster(**fields)
        assert answer.status_code == 400 and sentence in answer.text, sentence
        assert 'aria-invalid="true"' in answer.text


def test_a_file_may_be_larger_than_a_form_but_not_without_end(room: Room) -> None:
    content = b"Name,ID,Notes\nAnna,1," + b"x" * 90_000 + b"\nBen,2," + b"x" * 90_000
    page = room.roster(file=(BytesIO(content), "list.csv"))
    assert page.status_code == 200, page.text
    assert room.browser.post(f"{room.path}/roster", data=b"x" * (1024 * 1024 + 1)).status_code == 413


def test_nobody_is_added_to_an_archived_classroom(app: Flask, room: Room) -> None:
    room.browser.send(f"{room.path}/archive")
    answer = room.roster(names=NAMES, confirm="yes")
    assert answer.status_code == 409 and "Bring it back first" in answer.text
    assert students(app) == []
