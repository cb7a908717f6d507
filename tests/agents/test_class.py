"""Agents for a whole class at once: one for each student, with the tokens on cards that are shown once."""

import re

from flask import Flask
from sqlalchemy import update

from tests.agents.programs import Program
from tests.conftest import SetClock, sqlite_only
from tests.factories import enrolled, logged_in, make_classroom
from tests.tables import all_rows, rows_of
from webapp.accounts.models import User
from webapp.accounts.tokens import hash_of
from webapp.database import writing


def tokens_on(page: str) -> list[str]:
    return re.findall(r'agent-card-token">([^<]+)<', page)


def test_an_instructor_makes_one_for_each_student_who_has_none(app: Flask) -> None:
    room = make_classroom(app)
    students = [enrolled(app, room, f"student{number}", real_name=f"Student {number}") for number in range(3)]
    students[2].send("/account/agents", name="own-robot")
    teacher = logged_in(app, "teacher7")
    program = Program(app, 0, "own-robot", "")
    cards = teacher.send(f"/classrooms/{room}/agents")
    assert cards.status_code == 200 and cards.headers["Cache-Control"] == "no-store"
    tokens = tokens_on(cards.text)
    assert cards.text.count("Open http://localhost/labs, “How to let your file play here”.") == 2
    assert len(tokens) == 2 and "1 student has an agent already" in cards.text
    for token in tokens:
        program.token = token
        assert program.ask("GET", "/agent").status_code == 200
        assert token not in repr(all_rows(app))
    assert {program.ask("GET", "/agent").json["owner"] for program.token in tokens} == {"student0", "student1"}
    assert len(rows_of(app, "agent")) == 3


def test_pressed_twice_it_makes_one_each_and_the_tokens_on_the_last_page_work(app: Flask) -> None:
    room = make_classroom(app)
    enrolled(app, room, "student7")
    teacher = logged_in(app, "teacher7")
    pages = [teacher.send(f"/classrooms/{room}/agents").text for _ in range(2)]
    assert [row["token_hash"] for row in rows_of(app, "agent")] == [hash_of(tokens_on(pages[1])[0])]
    program = Program(app, 0, "", tokens_on(pages[1])[0])
    program.next(wait=0.01)  # it is in use from now on
    again = teacher.send(f"/classrooms/{room}/agents").text
    assert not tokens_on(again) and "has an agent already" in again
    for told in ("data-print", "<code>python3 run.py --host 0.0.0.0</code>. Print the cards first"):
        assert told in pages[0] and told not in again, told
    assert program.ask("GET", "/agent").status_code == 200


def test_the_form_sent_again_shows_the_same_tokens_or_none_and_ends_none(app: Flask, set_clock: SetClock) -> None:
    room = make_classroom(app)
    enrolled(app, room, "student7")
    teacher = logged_in(app, "teacher7")
    form = teacher.get(f"/classrooms/{room}/students").text.partition(f'action="/classrooms/{room}/agents"')[2]
    [key] = re.findall(r'name="key" value="([^"]+)"', form.partition("</form>")[0])
    [first], [second] = (tokens_on(teacher.send(f"/classrooms/{room}/agents", key=key).text) for _ in range(2))
    assert first == second
    other = teacher.send(f"/classrooms/{room}/agents", key="AnotherKey00").text
    set_clock.pass_time(seconds=11)
    for page in (other, teacher.send(f"/classrooms/{room}/agents", key=key).text):
        assert not tokens_on(page) and "made already" in page and "No agents made" in page
    assert Program(app, 0, "", first).ask("GET", "/agent").status_code == 200


@sqlite_only
def test_only_where_agents_are_allowed_is_it_offered(app: Flask) -> None:
    room = make_classroom(app)
    enrolled(app, room, "student7")
    teacher = logged_in(app, "teacher7")
    assert "Agents for all students" in teacher.get(f"/classrooms/{room}/students").text
    teacher.send(f"/classrooms/{room}/settings", name="7b", seat_limit="60")
    assert "Agents for all students" not in teacher.get(f"/classrooms/{room}/students").text
    refused = teacher.send(f"/classrooms/{room}/agents")  # from a page that was open before
    assert refused.status_code == 409 and "switched off" in refused.text and rows_of(app, "agent") == []


@sqlite_only
def test_a_closed_account_is_given_no_token(app: Flask) -> None:
    """The end of a term closed it: its password is gone."""
    room = make_classroom(app)
    enrolled(app, room, "student7", made_for_classroom=True)
    enrolled(app, room, "student8", made_for_classroom=True)
    with app.app_context(), writing() as connection:
        connection.execute(update(User).where(User.name == "student7").values(password_hash=None))
    cards = logged_in(app, "teacher7").send(f"/classrooms/{room}/agents").text
    assert len(tokens_on(cards)) == 1 and "student8" in cards and "student7" not in cards


def test_the_end_of_a_term_revokes_tokens_as_the_owner_does(app: Flask, set_clock: SetClock) -> None:
    room = make_classroom(app)
    enrolled(app, room, "student7", made_for_classroom=True)
    teacher = logged_in(app, "teacher7")
    teacher.send(f"/classrooms/{room}/agents")
    [made] = rows_of(app, "agent")
    set_clock.pass_time(days=1)
    assert teacher.send(f"/classrooms/{room}/anonymise").status_code == 303
    [revoked] = rows_of(app, "agent")
    assert revoked["token_hash"] is None and revoked["wait_number"] == made["wait_number"] + 1
    assert made["token_at"] < revoked["token_at"] == revoked["revoked_at"]
