"""A forgotten password: the classroom's staff gives a new one, to accounts made for it and to no others."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.classrooms.rooms import Room, cards_on, students
from tests.conftest import postgres_only
from tests.factories import PASSWORD, enrolled, logged_in, put_into
from tests.meanwhile import Halfway, all_at_once, meanwhile
from tests.tables import all_rows, rows_of
from webapp.accounts.locking import lock_users
from webapp.accounts.passwords import hash_passwords
from webapp.classrooms import student_accounts
from webapp.classrooms.enrolling import enrol
from webapp.classrooms.roles import Role
from webapp.classrooms.services import make_instructor
from webapp.database import writing
from webapp.links import qr_code


@pytest.fixture
def room(app: Flask) -> Room:
    return Room(app)


def test_one_press_gives_a_new_password_and_ends_the_students_sessions(app: Flask, room: Room) -> None:
    [(name, old)] = room.add("Anna")
    student = logged_in(app, name, old)
    chosen = student.send("/account/password", page="/account", new_password="my own words")
    assert chosen.location == room.path, "the one password is typed once, and leads into the classroom"
    assert student.log_in(name, "my own words").location == room.path  # logged in already
    answer = room.browser.send(f"{room.path}/students/passwords", student=room.id_of(name))
    [(same_name, new)] = cards_on(answer.text)
    assert (answer.status_code, answer.headers["Cache-Control"], same_name) == (200, "no-store", name)
    assert new not in repr(all_rows(app))
    assert student.get("/account").status_code == 303, "logged out"
    for password in (old, "my own words"):
        assert student.log_in(name, password).status_code == 403
    assert logged_in(app, name, new).get("/lobby").location == "/account", "it must be changed"


def test_an_assistant_gives_new_passwords_too_and_others_do_not(app: Flask, room: Room) -> None:
    [(name, _)] = room.add("Anna")
    wanted = {"path": f"{room.path}/students/passwords", "student": room.id_of(name)}
    assistant = enrolled(app, room.public_id, "assist1", Role.ASSISTANT)
    assert assistant.send(**wanted).status_code == 200
    Room(app, "other-teacher")
    for browser in (enrolled(app, room.public_id, "student1"), logged_in(app, "other-teacher")):
        before = rows_of(app, "user")
        assert browser.send(**wanted).status_code == 404
        assert [row["password_hash"] for row in rows_of(app, "user")] == [row["password_hash"] for row in before]


def test_nobody_elses_password_is_within_reach(app: Flask, room: Room) -> None:
    """Own accounts, accounts of another classroom, removed ones, staff anywhere: not even together with one's own."""
    cards = room.add("Anna\nBen\nCem\nDora")
    mine, assisting, teaching, removed = (room.id_of(name) for name, _ in cards)
    enrolled(app, room.public_id, "student1")
    other = Room(app, "other-teacher")
    [(theirs, _)] = other.add("Eva")
    with app.app_context():
        make_instructor(cards[2][0])
        with writing() as connection:
            enrol(connection, 2, assisting, Role.ASSISTANT)
    room.remove(removed)
    before = [row["password_hash"] for row in rows_of(app, "user")]
    for user_id in (assisting, teaching, removed, room.id_of("student1"), room.id_of(theirs), room.id_of("teacher7")):
        for chosen in ([user_id], [mine, user_id]):
            answer = room.browser.send(f"{room.path}/students/passwords", student=chosen)
            assert answer.status_code == 403 and "the person who runs this site" in answer.text, chosen
    for nonsense in ([], ["x"], ["-1"], ["1" * 40]):
        assert room.browser.send(f"{room.path}/students/passwords", student=nonsense).status_code == 303
    assert [row["password_hash"] for row in rows_of(app, "user")] == before


def test_nobody_gives_a_role_to_an_account_made_for_a_class_that_they_do_not_lead(app: Flask, room: Room) -> None:
    """It would keep the codes and new passwords of that class from the student."""
    cards = room.add("Anna\nBen\nCem")
    anna, ben, cem = (name for name, _ in cards)
    other = Room(app, "other-teacher")
    put_into(app, other.public_id, ben)
    roles = [f"{other.path}/assistants", f"{other.path}/instructors", "/classrooms/instructors"]
    for name in (anna, ben):
        for path in roles:
            answer = other.browser.send(path, name=name, confirm="yes")
            assert answer.status_code == 403 and "made for a class that you do not lead" in answer.text, (name, path)
    assert len(cards_on(room.browser.send(f"{room.path}/log-in-codes").text)) == 3
    put_into(app, other.public_id, "teacher7", Role.INSTRUCTOR)
    assert room.browser.send(roles[0], name=anna, confirm="yes").status_code == 303, "an instructor of that class may"
    room.remove(room.id_of(cem))
    assert other.browser.send(roles[0], name=cem, confirm="yes").status_code == 303, "in no class any more"


def test_who_loses_their_role_while_passwords_are_hashed_gets_none(
    app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    [(name, password)] = room.add("Anna")
    assistant = enrolled(app, room.public_id, "assist1", Role.ASSISTANT)
    instructor = enrolled(app, room.public_id, "second7", Role.INSTRUCTOR)
    demote = partial(room.browser.send, f"{room.path}/assistants", name="second7", confirm="yes")
    remove = partial(room.browser.send, f"{room.path}/staff/assist1/remove")
    posts = (
        (assistant, remove, {"path": f"{room.path}/students/passwords", "student": room.id_of(name)}),
        (instructor, demote, {"path": f"{room.path}/roster", "names": "Ben", "confirm": "yes"}),
    )
    for browser, take_away, post in posts:

        def hash_meanwhile(chosen: list[str], take_away: Callable[[], TestResponse] = take_away) -> list[str]:
            assert meanwhile(take_away).status_code == 303
            return hash_passwords(chosen)

        monkeypatch.setattr(student_accounts, "hash_passwords", hash_meanwhile)
        answer = browser.send(**post)
        assert answer.status_code == 404 and cards_on(answer.text) == [], post
    assert logged_in(app, name, password).get("/account").status_code == 200
    assert [row["real_name"] for row in students(app)] == ["Anna"]


def test_two_resets_at_once_leave_one_password_that_works(app: Flask, room: Room) -> None:
    [(name, _)] = room.add("Anna")
    post = {"path": f"{room.path}/students/passwords", "student": room.id_of(name)}
    answers = all_at_once(partial(browser.send, **post) for browser in (room.browser, logged_in(app, "teacher7")))
    passwords = [cards_on(answer.text)[0][1] for answer in answers]
    assert len(set(passwords)) == 2
    opened = [app.test_client().log_in(name, password).status_code for password in passwords]
    assert sorted(opened) == [303, 403]


@postgres_only
def test_new_passwords_and_the_end_of_a_game_do_not_wait_crosswise(
    app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zoe comes first by her id, Ann by her name."""
    both = {room.id_of(name) for name, _ in room.add("Zoe\nAnn")}
    halfway = Halfway(app, student_accounts.write_password)
    monkeypatch.setattr(student_accounts, "write_password", halfway)

    def end_of_their_game() -> bool:
        with app.app_context(), writing() as connection:
            return lock_users(connection, both) == both

    def reset() -> bool:
        answer = room.browser.send(f"{room.path}/students/passwords", student=[*both], confirm="yes")
        return len(cards_on(answer.text)) == 2

    assert all_at_once([reset, halfway.after(end_of_their_game)]) == [True, True]


def test_the_button_beside_a_student_is_for_them_alone_and_all_is_for_all(app: Flask, room: Room) -> None:
    cards = room.add("Anna\nBen")
    enrolled(app, room.public_id, "student1")
    anna, ben = (room.id_of(name) for name, _ in cards)
    path = f"{room.path}/students/passwords"
    assert len(cards_on(room.browser.send(path, only=anna, student=[anna, ben]).text)) == 1
    assert len(cards_on(room.browser.send(path, student="all", confirm="yes").text)) == 2, "those that can be given one"
    assert room.browser.send(f"{room.path}/students/remove", student="all", confirm="yes").status_code == 303
    assert room.browser.send(path, student="all").status_code == 403, "nobody is left"


def test_new_passwords_for_several_are_asked_about_once_more(app: Flask, room: Room) -> None:
    cards = room.add("Anna\nBen\nCem")
    path, ids = f"{room.path}/students/passwords", [room.id_of(name) for name, _ in cards]
    before = [row["password_hash"] for row in rows_of(app, "user")]
    for chosen in (ids[:2], "all"):
        page = room.browser.send(path, student=chosen).text
        count = 3 if chosen == "all" else 2
        assert f"{count} students are logged out at once, and their passwords stop working." in page
        assert "Only for this lesson? Log-in codes leave passwords as they are." in page
        assert len(re.findall('name="student" value="[0-9]+"', page)) == count
    assert [row["password_hash"] for row in rows_of(app, "user")] == before
    assert len(cards_on(room.browser.send(path, student=ids, confirm="yes").text)) == 3
    assert len(cards_on(room.browser.send(path, student=ids[:1]).text)) == 1, "of one nothing is asked"


def test_a_form_that_is_sent_again_ends_no_password_on_a_card(app: Flask, room: Room) -> None:
    (anna, _), (ben, _) = room.add("Anna\nBen")
    path = f"{room.path}/students/passwords"
    ids = [room.id_of(anna), room.id_of(ben)]

    def marks(page: str) -> str:
        [found] = set(re.findall('name="marks" value="([^"]+)"', page))
        return str(found)

    alone = {"only": ids[0], "marks": marks(room.browser.get(f"{room.path}/students").text)}
    both = {"student": ids, "confirm": "yes"}
    for fields in (alone, both):
        if fields is both:
            fields["marks"] = marks(room.browser.send(path, student=ids, marks=alone["marks"]).text)
        cards = cards_on(room.browser.send(path, **fields).text)
        again = room.browser.send(path, **fields)
        assert again.status_code == 409 and "the newest cards and passwords still work" in again.text, fields
        assert "To the students" in again.text, fields
        assert logged_in(app, *cards[0]).get("/account").status_code == 200
    assert room.browser.send(path, only=ids[1], marks=alone["marks"]).status_code == 409, "Ben's has changed since too"
    fresh = marks(room.browser.get(f"{room.path}/students").text)
    assert [room.browser.send(path, only=one, marks=fresh).status_code for one in ids] == [200, 200]


def test_the_address_and_the_qr_code_on_a_card_lead_to_the_log_in_and_hold_no_secret(app: Flask, room: Room) -> None:
    page = room.roster(names="Anna\nBen", confirm="yes").text
    assert page.count("<dd>localhost<wbr>/log-in</dd>") == 2
    pictures = re.findall(r'<svg viewBox[^>]*class="qr">.*?</svg>', page)
    with app.test_request_context():
        assert pictures == [str(qr_code("http://localhost/log-in"))] * 2


# Names

def test_a_student_chooses_another_user_name_once_and_the_old_one_is_never_given_again(app: Flask, room: Room) -> None:
    [(name, password)] = room.add("Anna")
    student = logged_in(app, name, password)
    assert student.send("/account/name", name="wildcat").location == "/account", "first the password"
    student.send("/account/password", current_password=password, new_password=PASSWORD)
    for wrong, sentence in (("teacher7", "taken"), ("x", "3 to 20"), ("a b c", "letters")):
        answer = student.send("/account/name", name=wrong)
        assert answer.status_code in (400, 409) and sentence in answer.text, wrong
    assert student.send("/account/name", name="wildcat").status_code == 303
    assert "<h1>wildcat</h1>" in student.get("/account").text
    assert "Choose your own user name" not in student.get("/account").text
    assert student.send("/account/name", name="wildcat2").status_code == 409
    assert logged_in(app, "wildcat").get("/account").status_code == 200
    newcomer = app.test_client()
    assert newcomer.log_in(name, PASSWORD).status_code == 403
    assert "taken" in newcomer.sign_up(name.upper()).text
    assert newcomer.get(f"/players/{name}").status_code == 404
    assert "wildcat" in room.browser.get(f"{room.path}/students").text


def test_a_name_changed_twice_at_once_is_changed_once(app: Flask, room: Room) -> None:
    [(name, password)] = room.add("Anna")
    browsers = [logged_in(app, name, password)]
    browsers[0].send("/account/password", current_password=password, new_password=PASSWORD)
    browsers.append(logged_in(app, name))
    presses = [partial(one.send, "/account/name", name=f"wildcat{n}") for n, one in enumerate(browsers)]
    assert sorted(answer.status_code for answer in all_at_once(presses)) == [303, 409]
    assert len(rows_of(app, "user")) == 3, "the teacher, the student, and what is left of the old name"


def test_who_chose_their_name_keeps_it(app: Flask, room: Room) -> None:
    answer = room.browser.send("/account/name", name="wildcat")
    assert answer.status_code == 409 and "only once" in answer.text
