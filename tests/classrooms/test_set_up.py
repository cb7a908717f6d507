"""From the host's terminal to the first instructor: the link, once, within a day, and in no log."""

import logging
import os
import pty
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import Browser, SetClock, sqlite_only
from tests.factories import enrolled, logged_in, make_classroom, make_user
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from tests.test_statements import statements
from webapp.classrooms.services import remove_instructor
from webapp.classrooms.set_up import has_instructor, new_set_up_token
from webapp.config import ROOT
from webapp.extensions import settings_of
from webapp.operations import host_commands
from webapp.running_note import note_left

BrowserOf = Callable[[], Browser]


def new_link(app: Flask) -> str:
    with app.app_context():
        return f"/set-up/{new_set_up_token()}"


def test_whoever_has_the_link_makes_the_first_instructor_once(app: Flask, client: Browser) -> None:
    link, unused = new_link(app), new_link(app)
    assert "Set up this site" in client.get(link).text
    assert link[8:] not in str(rows_of(app, "set_up_token"))
    weak = client.send(link, name="teacher7", password="short")
    assert weak.status_code == 400 and "at least 8 characters" in weak.text
    strange = client.send(link, name="Müller", password="correct horse").text
    assert "letters a to z" in strange and "Type it again" in strange and "correct horse" not in strange
    fresh = client.get(link).text
    assert "letters from a to z" in fresh and "Type it again" not in fresh
    made = client.send(link, name="teacher7", password="correct horse", role="student")
    assert (made.status_code, made.location) == (303, "/classrooms")
    page = client.get("/classrooms").text
    assert "What to do next" in page and "Make the classroom" in page
    over = [client.get(link), client.get(unused), client.send(link, name="second7", password="correct horse")]
    assert all(answer.status_code == 404 and "This link was used or is too old" in answer.text for answer in over)
    assert len(rows_of(app, "user")) == 1


def test_who_has_an_account_needs_one_press(app: Flask, client: Browser) -> None:
    client.sign_up()
    link = new_link(app)
    assert "Make player7 the instructor" in client.get(link).text
    assert client.send(link).status_code == 303
    assert [user["is_instructor"] for user in rows_of(app, "user")] == [True]


def test_a_link_is_good_for_a_day_and_a_guess_for_nothing(
    app: Flask, client: Browser, set_clock: SetClock
) -> None:
    link = new_link(app)
    set_clock.pass_time(hours=23, minutes=59)
    assert client.get(link).status_code == 200
    set_clock.pass_time(minutes=1)
    guesses = [link, "/set-up/abc", "/set-up/" + "a" * 43]
    told = "This link was used or is too old: type python3 run.py setup-link for a new one."
    for guess in guesses:
        answer = client.get(guess)
        assert answer.status_code == 404 and told in answer.text, guess
    assert [client.get(guess).status_code for guess in ("/set-up/", "/set-up")] == [404] * 2


def test_two_presses_at_once_make_one_instructor(app: Flask, browser_of: BrowserOf) -> None:
    link, browsers = new_link(app), [browser_of(), browser_of()]
    for browser in browsers:
        browser.csrf_token(link)
    presses = [
        partial(browser.send, link, name=f"teacher{number}", password="correct horse")
        for number, browser in enumerate(browsers)
    ]
    assert Counter(answer.status_code for answer in all_at_once(presses)) == {303: 1, 404: 1}
    assert [user["is_instructor"] for user in rows_of(app, "user")] == [True]


@sqlite_only
def test_request_logs_hold_the_route_and_not_the_secret_in_it(
    app: Flask, client: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    link = new_link(app)
    log = logging.getLogger("noughts.requests")
    log.addHandler(caplog.handler)
    for address in (link, f"{link}/", f"/join/{link[8:16]}"):
        client.get(address)
    log.removeHandler(caplog.handler)
    assert "/set-up/<token> 200" in caplog.text and "/join/<code> 404" in caplog.text
    assert link[8:16] not in caplog.text
    assert link[8:] not in client.get(link).text  # as in the links of the page's head


def test_an_instructor_makes_another_and_nobody_else_does(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    make_user(app, "second7")
    client.send(new_link(app), name="teacher7", password="correct horse")
    other = browser_of()
    other.sign_up("player7")
    assert other.send("/classrooms/instructors", name="player7").status_code == 404
    assert other.send("/classrooms", name="Mine").status_code == 404
    assert client.send("/classrooms/instructors", name="nobody7").status_code == 404
    assert "Yes, make Second7 an instructor" in client.send("/classrooms/instructors", name="Second7").text
    assert [user["name"] for user in rows_of(app, "user") if user["is_instructor"]] == ["teacher7"]
    assert client.send("/classrooms/instructors", name="Second7", confirm="yes").status_code == 303
    assert {user["name"] for user in rows_of(app, "user") if user["is_instructor"]} == {"teacher7", "second7"}


def test_an_instructor_of_the_site_is_removed_and_keeps_their_classrooms(app: Flask) -> None:
    make_classroom(app)
    theirs = f"/classrooms/{make_classroom(app, 'second7')}"
    teacher, second = logged_in(app, "teacher7"), logged_in(app, "second7")
    assert "/classrooms/instructors/second7/remove" in teacher.get("/classrooms").text
    for _ in range(2):
        assert teacher.send("/classrooms/instructors/second7/remove").status_code == 303
    assert second.send("/classrooms", name="Another").status_code == 404
    assert second.get(f"{theirs}/settings").status_code == 200
    assert second.send("/classrooms/instructors/teacher7/remove").status_code == 404
    last = teacher.send("/classrooms/instructors/teacher7/remove")
    assert last.status_code == 409 and "only instructor of this site" in last.text
    assert teacher.send("/classrooms/instructors/nobody7/remove").status_code == 404


def test_who_is_no_instructor_is_neither_locked_nor_changed_when_removed(app: Flask) -> None:
    make_user(app)  # the lower id, so that a lock on it would come too late
    make_classroom(app)
    with app.app_context(), statements(app) as sent:
        remove_instructor("player7")
    assert [statement for statement in sent if statement.startswith("UPDATE")] == []


def test_two_instructors_who_remove_each_other_leave_one(app: Flask) -> None:
    for name in ("teacher7", "second7"):
        make_classroom(app, name)
    names = {"teacher7": logged_in(app, "second7"), "second7": logged_in(app, "teacher7")}
    for browser in names.values():
        browser.csrf_token()
    presses = [partial(browser.send, f"/classrooms/instructors/{name}/remove") for name, browser in names.items()]
    answers = Counter(answer.status_code for answer in all_at_once(presses))
    assert answers in ({303: 1, 409: 1}, {303: 1, 404: 1})
    assert [user["is_instructor"] for user in rows_of(app, "user")].count(True) == 1


def test_who_is_made_an_instructor_is_named_if_they_are_a_student_of_the_one_who_asks(app: Flask) -> None:
    classroom = make_classroom(app)
    enrolled(app, classroom, "calm-river-42", real_name="Zoë Åberg")
    make_classroom(app, "second7")
    for asking, is_named in (("teacher7", True), ("second7", False)):
        page = logged_in(app, asking).send("/classrooms/instructors", name="calm-river-42").text
        assert "Yes, make calm-river-42" in page and ("Zoë Åberg" in page) == is_named, asking


@sqlite_only
def test_the_commands_of_the_host(app: Flask, client: Browser) -> None:
    host_commands.init_app(app)

    def run(*words: str) -> str:
        with app.app_context():
            return str(app.test_cli_runner().invoke(args=list(words)).output)

    assert "The site is not running" in run("setup-link")
    printed = run("setup-link", "--address", "http://127.0.0.1:8000")
    assert printed.startswith("http://127.0.0.1:8000/set-up/") and printed.count("\n") == 1
    assert client.get(printed.strip().removeprefix("http://127.0.0.1:8000")).status_code == 200
    with note_left(settings_of(app).instance, "http://192.0.2.7:8000"):
        assert run("setup-link").startswith("http://192.0.2.7:8000/set-up/")
    assert "There is no account with the name nobody7" in run("make-instructor", "nobody7")
    make_user(app, "teacher7")
    assert "teacher7 is an instructor now" in run("make-instructor", "teacher7")
    with app.app_context():
        assert has_instructor()
    assert "only instructor of this site" in run("remove-instructor", "teacher7")
    assert "There is no account with the name nobody7" in run("remove-instructor", "nobody7")
    make_user(app, "second7")
    run("make-instructor", "second7")
    assert "teacher7 can make no classrooms any more" in run("remove-instructor", "teacher7")
    assert [user["name"] for user in rows_of(app, "user") if user["is_instructor"]] == ["second7"]


@pytest.mark.slow
def test_at_start_a_link_is_shown_on_a_terminal_only(tmp_path: Path, empty_database: Path) -> None:
    (tmp_path / "noughts.db").write_bytes(empty_database.read_bytes())
    command = [sys.executable, "-m", "flask", "--app", str(ROOT / "wsgi.py"), "start-up", "--address", "http://h:1"]
    environment = {**os.environ, "NOUGHTS_INSTANCE": str(tmp_path)}
    in_log = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert "no instructor yet" in in_log and "setup-link" in in_log and "/set-up/" not in in_log
    ours, theirs = pty.openpty()
    subprocess.run(command, env=environment, stdout=theirs, check=True)
    assert b"http://h:1/set-up/" in os.read(ours, 4096)
    os.close(ours)
    os.close(theirs)
