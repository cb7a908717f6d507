"""The stream of a classroom: who may listen, what is told, and that it ends with the right to see it."""

import pytest
from flask import Flask

from tests.conftest import SetClock
from tests.factories import enrolled, finished_game, logged_in, make_classroom, member_of
from tests.live.conftest import Listen
from webapp.accounts.queries import account_named
from webapp.classrooms.enrolling import end_stays
from webapp.database import announce_change, writing
from webapp.live import watcher
from webapp.live.classrooms import Scene, classroom_scenes

CHANGED = ("changed", {})


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "CLASSROOMS_EVERY", 0.05)


def test_a_lesson_is_told_of_joins_games_answers_codes_and_its_end(app: Flask, listen: Listen) -> None:
    classroom = make_classroom(app)
    student, teacher = enrolled(app, classroom, "student1"), logged_in(app, "teacher7")
    assert listen(member_of(app, "player7"), f"classroom={classroom}").status == 404
    path = f"/classrooms/{classroom}"
    page = listen(teacher, f"classroom={classroom}")
    for happens in (
        lambda: teacher.send(f"{path}/lesson"),
        lambda: enrolled(app, classroom, "student2"),
        lambda: student.start(cell=4),
        lambda: teacher.send(f"{path}/question", position="X........"),
        lambda: student.send(f"{path}/question/1/answer", cell=4),
        lambda: teacher.send(f"{path}/joining", joining="new-code"),
        lambda: teacher.send(f"{path}/joining", joining="closed"),
        lambda: teacher.send(f"{path}/lesson/end"),
    ):
        happens()
        assert page.news() == CHANGED


def test_a_lesson_is_told_each_minute_and_when_it_ends_by_itself(app: Flask, set_clock: SetClock) -> None:
    path = f"/classrooms/{make_classroom(app)}"
    teacher = logged_in(app, "teacher7")

    def scene(**passed: int) -> Scene:
        set_clock.pass_time(**passed)
        with app.app_context():
            return classroom_scenes([1])[1]

    without = scene(minutes=1)
    assert scene(minutes=1) == without
    teacher.send(f"{path}/lesson")
    assert len({without, scene(minutes=1), scene(minutes=10), scene(minutes=1)}) == 4
    assert scene(hours=4) == without


def test_no_games_are_counted_for_a_lesson_that_nobody_ended_once_its_time_is_up(
    app: Flask, set_clock: SetClock
) -> None:
    classroom = make_classroom(app)
    student = enrolled(app, classroom, "student1")
    logged_in(app, "teacher7").send(f"/classrooms/{classroom}/lesson")
    finished_game(student)

    def kinds() -> set[str]:
        with app.app_context():
            return {kind for kind, *_ in classroom_scenes([1])[1]}

    assert {"lesson", "ended"} < kinds()
    set_clock.pass_time(hours=4)
    assert not kinds() & {"lesson", "ended"}


def test_who_is_removed_hears_it_once_and_then_nothing(app: Flask, listen: Listen) -> None:
    classroom = make_classroom(app)
    student = enrolled(app, classroom, "student1")
    student.get("/lobby")  # so that they are here already, and no news of the moment when they begin to listen
    page = listen(student, f"classroom={classroom}")
    with app.app_context(), writing() as connection:
        end_stays(connection, 1, [account_named("student1")])
        announce_change(connection)
    told = list(iter(page.news, None))  # until the stream has ended
    assert told in ([CHANGED], [CHANGED] * 2)  # twice if it happened in the middle of a look
    assert student.get(f"/classrooms/{classroom}/piece").status_code == 404


def test_a_student_on_any_page_is_told_that_the_class_is_asked(app: Flask, listen: Listen) -> None:
    classroom = make_classroom(app)
    students, teacher = [enrolled(app, classroom, name) for name in ("ann", "bob")], logged_in(app, "teacher7")
    path, pages = f"/classrooms/{classroom}/question", [listen(student, "") for student in students]
    at_home, others = listen(students[0], f"classroom={classroom}"), [listen(teacher, ""), *pages]
    assert [page.asked_by() for page in (*others, at_home)] == [None] * 4
    teacher.send(path, position="X........")
    assert [page.asked_by() for page in pages] == [classroom] * 2
    students[0].send(f"{path}/1/answer", cell=4)
    assert pages[0].asked_by() is None  # who has answered
    teacher.send(f"{path}/close")
    assert pages[1].asked_by() is None
    teacher.send("/games", opponent="ann")  # who has the question on the page is told of other things only
    assert at_home.waiting()[0] == "1"
