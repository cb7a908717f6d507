"""What time moves on: nothing that lies there keeps others back, and what nobody starts is cancelled in the end."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import insert, select, update

from tests.agents.programs import make_program
from tests.competitions.agent_contests import Contest as AgentContest
from tests.competitions.contests import ABOUT, Contest
from tests.conftest import SetClock, sqlite_only
from tests.factories import enrolled, logged_in, make_classroom, make_user
from tests.tables import rows_of
from tests.test_statements import statements
from webapp.accounts.queries import account_named
from webapp.classrooms.models import Classroom
from webapp.clock import now
from webapp.competitions import services
from webapp.competitions.due import AT_ONCE
from webapp.competitions.models import Competition, CompetitionEntry
from webapp.competitions.states import CompetitionKind, Format, State
from webapp.database import writing
from webapp.errors import NotThere
from webapp.games.services import new_public_id

MANY = 60
AGENTS: dict[str, Any] = {"format": Format.ROUND_ROBIN, "rounds": 1}


def soon() -> Any:
    return now() + timedelta(minutes=5)


def abandoned(app: Flask, kind: CompetitionKind, count: int = 1, **values: Any) -> list[str]:
    """Nobody enters these."""
    about = {**ABOUT, **(AGENTS if kind is CompetitionKind.AGENTS else {}), "kind": kind, **values}
    with app.app_context():
        try:
            maker = account_named("teacher7")
        except NotThere:
            maker = make_user(app, "teacher7")
        return [services.make_competition(maker, new_public_id(), about) for _ in range(count)]


def entered(app: Flask, kind: CompetitionKind, **values: Any) -> str:
    """By as many as can play."""
    if kind is CompetitionKind.PEOPLE:
        return Contest(app, 2, **values).public_id
    contest = AgentContest(app, **values)
    contest.enter("ada")
    return contest.public_id


def look(app: Flask, path: str = "/competitions") -> int:
    """How many statements it takes."""
    with statements(app) as sent:
        assert app.test_client().get(path).status_code == 200
    return len(sent)


def states(app: Flask) -> dict[str, State]:
    return {row["public_id"]: row["state"] for row in rows_of(app, "competition")}


@pytest.mark.parametrize("path", ["/competitions", "/competitions/{}"])
@pytest.mark.parametrize("kind", CompetitionKind)
def test_abandoned_ones_keep_no_other_from_starting(
    app: Flask, set_clock: SetClock, kind: CompetitionKind, path: str
) -> None:
    before = abandoned(app, kind, MANY, starts_at=soon())
    public_id = entered(app, kind, starts_at=soon())
    set_clock.pass_time(minutes=6)
    look(app, path.format(public_id))
    found = states(app)
    assert found[public_id] is State.PLAYING and {found[one] for one in before} == {State.ENTERING}


def test_abandoned_ones_cost_no_statement(app: Flask, set_clock: SetClock) -> None:
    paths = ["/competitions", "/lobby", *(f"/competitions/{abandoned(app, kind)[0]}" for kind in CompetitionKind)]
    few = [look(app, path) for path in paths]
    for kind in CompetitionKind:
        abandoned(app, kind, MANY, starts_at=soon())
    set_clock.pass_time(minutes=6)
    assert [look(app, path) for path in paths] == few and max(few) <= 15


@sqlite_only
@pytest.mark.parametrize("kind", CompetitionKind)
def test_one_look_moves_a_few_on_and_the_next_ones_do_the_rest(
    app: Flask, set_clock: SetClock, kind: CompetitionKind
) -> None:
    abandoned(app, kind, AT_ONCE + 1, ends_at=soon())
    set_clock.pass_time(minutes=6)
    for is_left in (1, 0):
        look(app)
        assert list(states(app).values()).count(State.ENTERING) == is_left


@pytest.mark.parametrize("kind", CompetitionKind)
def test_what_has_not_started_by_its_end_is_cancelled(app: Flask, set_clock: SetClock, kind: CompetitionKind) -> None:
    """Whether somebody is in it or not, by the list or by its own page; and a press comes too late."""
    [listed], shown = abandoned(app, kind, ends_at=soon()), entered(app, kind, ends_at=soon())
    teacher = logged_in(app, "teacher7")
    set_clock.pass_time(minutes=4)
    look(app), look(app, f"/competitions/{shown}")
    assert set(states(app).values()) == {State.ENTERING}
    set_clock.pass_time(minutes=2)
    make_classroom(app)  # and so the teacher is an instructor
    refused = teacher.send(f"/competitions/{shown}/start")
    assert refused.status_code == 409 and "Its end has passed" in refused.text
    assert "cancelled before it started" in refused.text
    assert states(app) == {listed: State.ENTERING, shown: State.CANCELLED}
    look(app)
    assert states(app)[listed] is State.CANCELLED and rows_of(app, "game") == []


def break_all(app: Flask) -> None:
    """Players of the site sit in them as no step of ours seats them: none of these can start."""
    users = [make_user(app, f"somebody{number}") for number in (1, 2)]
    seats = [*({"user_id": user} for user in users), *({"reference": level} for level in ("perfect", "casual"))]
    with app.app_context(), writing() as connection:
        for one in connection.scalars(select(Competition.id)).all():
            for seat in seats:
                connection.execute(insert(CompetitionEntry).values(competition_id=one, **seat))


@pytest.mark.parametrize("kind", CompetitionKind)
def test_those_that_cannot_go_on_break_no_page_keep_no_other_back_and_are_logged_once_an_hour(
    app: Flask, set_clock: SetClock, kind: CompetitionKind, caplog: pytest.LogCaptureFixture
) -> None:
    broken = abandoned(app, kind, AT_ONCE, starts_at=soon())
    break_all(app)
    public_id = entered(app, kind, starts_at=soon())
    for minutes, logged in ((6, 1), (1, 1), (60, 2)):
        set_clock.pass_time(minutes=minutes)
        look(app), look(app, f"/competitions/{broken[0]}")
        told = [record for record in caplog.records if record.name == "noughts.competitions"]
        assert len(told) == logged * AT_ONCE and all(record.exc_info and record.args for record in told)
    assert states(app)[public_id] is not State.ENTERING and states(app)[broken[0]] is State.ENTERING


@sqlite_only
def test_people_without_an_end_wait_a_day_for_a_second_player(app: Flask, set_clock: SetClock) -> None:
    alone, starts_at = Contest(app, 1, starts_at=soon()).public_id, soon()
    [agents] = abandoned(app, CompetitionKind.AGENTS, starts_at=starts_at)
    for hours, state in ((24, State.ENTERING), (1, State.CANCELLED)):
        set_clock.pass_time(hours=hours)
        look(app)
        assert states(app) == {alone: state, agents: State.ENTERING}, "agents may come until the end"


@sqlite_only
def test_in_an_archived_classroom_nothing_starts_by_its_time(app: Flask, set_clock: SetClock) -> None:
    room = make_classroom(app)
    teacher, ann, bob = logged_in(app, "teacher7"), enrolled(app, room, "ann"), enrolled(app, room, "bob")
    robot = make_program(app, "ann", "robot-a")
    made = {"classroom": room, "name": "Cup", "starts": "5"}
    people = teacher.send("/competitions", kind="people", rounds="1", **made).location
    agents = teacher.send("/competitions", kind="agents", openings="2", **made).location
    entries: list[Callable[[], Any]] = [
        lambda: ann.send(f"{people}/enter"), lambda: bob.send(f"{people}/enter"),
        lambda: ann.send(f"{agents}/agents", agent=robot.agent_id),
    ]  # fmt: skip
    assert [enter().status_code for enter in entries] == [303] * 3
    for archived_at, state in ((now(), State.ENTERING), (None, State.PLAYING)):
        with app.app_context(), writing() as connection:
            connection.execute(update(Classroom).values(archived_at=archived_at))
        set_clock.pass_time(minutes=6)
        for path in ("/competitions", people, agents):
            assert teacher.get(path).status_code == 200
        assert set(states(app).values()) == {state}
