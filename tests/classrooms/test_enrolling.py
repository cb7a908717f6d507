"""Who is in a classroom: the one loader, seats, and the stays that decide for which classroom a game counts."""

from functools import partial

import pytest
from flask import Flask
from sqlalchemy import update

from tests.classrooms.rooms import Room, students
from tests.conftest import postgres_only
from tests.factories import (
    PASSWORD,
    enrolled,
    finished_game,
    logged_in,
    make_classroom,
    make_user,
    member_of,
    put_into,
)
from tests.meanwhile import Halfway, all_at_once
from tests.tables import rows_of
from webapp.accounts.models import User
from webapp.accounts.queries import account_named
from webapp.classrooms import moving, services, views
from webapp.classrooms.enrolling import NoSeatLeft, end_stays, enrol, lock_classroom, take_seats
from webapp.classrooms.models import Enrolment
from webapp.classrooms.queries import classroom_for, classrooms_of
from webapp.classrooms.roles import Role
from webapp.classrooms.services import BadClassroomName, create_classroom
from webapp.clock import now
from webapp.database import writing
from webapp.errors import NotThere
from webapp.privacy.services import delete_account, finish_deletions


def test_a_classroom_is_there_for_its_members_and_their_role_only(app: Flask) -> None:
    classroom = make_classroom(app)
    for name, role in (("student1", Role.STUDENT), ("assist1", Role.ASSISTANT)):
        enrolled(app, classroom, name, role)
    make_classroom(app, "other-teacher")
    with app.app_context():
        seen = [
            (name, role)
            for name in ("student1", "assist1", "teacher7", "other-teacher")
            for role in Role
            if _is_there(classroom, account_named(name), role)
        ]
        assert not _is_there("no-such-room", account_named("teacher7"), Role.STUDENT)
        assert not _is_there(classroom, None, Role.STUDENT)
        assert not _is_there("\0 nonsense\x85", account_named("teacher7"), Role.STUDENT)
    assert seen == [
        ("student1", Role.STUDENT),
        ("assist1", Role.STUDENT),
        ("assist1", Role.ASSISTANT),
        *(("teacher7", role) for role in Role),
    ]


def _is_there(public_id: str, user_id: int | None, at_least: Role) -> bool:
    try:
        return classroom_for(public_id, user_id, at_least).public_id == public_id
    except NotThere:
        return False


def test_who_is_removed_sees_the_classroom_no_more(app: Flask) -> None:
    classroom = make_classroom(app)
    enrolled(app, classroom, "student1")
    with app.app_context():
        student = account_named("student1")
        [room] = classrooms_of(student)
        with writing() as connection:
            assert end_stays(connection, room.id, [student]) == 1
            assert end_stays(connection, room.id, [student]) == 0
        assert classrooms_of(student) == []
        assert not _is_there(classroom, student, Role.STUDENT)


def test_only_instructors_make_classrooms_and_these_have_names(app: Flask) -> None:
    make_classroom(app)
    with app.app_context():
        teacher = account_named("teacher7")
        with pytest.raises(NotThere):
            create_classroom(make_user(app), "Mine")
        unseen = ("\N{ZERO WIDTH NON-JOINER}", "a\N{RIGHT-TO-LEFT OVERRIDE}b", "a\0b")
        for name, term in (("", ""), ("  ", ""), ("x" * 81, ""), ("7b", "x" * 41), *((one, "") for one in unseen)):
            with pytest.raises(BadClassroomName):
                create_classroom(teacher, name, term)
        room = classroom_for(create_classroom(teacher, " <b>7b</b>\t{{7*7}} ", "Autumn"), teacher)
        assert (room.name, room.term, room.role) == ("<b>7b</b> {{7*7}}", "Autumn", Role.INSTRUCTOR)
        joined = "ریاضی\N{ZERO WIDTH NON-JOINER}دانان \N{WOMAN}\N{ZERO WIDTH JOINER}\N{SCHOOL}"
        assert classroom_for(create_classroom(teacher, joined, joined), teacher).name == joined


def test_two_who_take_the_last_seat_at_once_are_one_in_and_one_told(app: Flask) -> None:
    classroom = make_classroom(app)
    users = [make_user(app, f"student{number}") for number in range(2)]
    with app.app_context():
        room = classroom_for(classroom, account_named("teacher7"))
        with writing() as connection:
            lock_classroom(connection, room.id)
            connection.exec_driver_sql("UPDATE classroom SET seat_limit = 1")

    def join(user_id: int) -> str:
        with app.app_context():
            try:
                with writing() as connection:
                    take_seats(connection, room.id, 1)
                    enrol(connection, room.id, user_id)
            except NoSeatLeft as refusal:
                return refusal.sentence
            return "in"

    answers = all_at_once([partial(join, user_id) for user_id in users])
    assert sorted(answers)[1] == "in"
    assert sorted(answers)[0].startswith("No seat is left")
    assert len(students(app)) == 1


def test_a_game_counts_if_its_player_was_in_the_classroom_when_it_ended(app: Flask) -> None:
    student, room = member_of(app, "student1"), Room(app)
    user_id = room.id_of("student1")
    changes = [
        lambda: None,
        lambda: put_into(app, room.public_id, "student1"),
        lambda: room.remove(user_id),
        lambda: room.change("bring-back", user_id),
    ]
    counts = []
    for change in changes:
        change()
        finished_game(student)
        counts.append(len(rows_of(app, "counted_game")))
    assert counts == [0, 1, 1, 2] and len(students(app)) == 2


def test_the_last_instructor_of_a_classroom_cannot_delete_the_account(app: Flask) -> None:
    classroom = make_classroom(app)
    teacher = logged_in(app, "teacher7")
    refused = teacher.send("/account/delete", password=PASSWORD)
    assert refused.status_code == 409
    assert "only instructor of Informatics 7b" in refused.text
    enrolled(app, classroom, "second7", Role.INSTRUCTOR)
    assert teacher.send("/account/delete", password=PASSWORD).status_code == 303
    [left] = rows_of(app, "enrolment")
    assert left["role"] == Role.INSTRUCTOR


def test_who_is_being_deleted_is_made_instructor_of_nothing(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name was looked up a moment before."""
    room = Room(app)
    for path in (f"{room.path}/instructors", f"{room.path}/assistants", "/classrooms/instructors"):
        name = f"gone{len(rows_of(app, 'user'))}"
        user_id = make_user(app, name)
        with app.app_context():
            delete_account(user_id)
        for module in (services, views):
            monkeypatch.setattr(module, "person_named", lambda _name, found=user_id: found)
        assert room.browser.send(path, name=name, confirm="yes").status_code == 404, path
    assert len(rows_of(app, "enrolment")) == 1
    assert [row["name"] for row in rows_of(app, "user") if row["is_instructor"]] == ["teacher7"]
    assert room.browser.send(f"{room.path}/staff/teacher7/remove").status_code == 409


def test_a_deleted_account_that_was_left_as_an_instructor_leads_nothing(app: Flask) -> None:
    """As a version before this could leave one. The next purge takes it out, and the others are not kept back."""
    room = Room(app)
    enrolled(app, room.public_id, "gone7", Role.INSTRUCTOR)
    with app.app_context(), writing() as connection:
        connection.execute(update(User).where(User.name_key == "gone7").values(name=None, deleted_at=User.created_at))
    assert room.browser.send(f"{room.path}/staff/teacher7/remove").status_code == 409
    assert room.browser.send("/account/delete", password=PASSWORD).status_code == 409
    with app.app_context(), writing() as connection:
        connection.execute(update(Enrolment).where(Enrolment.id == 1).values(removed_at=now()))  # the other left too
    with app.app_context():
        finish_deletions()
    assert [row["id"] for row in rows_of(app, "enrolment")] == [1]


@postgres_only
@pytest.mark.parametrize("way", ["bring-back", "move", "join"])
def test_who_deletes_the_account_at_this_moment_comes_in_nowhere(
    app: Flask, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, there = Room(app), Room(app)
    student = enrolled(app, room.public_id, "student1")
    user_id = room.id_of("student1")
    if way != "move":
        room.remove(user_id)
    module = services if way == "join" else moving
    halfway = Halfway(app, module.is_enrolled)
    monkeypatch.setattr(module, "is_enrolled", halfway)
    code = next(row["join_code"] for row in rows_of(app, "classroom"))
    comes = {
        "join": lambda: student.send(f"/join/{code}").status_code,
        "move": lambda: room.change("move", user_id, to=there.public_id).status_code,
        "bring-back": lambda: room.change("bring-back", user_id).status_code,
    }
    student.csrf_token(), room.browser.csrf_token()

    def delete() -> int:
        with app.app_context():
            delete_account(user_id)
        return 303

    assert all_at_once([comes[way], halfway.after(delete)]) == [303, 303]
    assert [row for row in rows_of(app, "enrolment") if row["user_id"] == user_id] == []


def test_an_export_holds_ones_stays_in_classrooms(app: Flask) -> None:
    student = enrolled(app, make_classroom(app), "student1", real_name="Zoë Åberg", section="7b")
    [stay] = student.get("/account/export").json["classrooms"]  # type: ignore[index]
    assert (stay["name"], stay["role"], stay["real_name"]) == ("Informatics 7b", "student", "Zoë Åberg")
