"""Students leave a classroom, come back and move to another: at once, in bulk, and with their games."""

from functools import partial

import pytest
from flask import Flask
from sqlalchemy import update

from tests.classrooms.rooms import Room, students
from tests.factories import PASSWORD, enrolled, logged_in, member_of
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from webapp.classrooms.models import Classroom
from webapp.classrooms.roles import Role
from webapp.database import writing
from webapp.operations.invariants import check


@pytest.fixture
def room(app: Flask) -> Room:
    return Room(app)


def ids(room: Room, names: str = "Anna\nBen\nCem") -> list[int]:
    return [room.id_of(name) for name, _ in room.add(names)]


def present(app: Flask, classroom: int = 1) -> list[str]:
    here = [row for row in students(app) if row["classroom_id"] == classroom and row["removed_at"] is None]
    return sorted(row["real_name"] for row in here)


def test_who_is_removed_is_out_at_once_and_keeps_account_and_games(app: Flask, room: Room) -> None:
    student = enrolled(app, room.public_id, "student1")
    game = student.start(cell=0)
    anna, ben, _ = ids(room)
    room.remove(room.id_of("student1"), anna, ben)
    assert present(app) == ["Cem"]
    assert student.get(room.path).status_code == 404
    assert student.get(game).status_code == 200 and student.get("/account").status_code == 200
    page = room.browser.get(f"{room.path}/students").text
    assert "3 students were removed" in page and "Bring back" in page and "a game in play there is lost" in page
    way = f'<a href="{room.path}#joining">Make a new code</a>'
    assert "they can join again" in page and way in page and 'id="joining"' in room.browser.get(room.path).text
    room.browser.send(f"{room.path}/joining", joining="closed")
    assert way not in room.browser.get(f"{room.path}/students").text


def test_who_was_removed_reads_so_and_where_to_go_and_strangers_read_nothing(app: Flask, room: Room) -> None:
    student, stranger = enrolled(app, room.public_id, "student1"), member_of(app, "eve")
    room.remove(room.id_of("student1"))
    told = "You are no longer in this classroom"
    for path in ("", "/piece", "/leaderboard", "/students", "/results", "/grades", "/end-of-term"):
        answer = student.get(room.path + path)
        assert answer.status_code == 404 and told in answer.text, path
        assert "Informatics" not in answer.text and 'button-strong" href="/classrooms">' in answer.text, path
        assert told not in stranger.get(room.path + path).text, path
    assert told not in app.test_client().get(room.path, follow_redirects=True).text
    room.change("bring-back", room.id_of("student1"))
    assert student.get(room.path).status_code == 200
    answer = student.get(f"{room.path}/students")
    assert answer.status_code == 404 and told not in answer.text, "for staff, and the student is in it again"


def test_several_are_removed_after_a_question_and_one_at_once(app: Flask, room: Room) -> None:
    anna, ben, cem = ids(room)
    for chosen in ([anna, ben], ["all"]):
        page = room.browser.send(f"{room.path}/students/remove", student=chosen).text
        count = 3 if chosen == ["all"] else 2
        assert f"Remove {count} students?" in page and "a game in play there is lost" in page, chosen
        assert page.count('name="student" value="') == count and ("Cem" in page) == (count == 3), chosen
    assert present(app) == ["Anna", "Ben", "Cem"]
    assert room.change("remove", anna, ben, confirm="yes").status_code == 303
    assert room.change("remove", cem).status_code == 303
    assert present(app) == []


def test_all_who_were_removed_are_brought_back_by_one_tick(app: Flask, room: Room) -> None:
    room.remove(*ids(room))
    row = 'name="student" value="all"> <span>All 3 students'
    assert room.browser.get(f"{room.path}/students").text.count(row) == 1
    assert room.browser.send(f"{room.path}/students/bring-back", student="all").status_code == 303
    assert present(app) == ["Anna", "Ben", "Cem"]


def test_a_press_on_a_page_of_before_says_that_it_changed_nobody(app: Flask, room: Room) -> None:
    there, (anna, *_) = Room(app), ids(room)
    room.remove(anna)
    assert "No student" not in room.browser.get(f"{room.path}/students").text
    for how, told in (("remove", "removed"), ("move", "moved to Informatics 7b")):
        assert room.change(how, anna, to=there.public_id).status_code == 303
        page = room.browser.get(f"{room.path}/students").text
        assert f"No student was {told}." in page and "a game in play there is lost" not in page, how


def test_an_archived_classroom_promises_no_way_back(app: Flask, room: Room) -> None:
    (anna,) = ids(room, "Anna")
    enrolled(app, room.public_id, "paula")
    room.browser.send(f"{room.path}/assistants", name="paula", confirm="yes")
    assert "Remove those ticked" in room.browser.get(f"{room.path}/students").text
    room.browser.send(f"{room.path}/archive")
    assert "Remove those ticked" not in room.browser.get(f"{room.path}/students").text
    room.remove(anna)  # from a page of before
    removed = room.browser.get(f"{room.path}/students").text
    assert "1 student was removed" in removed and "bring them back" not in removed
    left = room.browser.send(f"{room.path}/staff/paula/remove").location.split("#")[0]
    assert "bring them back" not in room.browser.get(left).text


def test_who_is_brought_back_is_known_by_the_same_names(app: Flask, room: Room) -> None:
    anna, ben, _ = ids(room, "Name\tID\tSection\nAnna\tS-1\t7b\nBen\tS-2\t7b\nCem\tS-3\t7b")
    room.remove(anna, ben)
    assert room.change("bring-back", anna, ben).status_code == 303
    assert present(app) == ["Anna", "Ben", "Cem"]
    stays = [row for row in students(app) if row["user_id"] == anna]
    assert [row["external_id"] for row in stays] == ["S-1", "S-1"]
    assert all(row["made_for_classroom"] for row in stays)
    assert room.change("passwords", anna).status_code == 200
    assert "Bring back" not in room.browser.get(f"{room.path}/students").text


def test_who_joins_again_by_the_code_with_a_name_keeps_what_the_roster_says(app: Flask, room: Room) -> None:
    [(name, password)] = room.add("Name\tID\tEmail\tSection\nAnna\tS-1\ta@b\t7b")
    student, code = logged_in(app, name, password), rows_of(app, "classroom")[0]["join_code"]
    student.send("/account/password", new_password=PASSWORD)
    student.send(f"{room.path}/leaderboard", shown="no")
    room.remove(room.id_of(name))
    assert student.send(f"/join/{code}", real_name="Anna Åberg").status_code == 303
    first, again = students(app)
    kept = ("external_id", "email", "section", "made_for_classroom", "on_leaderboard")
    assert [again[field] for field in kept] == [first[field] for field in kept] == ["S-1", "a@b", "7b", True, False]
    assert again["real_name"] == "Anna Åberg"


def test_students_move_to_another_classroom_of_their_instructor(app: Flask, room: Room) -> None:
    there = Room(app)
    anna, ben, _ = ids(room)
    assert room.change("move", anna, ben, to=there.public_id).status_code == 303
    assert (present(app), present(app, 2)) == (["Cem"], ["Anna", "Ben"])
    assert there.change("passwords", anna, ben).status_code == 200
    assert room.change("passwords", anna).status_code == 403
    elsewhere = Room(app, "other-teacher")
    assert there.change("move", anna, to=elsewhere.public_id).status_code == 404
    assert there.change("move", anna, to="").status_code == 404
    assert present(app, 2) == ["Anna", "Ben"]


def test_seats_are_counted_and_all_come_or_nobody(app: Flask, room: Room) -> None:
    there, (anna, ben, cem) = Room(app), ids(room)
    room.remove(cem)
    with app.app_context(), writing() as connection:
        connection.execute(update(Classroom).values(seat_limit=1))
    assert room.change("move", anna, ben, to=there.public_id).status_code == 409
    assert room.change("bring-back", cem).status_code == 409
    assert (present(app), present(app, 2)) == (["Anna", "Ben"], [])


def test_a_press_with_nobody_ticked_leads_back_to_the_list(app: Flask, room: Room) -> None:
    there, (anna, *_) = Room(app), ids(room)
    room.remove(anna)
    for how in ("remove", "bring-back", "move", "passwords"):
        answer = room.change(how, to=there.public_id)
        assert (answer.status_code, answer.location) == (303, f"{room.path}/students"), how
        assert "No student is ticked, so nothing was changed" in room.browser.get(answer.location).text, how
    assert (present(app), present(app, 2)) == (["Ben", "Cem"], [])


def test_a_press_repeated_or_at_once_changes_nothing_more(app: Flask, room: Room) -> None:
    there, chosen = Room(app), ids(room)
    second = logged_in(app, "teacher7")
    both = (room.browser, second)
    for how, fields in (("remove", {"confirm": "yes"}), ("bring-back", {}), ("move", {"to": there.public_id})):
        path = f"{room.path}/students/{how}"
        answers = all_at_once(partial(one.send, path, student=chosen, **fields) for one in both)
        assert {answer.status_code for answer in answers} == {303}, how
    assert (present(app), present(app, 2)) == ([], ["Anna", "Ben", "Cem"])
    assert len(students(app)) == 3 + 3 + 3


def test_two_moves_crosswise_do_not_wait_for_each_other(app: Flask, room: Room) -> None:
    there, here = Room(app), ids(room)
    others = [there.id_of(name) for name, _ in there.add("Dora\nEva")]
    second = logged_in(app, "teacher7")
    presses = [
        partial(room.browser.send, f"{room.path}/students/move", student=here, to=there.public_id),
        partial(second.send, f"{there.path}/students/move", student=others, to=room.public_id),
    ]
    assert [answer.status_code for answer in all_at_once(presses)] == [303, 303]
    assert (present(app), present(app, 2)) == (["Dora", "Eva"], ["Anna", "Ben", "Cem"])


def test_only_instructors_remove_and_only_students_of_their_classroom(app: Flask, room: Room) -> None:
    other = Room(app, "other-teacher")
    anna, *_ = ids(room)
    assistant = enrolled(app, room.public_id, "assist1", Role.ASSISTANT)
    before = rows_of(app, "enrolment")
    for how in ("remove", "bring-back", "move"):
        for browser in (assistant, other.browser):
            fields = {"student": anna, "to": room.public_id}
            assert browser.send(f"{room.path}/students/{how}", **fields).status_code == 404, how
        for stranger in (room.id_of("assist1"), room.id_of("teacher7"), 999):
            assert room.change(how, anna, stranger, to=room.public_id).status_code == 404, how
    assert rows_of(app, "enrolment") == before


def test_who_is_removed_while_a_list_is_confirmed_leaves_no_half_of_it(app: Flask, room: Room) -> None:
    anna, *_ = ids(room)
    second = logged_in(app, "teacher7")
    presses = [
        partial(room.browser.send, f"{room.path}/students/remove", student=anna),
        partial(second.send, f"{room.path}/roster", names="Anna\nDora", confirm="yes"),
    ]
    removed, added = (answer.status_code for answer in all_at_once(presses))
    assert removed == 303 and added in (200, 409)
    assert present(app) == (["Anna", "Ben", "Cem", "Dora"] if added == 200 else ["Ben", "Cem"])


def test_who_is_removed_while_their_game_ends_is_counted_on_one_side(app: Flask, room: Room) -> None:
    """The move is made whatever happens, and the totals equal a recount."""
    student = enrolled(app, room.public_id, "student1")
    game = student.start(cell=0, level="perfect")
    student.csrf_token()
    who = room.id_of("student1")
    removal = partial(room.browser.send, f"{room.path}/students/remove", student=who)
    presses = [removal, partial(student.send, f"{game}/resign")]
    assert [answer.status_code for answer in all_at_once(presses)] == [303, 303]
    assert "resigned" in student.get(game).text
    assert len(rows_of(app, "counted_game")) in (0, 1)
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []
