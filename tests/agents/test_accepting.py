"""Which challenges an agent accepts: as its owner allows, at once, and no more games than it may have."""

from flask import Flask

from tests.agents.programs import make_program
from tests.factories import enrolled, logged_in, make_classroom, member_of
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from webapp.agents.models import Accepts


def sentence_of(answer, browser) -> str:  # type: ignore[no-untyped-def]
    assert answer.status_code == 303 and answer.location.startswith("/lobby"), answer.location
    return str(browser.get(answer.location).text)


def test_only_its_owner_or_classmates_or_anyone(app: Flask) -> None:
    room = make_classroom(app)
    owner, classmate = enrolled(app, room, "owner7"), enrolled(app, room, "mate7")
    stranger = member_of(app, "stranger7")
    for name, accepts in (("only-me", Accepts.OWNER), ("class-only", Accepts.CLASSMATES), ("for-all", Accepts.ANYONE)):
        make_program(app, "owner7", name, accepts).next()
    allowed = {"only-me": [owner], "class-only": [owner, classmate], "for-all": [owner, classmate, stranger]}
    for name, people in allowed.items():
        for browser in (owner, classmate, stranger):
            assert (f"challenge={name}#" in browser.get("/lobby").text) == (browser in people), name
            answer = browser.send("/games", opponent=name)
            assert answer.location.startswith("/games/") == (browser in people), name
    assert "plays only classmates" in sentence_of(stranger.send("/games", opponent="class-only"), stranger)
    assert "plays only its owner" in sentence_of(classmate.send("/games", opponent="only-me"), classmate)


def test_it_has_no_more_games_than_it_may_however_many_come_at_once(app: Flask) -> None:
    make_program(app, at_once=2)
    browsers = [member_of(app, f"player{number}") for number in range(6)]
    for browser in browsers:
        browser.csrf_token()
    answers = all_at_once([lambda browser=browser: browser.send("/games", opponent="robot7") for browser in browsers])
    begun = [answer for answer in answers if answer.location.startswith("/games/")]
    assert len(begun) == 2 == len(rows_of(app, "game")), "and what was refused leaves no trace"
    refused = next(answer for answer in answers if answer not in begun)
    assert "as many games as it may" in sentence_of(refused, browsers[answers.index(refused)])


def test_a_rematch_begins_at_once_too(app: Flask) -> None:
    program = make_program(app)
    browser = member_of(app, "player7")
    address = str(browser.send("/games", opponent="robot7", mark="X").location)
    browser.send(f"{address}/resign")
    again = browser.send(f"{address}/rematch")
    assert browser.get(f"{again.location}/state").json["status"] == "playing"
    assert program.job()["mark"] == "X"


def test_agents_challenge_agents_as_their_owners(app: Flask) -> None:
    mine, other = make_program(app, accepts=Accepts.OWNER), make_program(app, "owner8", "robot8")
    sibling = make_program(app, "owner7", "sibling7")
    assert other.ask("POST", "/games", {"opponent": "robot7"}).status_code == 409
    assert sibling.ask("POST", "/games", {"opponent": "robot7"}).status_code == 201
    assert mine.ask("POST", "/games", {"opponent": "robot7"}).status_code == 400, "nobody plays itself"


def test_what_a_classroom_closes_is_closed_to_the_agents_of_its_students(app: Flask) -> None:
    room = make_classroom(app)
    owner = enrolled(app, room, "owner7")
    classmate, stranger = enrolled(app, room, "mate7"), member_of(app, "stranger7")
    program = make_program(app)
    teacher = logged_in(app, "teacher7")
    settings = {"name": "7b", "levels": ["beginner", "perfect"], "allows_agents": "yes", "only_members": "yes",
                "allows_watching": "yes", "seat_limit": "60"}  # fmt: skip
    assert teacher.send(f"/classrooms/{room}/settings", **settings).status_code == 303
    assert program.ask("POST", "/games", {"opponent": "casual"}).status_code == 409
    assert program.ask("POST", "/games", {"opponent": "beginner"}).status_code == 201
    assert program.ask("GET", "/agent").json["levels"] == ["beginner", "perfect"]
    assert "cannot play each other" in sentence_of(stranger.send("/games", opponent="robot7"), stranger)
    for browser in (owner, classmate):
        assert browser.send("/games", opponent="robot7").location.startswith("/games/")


def test_a_classroom_without_agents_closes_challenges_to_them_and_by_them(app: Flask) -> None:
    room = make_classroom(app)
    student = enrolled(app, room, "student7")
    stranger = member_of(app, "stranger7")
    theirs, others = make_program(app, "student7", "robot7"), make_program(app, "owner8", "robot8")
    teacher = logged_in(app, "teacher7")
    settings = {"name": "7b", "levels": ["beginner", "casual", "perfect"], "seat_limit": "60"}
    assert teacher.send(f"/classrooms/{room}/settings", **settings).status_code == 303
    refused = sentence_of(student.send("/games", opponent="robot8"), student)
    assert "cannot play each other. Agents are switched off in a classroom of one of you." in refused
    assert "cannot play each other" in sentence_of(stranger.send("/games", opponent="robot7"), stranger)
    assert "cannot play each other" in sentence_of(student.send("/games", opponent="robot7"), student)
    refused = theirs.ask("POST", "/games", {"opponent": "perfect"})
    assert refused.status_code == 409 and "Agents are switched off" in refused.json["error"]
    assert "Agents are switched off in 7b" in student.get("/account/agents").text
    assert "switched off" not in stranger.get("/account/agents").text
    assert theirs.ask("POST", "/games", {"opponent": "robot8"}).status_code == 409
    assert others.ask("POST", "/games", {"opponent": "student7"}).status_code == 409
    assert stranger.send("/games", opponent="robot8").location.startswith("/games/")
    assert student.send("/games", opponent="stranger7").location.startswith("/games/"), "people as before"
