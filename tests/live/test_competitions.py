"""The stream of a competition: who may listen, what is told, and that it ends with the right to see it."""

from random import Random

import pytest
from flask import Flask

from tests.competitions.contests import Contest
from tests.conftest import Browser, SetClock
from tests.factories import enrolled, logged_in, make_classroom, member_of
from tests.live.conftest import Listen
from webapp.accounts.queries import account_named
from webapp.classrooms.enrolling import end_stays
from webapp.database import announce_change, writing
from webapp.games.services import play_move
from webapp.live import competitions, watcher

CHANGED = ("changed", {})


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "CLASSROOMS_EVERY", 0.05)
    monkeypatch.setattr(competitions, "pause", lambda scene: 0)


def test_it_is_told_of_entries_moves_rounds_and_the_end(app: Flask, client: Browser, listen: Listen) -> None:
    contest = Contest(app, 2, rounds=1)
    teacher = logged_in(app, "teacher7")
    page = listen(client, f"competition={contest.public_id}")

    def first_move() -> None:
        [pairing] = contest.left()
        with app.app_context():
            play_move(contest.players([pairing])[0][0], pairing.game or "", 4, 0, Random(1))

    for happens in (
        lambda: member_of(app, "player3").send(f"{contest.path}/enter"),
        lambda: logged_in(app, "player3").send(f"{contest.path}/withdraw"),
        lambda: teacher.send(f"{contest.path}/start"),
        first_move,
        lambda: teacher.send(f"{contest.path}/end"),
    ):
        happens()
        assert page.news() == CHANGED


def test_the_time_that_is_left_is_told_by_the_minute(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, 2, rounds=1)
    contest.start()
    with app.app_context():
        competition_id = contest.about().id
        scenes = []
        for seconds in (0, 60, 60):
            set_clock.pass_time(seconds=seconds)
            scenes.append(competitions.competition_scenes([competition_id])[competition_id])
    assert scenes[0] != scenes[2]


def test_one_of_a_classroom_is_told_to_its_members_only_and_not_after_they_left(app: Flask, listen: Listen) -> None:
    classroom = make_classroom(app)
    student, teacher = enrolled(app, classroom, "student1"), logged_in(app, "teacher7")
    made = teacher.send("/competitions", classroom=classroom, name="Cup", rounds="3").location.rsplit("/", 1)[1]
    assert listen(member_of(app, "player7"), f"competition={made}").status == 404
    page = listen(student, f"competition={made}")
    with app.app_context(), writing() as connection:
        end_stays(connection, 1, [account_named("student1")])
        announce_change(connection)
    assert page.news() in (CHANGED, None)
    assert page.news() is None
