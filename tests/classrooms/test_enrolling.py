"""Who is in a classroom: the one loader, seats, and the stays that decide for which classroom a game counts."""

from functools import partial

import pytest
from flask import Flask
from sqlalchemy import DateTime, Integer, literal, select

from tests.conftest import SetClock
from tests.factories import PASSWORD, enrolled, logged_in, make_classroom, make_user
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from webapp.accounts.queries import account_named
from webapp.classrooms.enrolling import NoSeatLeft, end_stays, enrol, lock_classroom, take_seats
from webapp.classrooms.queries import classroom_for, classrooms_of, counted_for, seats_taken
from webapp.classrooms.roles import Role
from webapp.classrooms.services import BadClassroomName, create_classroom
from webapp.clock import now
from webapp.database import reading, writing
from webapp.errors import NotThere


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
        for name, term in (("", ""), ("  ", ""), ("x" * 81, ""), ("7b", "x" * 41), ("a\0b", "")):
            with pytest.raises(BadClassroomName):
                create_classroom(teacher, name, term)
        room = classroom_for(create_classroom(teacher, " <b>7b</b>\t{{7*7}} ", "Autumn"), teacher)
        assert (room.name, room.term, room.role) == ("<b>7b</b> {{7*7}}", "Autumn", Role.INSTRUCTOR)


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
    with app.app_context():
        assert seats_taken(room.id) == 1


def test_a_game_counts_if_its_player_was_in_the_classroom_when_it_ended(app: Flask, set_clock: SetClock) -> None:
    classroom = make_classroom(app)
    moments = [now()]
    set_clock.pass_time(hours=1)
    enrolled(app, classroom, "student1")
    with app.app_context():
        student = account_named("student1")
        [room] = classrooms_of(student)
        for change in (None, partial(end_stays, user_ids=[student]), partial(enrol, user_id=student)):
            if change:
                with writing() as connection:
                    change(connection, room.id)
            moments.append(now())
            set_clock.pass_time(hours=1)
        with reading() as connection:
            counts = [
                connection.scalar(
                    select(counted_for(room.id, literal(student, Integer), literal(moment, DateTime(timezone=True))))
                )
                for moment in moments
            ]
    assert [bool(count) for count in counts] == [False, True, False, True]
    assert len(rows_of(app, "enrolment")) == 3


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


def test_an_export_holds_ones_stays_in_classrooms(app: Flask) -> None:
    student = enrolled(app, make_classroom(app), "student1", real_name="Zoë Åberg", section="7b")
    [stay] = student.get("/account/export").json["classrooms"]  # type: ignore[index]
    assert (stay["name"], stay["role"], stay["real_name"]) == ("Informatics 7b", "student", "Zoë Åberg")
