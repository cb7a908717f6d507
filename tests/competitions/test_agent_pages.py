"""The pages of a competition of agents: who may do what, what they tell, and what the file holds."""

import csv
import io
import re
import weakref
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import insert, update

from tests.agents.programs import make_program
from tests.competitions.agent_contests import Contest, any_cell, play_on
from tests.conftest import Browser, SetClock, sqlite_only
from tests.factories import enrolled, logged_in, make_classroom, member_of
from tests.tables import rows_of
from tests.test_statements import statements
from webapp.accounts.models import User
from webapp.classrooms.models import Classroom
from webapp.clock import now
from webapp.competitions.agent_entries import replace_agent
from webapp.competitions.agent_queries import entries_in, games_in, is_between, progress_in
from webapp.competitions.agent_ranking import Meeting
from webapp.competitions.agent_results import KEPT, meetings_in, ranking_of, results_in
from webapp.competitions.agent_view import AgentsView, signed
from webapp.database import writing

MADE = {"kind": "agents", "name": "Robot cup", "openings": "2"}


def make(browser: Browser, **fields: str) -> str:
    answer = browser.send("/competitions", **{**MADE, **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def table_on(page: str) -> list[list[str]]:
    rows = re.findall(r"(?s)<tr[^>]*>(.*?)</tr>", page.split('class="table standings')[1].split("</table>")[0])[1:]
    cells = [re.findall(r"(?s)<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_a_strength_of_nothing_has_no_sign() -> None:
    assert [signed(one) for one in (-0.001, 0.0, 0.004, -0.25, 1.5)] == ["0.00", "0.00", "0.00", "−0.25", "+1.50"]


def test_a_class_competes_from_the_form_to_the_file(app: Flask) -> None:
    room = make_classroom(app)
    ann, bob = enrolled(app, room, "ann", real_name="Ann", external_id="s1"), enrolled(app, room, "bob")
    teacher = logged_in(app, "teacher7")
    robots = [make_program(app, "ann", "robot-a"), make_program(app, "bob", "robot-b")]
    address = make(teacher, classroom=room)
    assert "presses Start. It needs an agent." in ann.get(address).text
    assert "Enter robot-a" in ann.get(address).text and "robot-b" not in ann.get(address).text
    assert ann.send(f"{address}/agents", agent=robots[0].agent_id).status_code == 303
    assert "Enter all agents of the class (1)" in teacher.get(address).text
    for _ in range(2):  # pressed twice
        assert teacher.send(f"{address}/agents", agent="all").status_code == 303
    assert "2 agents have entered" in teacher.get(address).text
    for _ in range(2):
        assert teacher.send(f"{address}/start").status_code == 303
    wall = bob.get(f"{address}/projector").text
    assert "Points" in wall and "Strength" not in wall, "what is read from the last row"
    page = bob.get(address).text
    assert "leave out those off Beginner and Casual" in page
    assert "0 of 44 games are over" in page and page.count(" to move can ") == 2
    play_on(robots, any_cell)
    page = bob.get(address).text
    assert re.search(r"All 44 games are over\. robot-[ab]( and robot-[ab])? leads?\.", page) and "Place" in page
    assert "It ends when an instructor presses End." in page and "End it now" not in page
    assert "Press End it now when you want." in teacher.get(address).text
    assert "All 44 games are over." in bob.get(f"{address}/projector").text
    table = table_on(page)
    assert len(table) == 7 and ["reference" in row[1] for row in table] == [False] * 2 + [True] * 5
    assert all(row[3] == "16" and row[4].endswith("/8") for row in table[:2])
    lines = list(csv.reader(io.StringIO(bob.get(f"{address}/table.csv").get_data().decode("utf-8-sig"))))
    assert lines[0][:4] == ["Place", "Agent", "Owner", "Version"] and len(lines) == 8
    file = teacher.get(f"{address}/table.csv")
    named = file.headers["Content-Disposition"]
    assert re.fullmatch(r"attachment; filename=Robot-cup-\d{4}-\d\d-\d\d-competition\.csv", named)
    rows = list(csv.DictReader(io.StringIO(file.get_data().decode("utf-8-sig"))))
    assert {(row["Owner"], row["Name"], row["Id"]) for row in rows[:2]} == {("ann", "Ann", "s1"), ("bob", "", "")}
    assert {(row["Points off weak levels"], row["Games against weak levels"]) for row in rows[2:]} == {("", "")}
    assert "Name" not in lines[0], "real names are for who teaches the class"
    for place in ("/projector", "/piece", "/projector/piece"):
        assert re.search(r"robot-a(</a>)? <span class=\"soft small\">of ann<", ann.get(address + place).text), place


@sqlite_only
def test_a_game_in_play_names_the_owners_and_its_cell_leads_to_it(app: Flask) -> None:
    teacher = logged_in(app, "teacher7") if make_classroom(app) else None
    assert teacher
    robots = [make_program(app, f"owner-{name}", f"robot-{name}") for name in "ab"]
    address = make(teacher)
    for robot in robots:
        logged_in(app, f"owner-{robot.name[-1]}").send(f"{address}/agents", agent=robot.agent_id)
        robot.next()
    teacher.send(f"{address}/start")
    for place in ("", "/projector"):
        boards = teacher.get(address + place).text.split('<ul class="tables">')[1].split("</ul>")[0]
        assert "agent of owner-a" in boards and "agent of owner-b" in boards, place
    one, other = (row["id"] for row in rows_of(app, "competition_entry") if row["user_id"])
    assert f'{address}/games/{one}/{other}"' in teacher.get(address).text
    assert "/games/" in teacher.get(f"{address}/games/{one}/{other}").text.split('class="card rounds"')[1]


@sqlite_only
def test_entries_close_when_the_form_said_so(app: Flask, set_clock: SetClock) -> None:
    room = make_classroom(app)
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    first, late = make_program(app, "ann", "robot-a"), make_program(app, "ann", "robot-b")
    address = make(teacher, classroom=room, closes="15")
    assert ann.send(f"{address}/agents", agent=first.agent_id).status_code == 303
    assert "Entries close in 15 minutes" in ann.get(address).text
    set_clock.pass_time(minutes=16)
    refused = ann.send(f"{address}/agents", agent=late.agent_id)
    assert refused.status_code == 409 and "Entries have closed" in refused.text
    [entry] = rows_of(app, "competition_entry")
    assert ann.send(f"{address}/entries/{entry['id']}/replace").status_code == 303
    wrong = teacher.send("/competitions", **MADE, classroom=room, opens="60", closes="15")
    assert wrong.status_code == 400 and "close before they open" in wrong.text


@sqlite_only
def test_nobody_is_offered_to_enter_before_entries_open(app: Flask, set_clock: SetClock) -> None:
    room = make_classroom(app)
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    robot = make_program(app, "ann", "robot-a")
    address = make(teacher, classroom=room, opens="60", closes="1440")
    for browser in (ann, teacher):
        page = browser.get(address).text
        assert "Entries open in 1 hour" in page and ">Enter " not in page and f"{address}/agents" not in page
    refused = ann.send(f"{address}/agents", agent=robot.agent_id)
    assert refused.status_code == 409 and "They open in 1 hour" in refused.text
    set_clock.pass_time(minutes=61)
    assert "Enter robot-a" in ann.get(address).text and "Enter all agents" in teacher.get(address).text
    set_clock.pass_time(days=1)
    assert "Enter robot-a" not in ann.get(address).text and "Enter all agents" not in teacher.get(address).text


@sqlite_only
def test_times_that_contradict_each_other_are_refused(app: Flask) -> None:
    make_classroom(app)
    teacher = logged_in(app, "teacher7")
    for times, words in (
        ({"starts": "60", "ends": "60"}, "end before it starts"),
        ({"opens": "60", "starts": "60", "ends": "1440"}, "before anybody can enter"),
        ({"opens": "1440", "starts": "60", "ends": "10080"}, "before anybody can enter"),
        ({"opens": "60", "closes": "60"}, "close before they open"),
    ):
        answer = teacher.send("/competitions", **MADE, **times)
        assert (answer.status_code, words in answer.text) == (400, True), times
    assert rows_of(app, "competition") == []


@sqlite_only
def test_in_an_archived_classroom_nobody_enters_and_nothing_starts(app: Flask) -> None:
    room = make_classroom(app)
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    robot = make_program(app, "ann", "robot-a")
    agents, people = make(teacher, classroom=room), make(teacher, classroom=room, kind="people", rounds="3")
    with app.app_context(), writing() as connection:
        connection.execute(update(Classroom).values(archived_at=now()))
    presses = [(ann, f"{agents}/agents", {"agent": robot.agent_id}), (ann, f"{people}/enter", {}),
               (teacher, f"{agents}/start", {}), (teacher, f"{people}/start", {})]  # fmt: skip
    for browser, address, fields in presses:
        refused = browser.send(address, **fields)
        assert refused.status_code == 409 and "is archived" in refused.text, address


@sqlite_only
def test_where_agents_are_switched_off_the_page_says_so(app: Flask) -> None:
    room = make_classroom(app)
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    make_program(app, "ann", "robot-a")
    address = make(teacher, classroom=room)
    assert "switched off" not in teacher.get(address).text + ann.get(address).text
    with app.app_context(), writing() as connection:
        connection.execute(update(Classroom).values(name="AI lab 1", allows_agents=False))
    page = ann.get(address).text
    assert "Agents are switched off in AI lab 1" in page and "make an agent" not in page
    page = teacher.get(address).text
    assert "Agents are switched off in this classroom" in page and f"/classrooms/{room}/settings" in page


@sqlite_only
def test_a_class_is_invited_where_its_agents_can_enter_and_reads_of_no_rounds(app: Flask, set_clock: SetClock) -> None:
    room = make_classroom(app)
    teacher, ann, bob = logged_in(app, "teacher7"), enrolled(app, room, "ann"), enrolled(app, room, "bob")
    robot = make_program(app, "ann", "robot-a")

    def told(student: Browser) -> list[str]:
        page = student.get(f"/classrooms/{room}/piece").text
        return [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in re.findall(r"(?s)<b>Robot cup.*?</li>", page)]

    def allow(allows: bool) -> None:
        with app.app_context(), writing() as connection:
            connection.execute(update(Classroom).values(allows_agents=allows))

    address = make(teacher, classroom=room, closes="60")
    assert told(ann) == told(bob) == ["Robot cup is open to your agents. Enter"]
    allow(False)
    assert told(ann) == []
    allow(True)
    ann.send(f"{address}/agents", agent=robot.agent_id)
    assert told(ann) == [] and len(told(bob)) == 1
    listed = ann.get("/competitions").text
    assert "an agent of yours is in it" in listed and "you are in it" not in listed
    assert "of yours" not in bob.get("/competitions").text
    set_clock.pass_time(minutes=61)
    assert told(bob) == []
    teacher.send(f"{address}/start")
    played = "Robot cup is being played."
    assert (told(ann), told(bob)) == ([f"{played} See the table"], [f"{played} Watch"])


@sqlite_only
def test_a_wrong_form_of_a_classroom_comes_back_in_that_classroom(app: Flask) -> None:
    room = make_classroom(app)
    page = logged_in(app, "teacher7").send("/competitions", **{**MADE, "name": "", "classroom": room})
    assert page.status_code == 400 and f'href="/classrooms/{room}"' in page.text


@sqlite_only
def test_an_agent_is_entered_by_its_owner_or_by_an_instructor_of_the_class(app: Flask) -> None:
    room = make_classroom(app)
    teacher, ann, bob = logged_in(app, "teacher7"), enrolled(app, room, "ann"), enrolled(app, room, "bob")
    stranger = member_of(app, "stranger")
    mine, theirs = make_program(app, "ann", "robot-a"), make_program(app, "stranger", "robot-s")
    address = make(teacher, classroom=room)
    assert bob.send(f"{address}/agents", agent=mine.agent_id).status_code == 404
    assert stranger.send(f"{address}/agents", agent=theirs.agent_id).status_code == 404
    assert teacher.send(f"{address}/agents", agent=theirs.agent_id).status_code == 404
    assert ann.send(f"{address}/agents", agent="all").status_code == 400
    assert rows_of(app, "competition_entry") == []
    assert teacher.send(f"{address}/agents", agent=mine.agent_id).status_code == 303
    [entry] = rows_of(app, "competition_entry")
    for what in ("replace", "withdraw"):
        assert bob.send(f"{address}/entries/{entry['id']}/{what}").status_code == 404
        assert stranger.send(f"{address}/entries/{entry['id']}/{what}").status_code == 404
    assert ann.send(f"{address}/entries/{entry['id']}/withdraw").status_code == 303
    assert ann.send(f"{address}/enter").status_code == 404, "people do not enter"


@sqlite_only
def test_an_agent_enters_however_many_accounts_there_are(app: Flask) -> None:
    teacher = logged_in(app, "teacher7") if make_classroom(app) else None
    assert teacher
    with app.app_context(), writing() as connection:
        connection.execute(insert(User).values(id=123_456, name="filler", name_key="filler"))
    robot = make_program(app, "ann", "robot-a")
    ann, address = logged_in(app, "ann"), make(teacher)
    assert robot.agent_id > 123_456 and f'name="agent" value="{robot.agent_id}"' in ann.get(address).text
    assert ann.send(f"{address}/agents", agent=robot.agent_id).status_code == 303
    assert [row["user_id"] for row in rows_of(app, "competition_entry")] == [robot.agent_id]
    for wrong, status in {"": 400, "-1": 400, "1.5": 400, "²": 400, str(2**31): 400, str(2**31 - 1): 404}.items():
        assert ann.send(f"{address}/agents", agent=wrong).status_code == status, wrong


@sqlite_only
def test_the_page_of_an_agent_tells_its_games_its_faults_and_its_older_versions(app: Flask) -> None:
    room = make_classroom(app)
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    robot = make_program(app, "ann", "robot-a")
    address = make(teacher, classroom=room)
    ann.send(f"{address}/agents", agent=robot.agent_id)
    teacher.send(f"{address}/start")
    job = robot.job()
    robot.ask("POST", f"/games/{job['game']}/resign", {"cause": "ZeroDivisionError <b>line 3</b>"})
    play_on([robot])
    [entry] = [row for row in rows_of(app, "competition_entry") if row["user_id"]]
    page = ann.get(f"{address}/entries/{entry['id']}").text
    told = "In 1 game it gave no move: ZeroDivisionError &lt;b&gt;line 3&lt;/b&gt;"
    assert told in page and "lost (error)" in page and page.count("/games/") == 21 and "under 0.1 s" in page
    assert "ZeroDivisionError &lt;b&gt;" in ann.get(f"/games/{job['game']}").text
    assert "gave no move" in ann.get(f"/games/{job['game']}").text
    assert "1 lost by a fault" in ann.get(address).text
    for _ in range(2):  # pressed twice
        assert ann.send(f"{address}/entries/{entry['id']}/replace").status_code == 303
    assert len([row for row in rows_of(app, "competition_entry") if row["user_id"]]) == 2
    assert "was replaced by a newer one" in ann.get(f"{address}/entries/{entry['id']}").text
    assert told in ann.get(f"{address}/entries/{entry['id']}").text
    assert "version 2" in ann.get(address).text


@sqlite_only
def test_who_enters_while_a_page_is_made_is_on_the_next_one(app: Flask) -> None:
    contest = Contest(app)
    robots = contest.enter("ada")
    contest.start()
    with app.app_context():
        view = AgentsView(contest.about)
        ada = next(entry.id for entry in view.active)
        play_on([*robots, *contest.enter("bea")])
        bea = max(row["id"] for row in rows_of(app, "competition_entry"))
        assert len(view.rows) == 6 and view.row_of(view.entries[ada])
        assert view.lines_of(games_in(contest.id, is_between([ada], [bea]))) == []
        assert len(AgentsView(contest.about).between(ada, bea)) == 2


@sqlite_only
def test_who_has_left_is_asked_before_its_games_are_played_anew(app: Flask) -> None:
    room = make_classroom(app)
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    robot = make_program(app, "ann", "robot-a")
    address = make(teacher, classroom=room)
    ann.send(f"{address}/agents", agent=robot.agent_id)
    teacher.send(f"{address}/start")
    play_on([robot])
    [entry] = [row["id"] for row in rows_of(app, "competition_entry") if row["user_id"]]
    ann.send(f"{address}/entries/{entry}/withdraw")
    page = ann.get(address).text
    assert "Has left." in page and "Not in this competition" not in page and "Enter robot-a" not in page
    assert "Enter it again" in page and "robot-a enters as version 2 and plays all its games again" in page
    assert f'name="agent" value="{robot.agent_id}"' in page
    ann.send(f"{address}/agents", agent=robot.agent_id)
    assert "Version 2." in ann.get(address).text


@sqlite_only
def test_who_has_left_is_not_brought_back_with_all_agents_of_the_class(app: Flask) -> None:
    room = make_classroom(app)
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    enrolled(app, room, "bob")
    robot, other = make_program(app, "ann", "robot-a"), make_program(app, "bob", "robot-b")
    address = make(teacher, classroom=room)
    ann.send(f"{address}/agents", agent=robot.agent_id)
    [entry] = rows_of(app, "competition_entry")
    ann.send(f"{address}/entries/{entry['id']}/withdraw")
    assert "Enter all agents of the class (1)" in teacher.get(address).text
    for _ in range(2):
        assert teacher.send(f"{address}/agents", agent="all").status_code == 303
        assert [row["user_id"] for row in rows_of(app, "competition_entry")] == [robot.agent_id, other.agent_id]
    assert "Enter all agents" not in teacher.get(address).text


@sqlite_only
def test_an_agent_without_a_token_is_told_to_get_one_before_it_enters(app: Flask) -> None:
    room = make_classroom(app)
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    robot = make_program(app, "ann", "robot-a")
    address = make(teacher, classroom=room)
    ann.send(f"/account/agents/{robot.agent_id}/revoke")
    page = ann.get(address).text
    assert "It needs a token before it can enter." in page and "Enter robot-a" not in page
    teacher.send(f"{address}/agents", agent="all")
    assert "It cannot play without a token." in ann.get(address).text


@sqlite_only
def test_a_cause_that_repeats_is_told_once_and_games_that_no_longer_count_stand_apart(app: Flask) -> None:
    room = make_classroom(app)
    teacher, ann, bob = logged_in(app, "teacher7"), enrolled(app, room, "ann"), enrolled(app, room, "bob")
    faulty, good = make_program(app, "ann", "robot-a"), make_program(app, "bob", "robot-b")
    address = make(teacher, classroom=room)
    teacher.send(f"{address}/agents", agent="all")
    teacher.send(f"{address}/start")
    while (told := faulty.next()["job"]) or play_on([good]):
        if told:
            faulty.ask("POST", f"/games/{told['game']}/resign", {"cause": "An error, IndexError: list index"})
    old, entry = (row["id"] for row in rows_of(app, "competition_entry") if row["user_id"])
    page = ann.get(f"{address}/entries/{old}").text
    assert page.count("IndexError") == 1
    assert re.search(r'In \d+ games it gave no move: IndexError: list index <a href="/games/', page)
    assert page.count("lost (error)") > 10 and "no longer count" not in page
    [row] = [row for row in table_on(ann.get(address).text) if "robot-a" in row[1]]
    assert (row[3], row[6], row[8]) == ("16", "24 of 24", "–"), "faults count in the games with the weak levels too"
    assert "won (other: error)" in bob.get(f"{address}/entries/{entry}").text
    ann.send(f"{address}/entries/{old}/replace")
    of_old, of_other = (ann.get(f"{address}/entries/{one}").text for one in (old, entry))
    assert of_old.count("lost (error)") == page.count("lost (error)") and "no longer count" not in of_old
    assert "Games that no longer count (4)" in of_other and of_other.count("won (other: error)") == 4


@sqlite_only
def test_the_page_costs_the_same_however_many_games_were_played(app: Flask) -> None:
    room = make_classroom(app)
    teacher = logged_in(app, "teacher7")
    enrolled(app, room, "ann")
    robots = [make_program(app, "ann", f"robot-{number}") for number in range(3)]
    address = make(teacher, classroom=room)
    teacher.send(f"{address}/agents", agent="all")
    teacher.send(f"{address}/start")
    play_on(robots[:1], most=1)
    with statements(app) as few:
        teacher.get(address)
    play_on(robots)
    with statements(app) as many:
        teacher.get(address)
    assert len(many) <= len(few) < 25


@sqlite_only
def test_what_counts_is_added_up_once_for_all_who_look_until_another_game_counts(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = Contest(app)
    robots = contest.enter("ann7", "bea7", "cyd7")
    contest.start()
    looks: list[int] = []

    def added_up(competition_id: int) -> tuple[Meeting, ...]:
        looks.append(competition_id)
        return meetings_in(competition_id)

    monkeypatch.setattr("webapp.competitions.agent_results.meetings_in", added_up)
    ann, address = logged_in(app, "owner-ann7"), f"/competitions/{contest.public_id}"

    def points() -> dict[str, str]:
        assert logged_in(app, "owner-bea7").get(address).status_code == 200
        return {row[1]: row[2] for row in table_on(ann.get(address).text)}

    played = play_on(robots, most=12)
    before = points()
    assert len(looks) == 1, "two pages, the same games"
    assert play_on(robots) > played
    after = points()
    assert len(looks) == 2 and after != before
    for version in (1, 2):  # all its games again: as many count as before, and they are others
        with app.app_context():
            replace_agent(contest.about, robots[0].agent_id, version)
        assert points() != after, version
        play_on(robots)
        check_recount(app, contest)


def check_recount(app: Flask, contest: Contest) -> None:
    with app.app_context():
        kept = results_in(contest.id, contest.public_id, progress_in(contest.id).of_results)
        assert kept.meetings == meetings_in(contest.id)


@sqlite_only
def test_few_of_the_results_that_no_longer_hold_are_kept(app: Flask) -> None:
    contest = Contest(app)
    contest.enter("ann7", "bea7")
    seen = []
    with app.app_context():
        entrants = [one.entrant for one in entries_in(contest.id)]
        for version in range(KEPT + 1):
            results = results_in(contest.id, contest.public_id, (version,))
            assert ranking_of(entrants, results) is ranking_of(entrants, results)
            seen.append(weakref.ref(results))
            del results
    assert [one() is None for one in seen] == [True] + [False] * KEPT


@sqlite_only
def test_with_many_agents_the_crosstable_has_a_page_of_its_own(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = Contest(app)
    robots = contest.enter("ann7", "bea7")
    ann, address = logged_in(app, "owner-ann7"), f"/competitions/{contest.public_id}"
    assert ann.get(f"{address}/crosstable").location == address
    contest.start()
    play_on(robots)
    on_page = ann.get(address).text
    assert 'class="cross ' in on_page and "Show the crosstable" not in on_page
    monkeypatch.setattr("webapp.competitions.agent_view.MOST_IN_CROSS", 6)
    page = ann.get(address).text
    assert 'class="cross ' not in page and f'href="{address}/crosstable"' in page
    alone = ann.get(f"{address}/crosstable").text
    cross = re.compile(r'<table class="cross .*?</table>', re.DOTALL)
    assert cross.findall(alone) == cross.findall(on_page) != []


def test_what_nobody_was_there_to_play_is_called_not_played_everywhere(app: Flask, set_clock: SetClock) -> None:
    contest = Contest(app, ends_at=now() + timedelta(hours=2))
    contest.enter("ann7", "bea7")
    contest.start()
    set_clock.pass_time(hours=3)
    page, address = logged_in(app, "owner-ann7"), f"/competitions/{contest.public_id}"
    cross = page.get(address).text
    assert "ann7 against bea7: none of their games was played to its end" in cross
    [link] = re.findall(rf'"({address}/games/[^"]+)" title="ann7 against bea7', cross)
    told = page.get(link).text.split('class="card rounds"')[1]
    assert told.count("not played") == 2 and "both lost" not in told


def test_what_counts_no_longer_is_said_before_the_cause_not_behind_its_full_stop(app: Flask) -> None:
    contest = Contest(app)
    [one] = contest.enter("ann7")
    contest.start()
    job = one.next()["job"]
    one.ask("POST", f"/games/{job['game']}/resign", {"cause": "An error, IndexError: list index."})
    with app.app_context():
        replace_agent(contest.about, one.agent_id, 1)
    page, address = logged_in(app, "owner-ann7"), f"/competitions/{contest.public_id}"
    links = sorted(set(re.findall(rf'"({address}/games/[^"]+)"', page.get(address).text)))
    told = " ".join(" ".join(page.get(link).text for link in links).split())
    assert "</a> (counts no longer), the other gave no move: IndexError: list index." in told


def test_an_export_tells_in_which_competitions_one_s_agents_are(app: Flask) -> None:
    Contest(app, name="Robot cup").enter("robot7")
    told = logged_in(app, "owner-robot7").get("/account/export").json["competitions"]
    assert [(one["name"], one["agent"], one["version"]) for one in told] == [("Robot cup", "robot7", 1)]
