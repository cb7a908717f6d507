"""A classroom through its pages: made, named, copied, archived, joined, and led by several."""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.agents.programs import make_program
from tests.classrooms.rooms import Room
from tests.conftest import Browser, MakeApp, sqlite_only
from tests.factories import enrolled, logged_in, make_classroom, make_user, member_of
from tests.meanwhile import all_at_once
from tests.tables import all_rows, rows_of
from webapp.classrooms import roster
from webapp.classrooms.codes import ALPHABET, CODE, new_join_code, shown_code, typed_code
from webapp.classrooms.roles import Role
from webapp.classrooms.services import BadFullName, full_name
from webapp.operations.invariants import check

BrowserOf = Callable[[], Browser]


def room_of(app: Flask) -> dict:  # type: ignore[type-arg]
    [room] = rows_of(app, "classroom")
    return room


def test_a_code_is_typed_as_people_type_it() -> None:
    code = new_join_code()
    assert CODE.match(code) and len(ALPHABET) ** 8 > 8 * 10**11
    for typed in (code, shown_code(code), shown_code(code).upper(), f" {code[:4]} {code[4:]} "):
        assert typed_code(typed) == code, typed
    for wrong in ("", "abc", "abcd-efg", "abcdefgh1", "abcd-efg0", "a" * 5000):
        assert typed_code(wrong) is None, wrong


def test_a_classroom_is_made_and_its_steps_are_ticked_off(app: Flask) -> None:
    make_classroom(app, name="First")
    teacher = logged_in(app, "teacher7")
    bad = teacher.send("/classrooms", name=" ", term="Autumn")
    assert bad.status_code == 400 and "needs a name" in bad.text and 'value="Autumn"' in bad.text
    address = teacher.send("/classrooms", name="<b>7b</b>", term="Autumn 2026").location
    page = teacher.get(address).text
    assert "&lt;b&gt;7b&lt;/b&gt;" in page and "Autumn 2026" in page and page.count("is-done") == 1
    enrolled(app, address[-12:], "student1", real_name="Zoë Åberg").get("/classrooms")
    assert "Zoë Åberg" in teacher.get(f"{address}/students").text
    assert teacher.get(address).text.count("is-done") == 2
    enrolled(app, address[-12:], "student2").get(address)
    page = teacher.get(address).text
    assert page.count("is-done") == 2 and re.search(r'button-strong" href="[^"]+/projector"', page)
    enrolled(app, address[-12:], "student3").get(address)
    page = teacher.get(address).text
    assert page.count("is-done") == 3 and re.search(r'<a href="[^"]+/projector">Put the address on the wall', page)
    teacher.send(f"{address}/lesson")
    assert "What to do next" not in teacher.get(address).text


def test_what_is_left_to_do_is_linked_where_it_can_be_done(app: Flask) -> None:
    classroom = make_classroom(app)
    steps = [f"/classrooms/{classroom}/{page}" for page in ("roster", "projector")]
    lesson = f'<form method="post" action="/classrooms/{classroom}/lesson">'
    helper = enrolled(app, classroom, "helper7", Role.ASSISTANT)
    for browser, linked in ((logged_in(app, "teacher7"), steps), (helper, steps[1:])):
        for page in (f"/classrooms/{classroom}", "/classrooms"):
            shown = browser.get(page).text
            to_do = shown.split('class="to-do"')[1].split("</ol>")[0]
            assert re.findall('href="([^"]+)"', to_do) == linked and to_do.count("button-strong") == 1, page
            assert lesson in to_do and shown.count("Start the lesson") == 1, page


def test_a_student_reads_the_whole_user_name_on_the_page_of_the_class(app: Flask) -> None:
    classroom = make_classroom(app)
    pages = (enrolled(app, classroom, "a-rather-long-name-1"), logged_in(app, "teacher7"))
    told = [re.findall("You are <b>([^<]+)</b>", page.get(f"/classrooms/{classroom}").text) for page in pages]
    assert told == [["a-rather-long-name-1"], []]


def test_only_who_may_make_classrooms_is_offered_a_copy(app: Flask) -> None:
    path = f"/classrooms/{make_classroom(app)}"
    second = enrolled(app, path.split("/")[2], "second7", Role.INSTRUCTOR)
    browsers = (logged_in(app, "teacher7"), second)
    assert ["Make a copy" in browser.get(f"{path}/settings").text for browser in browsers] == [True, False]
    assert second.send(f"{path}/duplicate").status_code == 404


def test_a_student_sees_the_classroom_and_no_real_name(app: Flask) -> None:
    classroom = make_classroom(app)
    enrolled(app, classroom, "student1", real_name="Zoë Åberg", email="zoe@school.example", external_id="4711")
    student = enrolled(app, classroom, "student2", real_name="Ann Other")
    page = student.get(f"/classrooms/{classroom}").text + student.get("/classrooms").text
    assert "Informatics 7b" in page and "teacher7" in page
    for hidden in ("Zoë", "Ann Other", "zoe@", "4711", "Join code", "Settings", room_of(app)["join_code"]):
        assert hidden not in page, hidden


def test_the_order_of_those_who_are_here_tells_nothing_of_their_real_names(app: Flask) -> None:
    classroom = make_classroom(app)
    path = f"/classrooms/{classroom}"
    for name, real_name in (("student1", "Zoë Åberg"), ("Student2", "Mo Moss"), ("student3", "Ann Other")):
        enrolled(app, classroom, name, real_name=real_name).get(path)
    page = enrolled(app, classroom, "student4").get(path).text
    assert re.findall('class="player" href="/players/([^"]+)"', page) == ["student1", "Student2", "student3"]


def test_settings_are_changed_by_instructors_and_stay_what_they_were_if_something_is_wrong(app: Flask) -> None:
    classroom = make_classroom(app)
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}/settings"
    before = room_of(app)
    for wrong in ({"seat_limit": "0"}, {"seat_limit": "1001"}, {"seat_limit": "x"}, {"name": "", "seat_limit": "5"}):
        assert teacher.send(path, **{"name": "7c", **wrong}).status_code == 400, wrong
    assert room_of(app) == before
    page = teacher.send(path, name="7c", seat_limit="x", only_members="yes", levels="casual").text
    assert re.findall(r'value="(yes|\w+)" checked', page) == ["yes", "casual"] and 'value="7c"' in page
    fields = {"name": "7c", "seat_limit": "5", "only_members": "yes", "levels": ["beginner", "casual", "master"]}
    assert teacher.send(path, **fields, role="student", public_id="x", join_code="y").status_code == 303
    changed = {"name": "7c", "seat_limit": 5, "only_members": True, "levels": "beginner casual"}
    switched_off = dict.fromkeys(["allows_watching", "allows_coach", "allows_agents", "has_leaderboard"], False)
    assert room_of(app) == before | changed | switched_off


def test_a_copy_has_the_settings_and_no_students(app: Flask) -> None:
    classroom = make_classroom(app, name="7b", term="Autumn")
    enrolled(app, classroom, "student1")
    teacher = logged_in(app, "teacher7")
    teacher.send(f"/classrooms/{classroom}/settings", name="7b", term="Autumn", seat_limit="7", only_members="yes")
    assert teacher.send(f"/classrooms/{classroom}/duplicate").status_code == 303
    one, copy = rows_of(app, "classroom")
    assert {one["name"], copy["name"]} == {"7b", "7b (copy)"}
    assert one["join_code"] != copy["join_code"] and one["seat_limit"] == copy["seat_limit"] == 7
    assert len(rows_of(app, "enrolment")) == 3


def test_an_archived_classroom_lets_nobody_in_until_it_is_brought_back(app: Flask, client: Browser) -> None:
    classroom = make_classroom(app)
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}"
    assert teacher.send(f"{path}/archive").status_code == 303
    code = room_of(app)["join_code"]
    client.sign_up()
    assert client.send(f"/join/{code}").status_code == 409
    for post in ("joining", "instructors", "assistants"):
        assert teacher.send(f"{path}/{post}", joining="open", name="player7").status_code == 409, post
    assert "archived" in teacher.get(path).text and "archived" in teacher.get("/classrooms").text
    teacher.send(f"{path}/bring-back")
    teacher.send(f"{path}/joining", joining="open")
    assert client.send(f"/join/{code}").status_code == 303


def test_who_cannot_bring_a_classroom_back_is_told_who_can(app: Flask) -> None:
    path = f"/classrooms/{make_classroom(app)}"
    student = enrolled(app, path.removeprefix("/classrooms/"), "student1")
    logged_in(app, "teacher7").send(f"{path}/archive")
    answer = student.send(f"{path}/play")
    assert answer.status_code == 409 and "One of its instructors can bring it back." in answer.text
    assert "Bring it back first" not in answer.text and f'href="{path}">To the classroom' in answer.text


def test_several_lead_a_classroom_and_the_last_instructor_stays(app: Flask) -> None:
    classroom = make_classroom(app)
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}"
    second, helper = member_of(app, "second7"), enrolled(app, classroom, "helper7")
    assert "/staff/teacher7/remove" not in teacher.get(f"{path}/settings").text
    last = teacher.send(f"{path}/staff/teacher7/remove")
    assert last.status_code == 409 and "only instructor" in last.text and "<h1>Settings</h1>" in last.text
    assert "only instructor" in teacher.send(f"{path}/assistants", name="teacher7").text
    assert teacher.send(f"{path}/instructors", name="nobody7").status_code == 404
    assert teacher.send(f"{path}/instructors", name="second7").status_code == 303
    assert "/staff/teacher7/remove" in teacher.get(f"{path}/settings").text
    assert teacher.send(f"{path}/assistants", name="helper7", confirm="yes").status_code == 303
    assert helper.get(f"{path}/settings").status_code == 404
    assert helper.send(f"{path}/staff/second7/remove").status_code == 404
    assert second.send(f"{path}/staff/teacher7/remove").status_code == 303
    assert teacher.get(path).status_code == 404
    assert helper.send(f"{path}/staff/helper7/remove").location == "/classrooms"
    assert helper.get(path).status_code == 404
    present = [row for row in rows_of(app, "enrolment") if row["removed_at"] is None]
    assert [row["role"] for row in present] == [Role.INSTRUCTOR]


def test_a_student_gets_a_role_after_a_second_press_and_comes_back_without_it(app: Flask) -> None:
    classroom, other = make_classroom(app), make_classroom(app, name="Informatics 7c")
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}"
    known = {"real_name": "Paula Phone", "external_id": "S-1", "made_for_classroom": True}
    paula = enrolled(app, classroom, "paula", **known)
    enrolled(app, other, "zoe-7", real_name="Zoë Åberg")
    for name, sentence in (
        ("PAULA", "Yes, make paula (Paula Phone) an assistant"),
        ("zoe-7", "zoe-7 is a student of Informatics 7c"),
    ):
        assert sentence in teacher.send(f"{path}/assistants", name=name).text
    assert [row["role"] for row in rows_of(app, "enrolment")].count(Role.STUDENT) == 2
    paula.send(f"{paula.start(cell=0)}/resign")
    for _ in range(2):
        assert teacher.send(f"{path}/assistants", name="paula", confirm="yes").status_code == 303
    assert "Paula" not in teacher.get(f"{path}/students").text and paula.get(f"{path}/students").status_code == 200
    removed = teacher.get(teacher.send(f"{path}/staff/paula/remove").location.split("#")[0])
    assert "They were a student here" in removed.text
    assert "Bring back" in teacher.get(f"{path}/students").text and paula.get(path).status_code == 404
    paula_id = next(row["id"] for row in rows_of(app, "user") if row["name"] == "paula")
    assert teacher.send(f"{path}/students/bring-back", student=paula_id).status_code == 303
    assert 'href="' + path + '/students/paula">Paula Phone' in teacher.get(f"{path}/results").text
    stays = [row for row in rows_of(app, "enrolment") if row["user_id"] == paula_id]
    assert [row["role"] for row in stays] == [Role.STUDENT, Role.ASSISTANT, Role.STUDENT]
    assert all(row[field] == value for row in stays for field, value in known.items())
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_who_gets_a_role_may_be_named_with_the_space_that_a_phone_adds(app: Flask) -> None:
    classroom, teacher = make_classroom(app), logged_in(app, "teacher7")
    enrolled(app, classroom, "helper7")
    for path in ("/classrooms/instructors", f"/classrooms/{classroom}/assistants"):
        assert "Make <span dir=\"auto\">helper7</span>" in teacher.send(path, name="helper7 ").text, path
        unknown = teacher.send(path, name="nobody7")
        assert unknown.status_code == 404 and "they need an account on this site first" in unknown.text, path


@sqlite_only
def test_who_gets_a_role_is_asked_about_under_the_path_of_the_site_too(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_PREFIX="/tools/noughts")
    classroom = make_classroom(app)
    enrolled(app, classroom, "student1")
    teacher = logged_in(app, "teacher7")
    for path in ("/classrooms/instructors", f"/classrooms/{classroom}/assistants"):
        page = teacher.send(path, name="student1").text
        actions = re.findall(r'action="(/[^"]*)"', page)
        assert f"/tools/noughts{path}" in actions, path
        assert all(action.startswith("/tools/noughts/") for action in actions), path


def test_an_agent_is_made_neither_instructor_nor_assistant(app: Flask) -> None:
    classroom, teacher = make_classroom(app), logged_in(app, "teacher7")
    make_program(app, "owner7", "robot7")
    room = f"/classrooms/{classroom}"
    for path in ("/classrooms/instructors", f"{room}/instructors", f"{room}/assistants"):
        answer = teacher.send(path, name="robot7")
        assert answer.status_code == 404 and "There is no player named robot7" in answer.text, path
    assert len(rows_of(app, "enrolment")) == 1


def test_two_instructors_who_leave_at_once_leave_one(app: Flask) -> None:
    classroom = make_classroom(app)
    browsers = {"teacher7": logged_in(app, "teacher7"), "second7": enrolled(app, classroom, "second7", Role.INSTRUCTOR)}
    for browser in browsers.values():
        browser.csrf_token()
    leave = [
        partial(browser.send, f"/classrooms/{classroom}/staff/{name}/remove") for name, browser in browsers.items()
    ]
    assert Counter(answer.status_code for answer in all_at_once(leave)) == {303: 1, 409: 1}


# By the code


def test_a_mistyped_code_can_be_put_right_where_it_was_typed(client: Browser) -> None:
    page = client.get("/join/2345-bcd%22").text
    assert "No classroom has this code." in page and ' value="2345-bcd&#34;" aria-invalid="true" autofocus' in page
    assert "autofocus" not in client.get("/join").text


def test_a_visitor_joins_on_one_page_and_who_has_an_account_by_one_press(app: Flask, browser_of: BrowserOf) -> None:
    classroom = make_classroom(app)
    code = room_of(app)["join_code"]
    visitor, guest, player = browser_of(), browser_of(), member_of(app, "player7")
    found = visitor.get("/join", query_string={"code": shown_code(code).upper()})
    assert (found.status_code, found.location) == (303, f"/join/{shown_code(code).upper()}")
    page = visitor.get(found.location).text
    assert 'name="password"' in page and "Informatics 7b" in page
    weak = visitor.send(f"/join/{code}", name="student1", password="short", real_name="Zoë  Åberg")
    assert weak.status_code == 400 and 'value="Zoë  Åberg"' in weak.text
    for _ in range(2):  # the second press finds the account of the first
        fields = {"name": "student1", "password": "correct horse", "real_name": " Zoë\t Åberg ", "role": "instructor"}
        assert visitor.send(f"/join/{code}", **fields).location == f"/classrooms/{classroom}"
    guest.start(cell=4)
    assert guest.send(f"/join/{code}", name="student2", password="correct horse").status_code == 303
    assert 'name="password"' not in player.get(f"/join/{code}").text
    assert player.send(f"/join/{code}").status_code == 303
    assert player.get(f"/join/{code}").location == f"/classrooms/{classroom}"
    stays = rows_of(app, "enrolment")
    assert Counter(stay["role"] for stay in stays) == {Role.INSTRUCTOR: 1, Role.STUDENT: 3}
    assert {stay["real_name"] for stay in stays} == {"", "Zoë Åberg"}
    assert len(rows_of(app, "user")) == 4  # the guest became the account


def test_a_full_name_may_be_of_any_script_as_in_a_roster() -> None:
    half_space = "\N{ZERO WIDTH NON-JOINER}"
    names = {f" علی{half_space}رضا": f"علی{half_space}رضا", "Zoe\u0308\t Åberg": "Zoë Åberg", half_space: "", " ": ""}
    names |= {"\N{HANGUL FILLER}": "", "김철수": "김철수"}
    for typed, stored in names.items():
        assert full_name(typed) == stored, repr(typed)
    for typed in ("a" * 101, "a\x07b", "a\N{RIGHT-TO-LEFT OVERRIDE}b"):
        with pytest.raises(BadFullName):
            full_name(typed)


def test_a_full_name_far_too_long_is_refused_without_ordering_its_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    normalised: list[int] = []
    monkeypatch.setattr(roster.unicodedata, "normalize", lambda _form, text: normalised.append(len(text)) or text)
    with pytest.raises(BadFullName):
        full_name("a" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING DOT BELOW}" * 15_000)
    assert max(normalised, default=0) <= 1000


def test_a_closed_or_changed_code_lets_nobody_in_and_makes_no_account(app: Flask, client: Browser) -> None:
    classroom = make_classroom(app)
    teacher, code = logged_in(app, "teacher7"), room_of(app)["join_code"]
    path = f"/classrooms/{classroom}/joining"
    assert teacher.send(path, joining="closed").status_code == 303
    closed = client.send(f"/join/{code}", name="student1", password="correct horse")
    assert closed.status_code == 409 and "Ask your instructor" in closed.text
    assert "Ask your instructor" in client.get(f"/join/{code}").text
    assert teacher.send(path, joining="sideways").status_code == 400
    teacher.send(path, joining="new-code")
    new = room_of(app)["join_code"]
    assert [client.get(f"/join/{one}").status_code for one in (code, new)] == [404, 200]
    assert [user["name"] for user in rows_of(app, "user")] == ["teacher7"]


def test_two_joins_for_the_last_seat_are_one_in_and_one_told(app: Flask, browser_of: BrowserOf) -> None:
    classroom = make_classroom(app)
    logged_in(app, "teacher7").send(f"/classrooms/{classroom}/settings", name="7b", seat_limit="1")
    code, browsers = room_of(app)["join_code"], [browser_of(), member_of(app, "player7")]
    for browser in browsers:
        browser.csrf_token()
    joins = [partial(browser.send, f"/join/{code}", name="student1", password="correct horse") for browser in browsers]
    answers = all_at_once(joins)
    assert Counter(answer.status_code for answer in answers) == {303: 1, 409: 1}
    assert "No seat is left" in next(answer.text for answer in answers if answer.status_code == 409)
    assert len(rows_of(app, "enrolment")) == 2


@pytest.mark.slow
def test_guessing_codes_is_stopped_and_right_ones_go_on(app: Flask, client: Browser) -> None:
    make_classroom(app)
    code = room_of(app)["join_code"]
    client.sign_up()
    before = all_rows(app, "throttle", "session", "user")
    answers = Counter(client.get(f"/join/{'abcdefgh' if number % 2 else 'x'}").status_code for number in range(101))
    assert answers == {404: 100, 429: 1}
    assert all_rows(app, "throttle", "session", "user") == before
    assert client.send(f"/join/{code}").status_code == 303


def test_the_projector_shows_the_address_and_the_code(app: Flask) -> None:
    classroom = make_classroom(app)
    page = logged_in(app, "teacher7").get(f"/classrooms/{classroom}/projector").text
    assert shown_code(room_of(app)["join_code"]) in page
    assert re.search(r"wall-address\">localhost/join<", page)
    assert '<svg' in page.split("wall-qr")[1][:200] and "style=" not in page
    assert "Have a card? Log in at <b>localhost/log-in</b>" in page
    make_user(app)
    assert logged_in(app, "player7").get(f"/classrooms/{classroom}/projector").status_code == 404


def test_a_projector_shows_no_code_that_has_ended(app: Flask) -> None:
    path, teacher = f"/classrooms/{make_classroom(app)}", logged_in(app, "teacher7")
    teacher.send(f"{path}/lesson")
    old = shown_code(room_of(app)["join_code"])
    pieces = [f"{path}/projector/piece", f"{path}/lesson/projector/piece"]
    for page in pieces:
        assert f'data-live="{page}"' in teacher.get(page.removesuffix("/piece")).text and old in teacher.get(page).text
    teacher.send(f"{path}/joining", joining="new-code")
    new = shown_code(room_of(app)["join_code"])
    assert f"The new code is {new}. The old one lets nobody in any more." in teacher.get(path).text
    for page in pieces:
        assert new in teacher.get(page).text and old not in teacher.get(page).text, page
    teacher.send(f"{path}/joining", joining="closed")
    assert "Joining is closed: the code lets nobody in now." in teacher.get(path).text
    for page in pieces:
        assert new not in teacher.get(page).text, page


def test_who_has_a_card_finds_the_log_in_where_the_code_is_typed(app: Flask, client: Browser) -> None:
    assert "Have a card" in client.get("/join").text and "Have a card" in client.get("/join/abcdefgh").text
    assert "Have a card" not in member_of(app, "player7").get("/join").text


def test_a_classroom_or_its_copy_is_made_once_however_often_it_is_pressed(app: Flask) -> None:
    room = Room(app)
    chosen = re.search(r'name="public_id" value="(\S+)"', room.browser.get("/classrooms").text)
    copy_id = re.search(r'name="public_id" value="(\S+)"', room.browser.get(f"{room.path}/settings").text)
    assert chosen and copy_id
    teachers = [room.browser, logged_in(app, "teacher7")]
    for teacher in teachers:
        teacher.csrf_token()
    copy = (f"{room.path}/duplicate", {"public_id": copy_id[1]})
    presses = [("/classrooms", {"name": "8a", "public_id": chosen[1]}), copy]
    for path, fields in presses:
        answers = all_at_once([partial(teacher.send, path, **fields) for teacher in teachers])
        assert len({answer.location for answer in answers}) == 1, path
    assert [row["name"] for row in rows_of(app, "classroom")] == ["Informatics 7b", "8a", "Informatics 7b (copy)"]
    other = Room(app, "teacher8")  # an id that is somebody else's is exchanged for a new one
    made = other.browser.send("/classrooms", name="9c", public_id=chosen[1]).location
    assert made not in ("", f"/classrooms/{chosen[1]}")


def test_sign_ups_with_a_class_code_count_for_the_class_and_not_for_the_network(make_app: MakeApp) -> None:
    """Else one of them could use up the network's, and the class that sits behind it could not sign up."""
    app = make_app(NOUGHTS_SIGN_UPS_PER_ADDRESS=1)
    room = Room(app)
    room.browser.send(f"{room.path}/settings", name="7b", seat_limit="2")
    code = room_of(app)["join_code"]
    assert app.test_client().sign_up("outsider").status_code == 303
    assert app.test_client().sign_up("outsider2").status_code == 429

    def joins(name: str) -> TestResponse:
        browser: Browser = app.test_client()  # type: ignore[assignment]
        return browser.send(f"/join/{code}", name=name, password="correct horse", real_name=name)

    assert [joins(f"student{number}").status_code for number in range(3)] == [303, 303, 409]
    room.remove(*(room.id_of(f"student{number}") for number in range(2)))
    assert [joins(f"student{number}").status_code for number in (3, 4)] == [303, 303]
    refused = joins("student5")
    assert refused.status_code == 429 and "Too many accounts were made in this classroom" in refused.text


def test_who_tries_on_at_a_full_class_costs_no_slow_hash_for_ever(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    room = Room(app)
    room.browser.send(f"{room.path}/settings", name="7b", seat_limit="1")
    path = f"/join/{room_of(app)['join_code']}"
    visitor: Browser = app.test_client()  # type: ignore[assignment]
    player = member_of(app, "player7")
    fields = {"password": "correct horse", "real_name": "Zoë"}
    assert app.test_client().send(path, name="student1", **fields).status_code == 303
    monkeypatch.setattr("webapp.classrooms.join_views.WRONG_CODES", 3)
    assert [visitor.send(path, name="student2", **fields).status_code for _ in range(3)] == [409] * 3
    with monkeypatch.context() as patch:
        patch.setattr("webapp.accounts.services.hash_password", lambda _: pytest.fail("it was hashed"))
        refused = visitor.send(path, name="student2", **fields)
    assert refused.status_code == 429 and "Too many tries to join" in refused.text
    assert player.send(path).status_code == 409  # it costs nothing for who has an account
    make_classroom(app)  # of the same school
    *_, other = rows_of(app, "classroom")
    assert visitor.send(f"/join/{other['join_code']}", name="student2", **fields).status_code == 303
