"""Whoever is removed from a classroom, or moved to another one, is out of its competitions at once."""

from collections import Counter
from typing import Any

import pytest
from flask import Flask

from tests.agents.programs import make_program
from tests.classrooms.rooms import Room
from tests.competitions.agent_contests import play_on
from tests.conftest import Browser, sqlite_only
from tests.factories import enrolled, logged_in, put_into
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from tests.test_statements import statements
from webapp.operations.invariants import check

NAMES = ("ann", "bob", "cem")
PEOPLE = {"kind": "people", "name": "Cup", "rounds": "3"}
AGENTS = {"kind": "agents", "name": "Robot cup", "openings": "2"}


class Class(Room):
    """Ann, Bob and Cem are in it."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self.students: dict[str, Browser] = {name: enrolled(app, self.public_id, name) for name in NAMES}

    def make(self, **fields: str) -> str:
        return str(self.browser.send("/competitions", classroom=self.public_id, **fields).location)

    def competition(self, **fields: str) -> str:
        """All of them enter."""
        address = self.make(**PEOPLE, **fields)
        assert {student.send(f"{address}/enter").status_code for student in self.students.values()} == {303}
        return address

    def start(self, address: str) -> None:
        assert self.browser.send(f"{address}/start").status_code == 303


@pytest.fixture
def room(app: Flask) -> Class:
    return Class(app)


def is_sound(app: Flask) -> bool:
    return check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def entries(app: Flask) -> list[dict[str, Any]]:
    return [row for row in rows_of(app, "competition_entry") if row["user_id"]]


def test_who_is_removed_is_not_paired_and_does_not_come_back_by_being_brought_back(app: Flask, room: Class) -> None:
    address, ann = room.competition(), room.id_of("ann")
    room.remove(ann)
    for path in ("", "/piece"):
        assert room.students["ann"].get(address + path).status_code == 404
    assert room.students["ann"].send(f"{address}/enter").status_code == 404
    assert room.change("bring-back", ann).status_code == 303
    assert room.students["ann"].get(address).status_code == 200
    room.start(address)
    assert [row["user_id"] for row in entries(app) if row["withdrawn_at"]] == [ann]
    assert {seat["user_id"] for seat in rows_of(app, "seat")} == {room.id_of("bob"), room.id_of("cem")}
    assert is_sound(app)


@pytest.mark.parametrize("how", ["removed", "moved", "removed from the staff"])
def test_who_leaves_in_the_middle_loses_the_game_and_the_others_go_on(app: Flask, room: Class, how: str) -> None:
    address = room.competition(entrants="members")
    room.start(address)
    [seat, other] = rows_of(app, "seat")
    name = next(name for name in NAMES if room.id_of(name) == seat["user_id"])
    [game] = rows_of(app, "game")
    if how == "removed":
        room.remove(seat["user_id"])
    elif how == "moved":
        there = Room(app)
        assert room.change("move", seat["user_id"], to=there.public_id).status_code == 303
    else:
        room.browser.send(f"{room.path}/assistants", name=name, confirm="yes")
        assert room.browser.send(f"{room.path}/staff/{name}/remove").status_code == 303
    over = next(row for row in rows_of(app, "game") if row["id"] == game["id"])
    assert (over["status"], over["reason"], over["winner"]) == ("finished", "resigned", other["mark"])
    later = [row["user_id"] for row in rows_of(app, "seat") if row["game_id"] != game["id"]]
    assert seat["user_id"] not in later and other["user_id"] in later, "the next round has begun"
    assert room.students[name].get(f"/games/{game['public_id']}").status_code == 200, "games stay"
    assert "resigned" in room.browser.get(f"/games/{game['public_id']}").text
    assert is_sound(app)


def test_their_agents_lose_what_they_have_not_played_and_the_others_play_on(app: Flask, room: Class) -> None:
    robots = [make_program(app, name, f"robot-{name}") for name in NAMES]
    address = room.make(**AGENTS)
    room.browser.send(f"{address}/agents", agent="all")
    room.start(address)
    play_on(robots, most=7)
    in_play = [row for row in rows_of(app, "competition_game") if row["state"] == "playing"]
    own = next(row["id"] for row in entries(app) if row["user_id"] == robots[0].agent_id)
    mine = [row["id"] for row in in_play if own in (row["x_entry_id"], row["o_entry_id"])]
    assert mine
    room.remove(room.id_of("ann"))
    rows = {row["id"]: row for row in rows_of(app, "competition_game")}
    theirs = [row for row in rows.values() if own in (row["x_entry_id"], row["o_entry_id"])]
    assert {row["state"] for row in theirs} == {"finished", "forfeited"}
    assert {row["fault"] for row in theirs if row["state"] == "forfeited"} == {"withdrew"}
    assert all((rows[one]["score"] == "X") != (rows[one]["x_entry_id"] == own) for one in mine)
    assert robots[0].next()["job"] is None
    play_on(robots[1:])
    assert not Counter(row["state"] for row in rows_of(app, "competition_game"))["waiting"]
    assert is_sound(app)


@sqlite_only
def test_other_competitions_are_not_touched(app: Flask, room: Class) -> None:
    """One that is open to all, that of another classroom, and one that is over."""
    there = Room(app)
    put_into(app, there.public_id, "ann")
    ann, teacher = room.students["ann"], room.browser
    for where in ({}, {"classroom": there.public_id}):
        address = teacher.send("/competitions", **PEOPLE, **where).location
        assert ann.send(f"{address}/enter").status_code == 303
    teacher.send(f"{room.competition()}/end")
    before = rows_of(app, "competition"), rows_of(app, "competition_entry")
    ann_id = room.id_of("ann")
    with statements(app) as sent:
        room.remove(ann_id)
    assert not [one for one in sent if one.startswith("UPDATE competition")]
    assert (rows_of(app, "competition"), rows_of(app, "competition_entry")) == before


@pytest.mark.parametrize("meanwhile", ["start", "enter"])
def test_a_removal_against_a_start_or_an_entry(app: Flask, room: Class, meanwhile: str) -> None:
    """Whoever is first, nobody is in it who is not in the classroom."""
    address, ann = room.competition(), room.students["ann"]
    second = logged_in(app, "teacher7")
    second.csrf_token(), ann.csrf_token()
    if meanwhile == "enter":
        ann.send(f"{address}/withdraw")
    acts = {"start": lambda: second.send(f"{address}/start"), "enter": lambda: ann.send(f"{address}/enter")}
    removal = lambda: room.change("remove", room.id_of("ann"))  # noqa: E731
    removed, other = (answer.status_code for answer in all_at_once([removal, acts[meanwhile]]))
    assert removed == 303 and other in (303, 404)
    [entry] = [row for row in entries(app) if row["user_id"] == room.id_of("ann")]
    assert entry["withdrawn_at"] is not None
    waiting = [row for row in rows_of(app, "seat") if row["result"] is None]
    assert room.id_of("ann") not in [row["user_id"] for row in waiting]
    assert is_sound(app)
