"""What a classroom closes to its students: opponents, levels, the coach, and who watches. The strictest holds."""

import re

from flask import Flask

from tests.conftest import Browser, SetClock
from tests.factories import enrolled, logged_in, make_classroom, member_of, put_into
from tests.tables import rows_of
from tests.two_players import begin_game, open_game
from webapp.accounts.queries import account_named
from webapp.classrooms.moving import remove_students
from webapp.classrooms.roles import Role
from webapp.games.permissions import levels_for, may_have_coach
from webapp.tictactoe import LEVELS

ALL = {"allows_watching": "yes", "allows_coach": "yes", "levels": ["beginner", "casual", "perfect"]}


def set_up(app: Flask, classroom: str, **settings: str | list[str]) -> None:
    """By the instructor, on the page of settings; what is None is not ticked."""
    fields = {name: value for name, value in {**ALL, **settings}.items() if value}
    answer = logged_in(app, "teacher7").send(f"/classrooms/{classroom}/settings", name="7b", seat_limit="9", **fields)
    assert answer.status_code == 303


def levels_shown(browser: Browser) -> list[str]:
    return re.findall(r'name="level" value="(\w+)"', browser.get("/").text)


def test_levels_and_coach_are_closed_to_students_by_the_stricter_of_two_classrooms(app: Flask) -> None:
    one, other = make_classroom(app), make_classroom(app, name="Other")
    student, teacher = enrolled(app, one, "student1"), logged_in(app, "teacher7")
    set_up(app, one, levels=["beginner", "casual"])
    set_up(app, other, levels=["casual", "perfect"], allows_coach="")
    assert levels_shown(student) == ["beginner", "casual"]
    refused = student.send("/games", level="perfect", cell=4)
    assert refused.status_code == 409 and "Your instructor chose this" in refused.text
    logged_in(app, "teacher7").send(f"/classrooms/{other}/joining", joining="open")
    with app.app_context():
        me = account_named("student1")
        assert may_have_coach(me)
    code = re.search(r"/join/(\w{8})", teacher.get(f"/classrooms/{other}").text)
    assert code and student.send(f"/join/{code[1]}").status_code == 303
    with app.app_context():
        assert levels_for(me) == ["casual"] and not may_have_coach(me)
        assert levels_for(account_named("teacher7")) == ["beginner", "casual", "perfect"]
    teacher.send(f"/classrooms/{other}/archive")
    with app.app_context():
        assert levels_for(me) == ["beginner", "casual"] and may_have_coach(me)


def form_of(page: str) -> dict[str, str]:
    """As a browser would send it, but for the levels: a switch that is not ticked is not sent."""
    form = page.split("<form class=\"card form\"")[1].split("</form>")[0]
    inputs = re.findall(r'<input([^>]*) name="(\w+)"[^>]*? value="([^"]*)"([^>]*)>', form)
    return {name: value for kind, name, value, end in inputs if "checkbox" not in kind or "checked" in end}


def test_settings_that_two_instructors_change_at_once_all_stand(app: Flask) -> None:
    classroom = make_classroom(app)
    path, teacher = f"/classrooms/{classroom}/settings", logged_in(app, "teacher7")
    other = enrolled(app, classroom, "other7", Role.INSTRUCTOR)
    mine, theirs = [{**form_of(one.get(path).text), "levels": [*LEVELS]} for one in (teacher, other)]
    assert mine.pop("allows_coach") == "yes" and "shown_allows_coach" in mine
    assert teacher.send(path, **mine).status_code == 303
    refused = other.send(path, **{**theirs, "term": "Spring", "seat_limit": "x"})  # a mistake forgets none of it
    again = {**form_of(refused.text), "levels": [*LEVELS]}
    assert refused.status_code == 400 and again["allows_coach"] == "yes"
    for fields in ({**again, "seat_limit": "12"}, form_of(other.get(path).text) | {"levels": [*LEVELS]}):
        assert other.send(path, **fields).status_code == 303
        [room] = rows_of(app, "classroom")
        assert (room["allows_coach"], room["term"], room["seat_limit"]) == (False, "Spring", 12)


def test_what_is_wrong_in_the_settings_is_said_beside_its_field(app: Flask) -> None:
    path, teacher = f"/classrooms/{make_classroom(app)}/settings", logged_in(app, "teacher7")
    right = {"name": "7b", "term": "", "seat_limit": "9"}
    for field, text in (("name", " "), ("term", "x" * 41), ("seat_limit", "0"), ("seat_limit", "abc")):
        page = teacher.send(path, **{**right, field: text}).text
        [wrong] = re.findall('<input([^>]+aria-invalid="true"[^>]+)>', page)
        assert f'name="{field}" value="{text}"' in wrong and f'aria-describedby="{field}-error"' in wrong
        assert page.count(f'<p class="field-error" id="{field}-error">') == 1 == page.count("field-error"), field


def test_who_may_play_no_level_is_shown_no_board_to_begin_on(app: Flask) -> None:
    one, other = make_classroom(app), make_classroom(app, name="Other")
    student = enrolled(app, one, "student1")
    put_into(app, other, "student1")
    set_up(app, one, levels="beginner")
    set_up(app, other, levels="perfect")  # each leaves one, both together none
    home = student.get("/").text
    assert "No level of the computer is open to you now" in home
    assert 'name="cell"' not in home and "Press a cell to" not in home
    refused = student.send("/games", level="perfect", cell=4)
    assert refused.status_code == 409 and "You can play people in the lobby." in refused.text
    assert "Choose another level" not in refused.text


def test_opponents_and_viewers_of_a_student_in_two_classrooms_are_those_of_the_stricter_one(app: Flask) -> None:
    strict, other = make_classroom(app), make_classroom(app, name="Other")
    ann, bob = enrolled(app, strict, "ann"), enrolled(app, strict, "bob")
    cem, dan = enrolled(app, other, "cem"), enrolled(app, other, "dan")
    helper = enrolled(app, other, "helper7", Role.ASSISTANT)
    put_into(app, other, "ann")
    set_up(app, other)
    met, watched = begin_game(ann, cem, 0), begin_game(ann, bob, 0)
    assert [viewer.get(watched).status_code for viewer in (dan, helper)] == [200, 200]
    set_up(app, strict, only_members="yes", allows_watching="")
    for one, opener in ((cem, ann), (ann, cem)):
        assert one.send(f"{open_game(opener)}/join").status_code == 409
    assert [viewer.get(watched).status_code for viewer in (dan, helper)] == [404, 404]
    assert cem.get(met).status_code == 200 and dan.get(begin_game(cem, helper, 0)).status_code == 200


def test_a_class_that_plays_among_itself_meets_nobody_else(app: Flask) -> None:
    classroom = make_classroom(app)
    ann, bob = enrolled(app, classroom, "ann"), enrolled(app, classroom, "bob")
    eve = member_of(app, "eve")
    set_up(app, classroom, only_members="yes")
    game, strange = open_game(ann), open_game(eve)
    assert game not in eve.get("/lobby").text and strange not in ann.get("/lobby").text
    assert [one.send(f"{address}/join").status_code for one, address in ((eve, game), (bob, strange))] == [409, 409]
    assert game in bob.get(f"/classrooms/{classroom}").text
    assert bob.send(f"{game}/join").status_code == 303
    assert "Your instructor chose this" in ann.get(ann.send("/games", opponent="eve").location).text


def test_games_that_are_not_watched_are_seen_by_their_players_and_instructors(app: Flask) -> None:
    classroom = make_classroom(app)
    ann, bob = enrolled(app, classroom, "ann"), enrolled(app, classroom, "bob")
    eve, helper = enrolled(app, classroom, "eve"), enrolled(app, classroom, "helper7", Role.ASSISTANT)
    game = begin_game(ann, bob, 0)
    assert eve.get(game).status_code == 200
    set_up(app, classroom, allows_watching="")
    viewers = (ann, bob, helper, logged_in(app, "teacher7"), eve, member_of(app, "stranger7"))
    assert [viewer.get(game).status_code for viewer in viewers] == [200, 200, 200, 200, 404, 404]
    assert game not in eve.get("/lobby").text


def test_play_a_classmate_joins_who_waits_and_else_waits(app: Flask) -> None:
    classroom = make_classroom(app)
    ann, bob, eve = (enrolled(app, classroom, name) for name in ("ann", "bob", "eve"))
    stranger = open_game(member_of(app, "stranger7"))
    path = f"/classrooms/{classroom}/play"
    waiting = ann.send(path).location
    assert ann.send(path).location == waiting  # pressed twice, it is one game
    assert "Waiting for" in ann.get(f"/classrooms/{classroom}").text
    assert bob.send(path).location == waiting != stranger
    assert "Your games" in bob.get(f"/classrooms/{classroom}").text
    assert eve.send(path).location not in (waiting, stranger)
    page = ann.get(f"/classrooms/{classroom}").text
    assert "bob" in page and "eve" in page and "stranger7" not in page
    assert ann.get(f"/classrooms/{classroom}/piece").status_code == 200


def test_play_a_classmate_joins_nobody_who_left_long_ago(app: Flask, set_clock: SetClock) -> None:
    classroom = make_classroom(app)
    ann, bob, eve = (enrolled(app, classroom, name) for name in ("ann", "bob", "eve"))
    path = f"/classrooms/{classroom}/play"
    forgotten = ann.send(path).location
    set_clock.pass_time(minutes=11)
    waiting = bob.send(path).location
    assert waiting != forgotten and forgotten in bob.get(f"/classrooms/{classroom}").text  # it may be joined there
    set_clock.pass_time(minutes=5)  # a phone that sleeps
    assert eve.send(path).location == waiting
    cem = enrolled(app, classroom, "cem")
    ann.get(forgotten)  # is back
    assert cem.send(path).location == forgotten


def test_who_plays_a_classmate_waits_for_classmates_alone(app: Flask) -> None:
    classroom, other = make_classroom(app), make_classroom(app, "teacher8")
    ann, bob, eve = (enrolled(app, classroom, name) for name in ("ann", "bob", "eve"))
    mate_elsewhere, stranger = enrolled(app, other, "other7"), member_of(app, "stranger7")
    open_game(ann)  # to all: it makes room for the one that is not
    game = ann.send(f"/classrooms/{classroom}/play").location
    assert "Waiting for a classmate" in ann.get(game).text
    for outsider in (mate_elsewhere, stranger, app.test_client()):
        assert outsider.get(game).status_code == 404
        assert game not in outsider.get("/lobby").text
    assert [one.send(f"{game}/join").status_code for one in (mate_elsewhere, stranger)] == [404, 404]
    assert stranger.send("/lobby/play-now").location != game
    assert game in bob.get(f"/classrooms/{classroom}").text and bob.get(game).status_code == 200
    with app.app_context():
        remove_students(1, [account_named("bob")])
    assert bob.get(game).status_code == 404 and bob.send(f"{game}/join").status_code == 404
    assert eve.send(f"{game}/join").status_code == 303
    assert stranger.get(game).status_code == 200  # begun, it can be watched like any other
    ann.send(f"{game}/resign")
    back = f"/classrooms/of-game/{game.rsplit('/', 1)[-1]}"
    assert [f'href="{back}">To your class' in one.get(game).text for one in (ann, eve, stranger)] == [True, True, False]
    rooms = [one.get(back).location for one in (ann, eve, mate_elsewhere, stranger)]
    assert rooms == 2 * [f"/classrooms/{classroom}"] + 2 * ["/classrooms"]

    game = ann.send(f"/classrooms/{classroom}/play").location
    with app.app_context():
        remove_students(1, [account_named("ann")])
    assert ann.get(game).status_code == 200 and eve.send(f"{game}/join").status_code == 404
