"""A lesson: begun and ended by a press, and seen as it goes on; on the wall without names."""

import re
from collections import Counter
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import event

from tests.classrooms.rooms import Room
from tests.conftest import Browser, SetClock
from tests.factories import enrolled, logged_in, make_classroom, member_of, put_into
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from tests.two_players import begin_game, play_cells
from webapp.accounts.queries import account_named
from webapp.classrooms import lesson_queries
from webapp.classrooms.codes import shown_code
from webapp.classrooms.lesson_queries import StudentInLesson, lesson_view
from webapp.classrooms.lessons import JustArchived, begin_lesson, present_lesson
from webapp.classrooms.queries import classroom_for, members_of
from webapp.classrooms.questions import ask
from webapp.classrooms.roles import Role
from webapp.extensions import db
from webapp.tictactoe import Position


def lesson_of(app: Flask) -> tuple[list[StudentInLesson], int, int]:
    """What its instructor is shown: the students, and how many games go on and have ended."""
    with app.app_context():
        lesson = present_lesson(1)
        assert lesson
        view = lesson_view(1, lesson, members_of(1))
    return view.students, len(view.playing), len(view.results)


def lose(browser: Browser, level: str = "casual") -> None:
    browser.send(f"{browser.start(cell=0, level=level)}/resign")


def test_a_lesson_begins_once_and_ends_by_a_press_or_after_four_hours(app: Flask, set_clock: SetClock) -> None:
    path = f"/classrooms/{make_classroom(app)}/lesson"
    teachers = [logged_in(app, "teacher7"), logged_in(app, "teacher7")]
    for teacher in teachers:
        teacher.csrf_token()
    answers = all_at_once([partial(teacher.send, path) for teacher in teachers])
    assert Counter(answer.status_code for answer in answers) == {303: 2}
    assert len(rows_of(app, "lesson")) == 1
    set_clock.pass_time(hours=3, minutes=59)
    assert "End the lesson" in teachers[0].get(path).text
    set_clock.pass_time(hours=1)
    assert "No lesson goes on" in teachers[0].get(path).text
    teachers[0].send(path)
    set_clock.pass_time(minutes=45)
    assert teachers[0].send(f"{path}/end").status_code == 303
    lengths = sorted((row["ended_at"] - row["began_at"]).total_seconds() / 60 for row in rows_of(app, "lesson"))
    assert lengths == [45, 240]


def test_no_lesson_begins_in_a_classroom_that_is_archived_at_the_same_moment(app: Flask) -> None:
    room = make_classroom(app)
    with app.app_context():
        loaded = classroom_for(room, account_named("teacher7"), Role.ASSISTANT)
    assert logged_in(app, "teacher7").send(f"/classrooms/{room}/archive").status_code == 303
    with app.app_context():
        for step in (partial(begin_lesson, loaded), partial(ask, loaded, Position.parse("X........"))):
            with pytest.raises(JustArchived):
                step()
    assert rows_of(app, "lesson") == rows_of(app, "question") == []


def test_the_lesson_shows_who_plays_whom_who_has_not_begun_and_what_has_ended(app: Flask) -> None:
    classroom = make_classroom(app)
    ann, bob = enrolled(app, classroom, "ann", real_name="Ann Ångström"), enrolled(app, classroom, "bob")
    enrolled(app, classroom, "eve")
    stranger = member_of(app, "stranger7")
    lose(ann)  # before the lesson: it does not count
    early = bob.start(cell=4, level="perfect")  # begun before, ended in it: it counts
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}/lesson"
    teacher.send(path)
    begin_game(ann, bob, 0, 4)
    bob.send(f"{early}/resign")
    lose(stranger)
    students, playing, results = lesson_of(app)
    counts = {one.member.name: (one.games, one.won, one.drawn, one.lost) for one in students}
    assert [one.is_here for one in students] == [True, True, False]  # told by their moves
    assert counts == {"ann": (1, 0, 0, 0), "bob": (2, 0, 0, 1), "eve": (0, 0, 0, 0)}
    assert (playing, results) == (1, 1)
    page = teacher.get(path).text
    assert "O won" in page and "Ann Ångström" in page and "stranger7" not in page
    assert "eve" in page.split('id="absent"')[1] and "Not started yet" not in page  # who is not here stands apart
    assert teacher.get(f"{path}/piece").status_code == 200


def test_a_lesson_shows_who_has_played_above_who_is_not_here_and_folds_many_of_these(app: Flask) -> None:
    room = Room(app)
    [(name, _), *_] = room.add("\n".join(f"Student {letter}" for letter in "abcdefghijklmnop"))  # sixteen
    room.browser.send(f"{room.path}/lesson")
    lose(enrolled(app, room.public_id, "ann"))
    page = room.browser.get(f"{room.path}/lesson").text
    assert page.index('id="all"') < page.index('id="absent"') < page.index('<details id="absent-names">')
    room.remove(room.id_of(name))
    assert 'id="absent-names"' not in room.browser.get(f"{room.path}/lesson").text


def test_the_code_and_the_students_are_one_press_from_the_lesson_and_back(app: Flask) -> None:
    room = Room(app)
    room.add("Zoë Åberg")
    code = shown_code(rows_of(app, "classroom")[0]["join_code"])
    back = f'href="{room.path}/lesson">Back to the lesson'
    assert back not in room.browser.send(f"{room.path}/log-in-codes").text
    room.browser.send(f"{room.path}/lesson")
    page = room.browser.get(f"{room.path}/lesson").text
    assert code in page and "http://localhost/join" in page and f'href="{room.path}/students"' in page
    assert back in room.browser.send(f"{room.path}/log-in-codes").text
    assert back in room.change("passwords", only="all").text
    room.browser.send(f"{room.path}/joining", joining="closed")
    assert code not in room.browser.get(f"{room.path}/lesson").text


def test_an_open_page_of_the_lesson_offers_what_another_instructor_has_made_possible(app: Flask) -> None:
    path, teacher = f"/classrooms/{make_classroom(app)}", logged_in(app, "teacher7")
    during = {"Ask the class", "Projector", "Students", "End the lesson"}
    for post, offered in ((None, {"Start the lesson"}), ("lesson", during), ("lesson/end", {"Start the lesson"})):
        if post:
            teacher.send(f"{path}/{post}")
        piece = teacher.get(f"{path}/lesson/piece").text
        assert {words for words in {*during, "Start the lesson"} if f">{words}<" in piece} == offered, post
    teacher.send(f"{path}/archive")
    piece = teacher.get(f"{path}/lesson/piece").text
    assert "No lesson goes on now." in piece and "Start" not in piece and "Join code" not in piece
    assert f'{path}/question"' not in teacher.get(f"{path}/question/all").text


def test_a_lesson_and_its_question_end_with_the_classroom_that_is_archived(app: Flask) -> None:
    classroom = make_classroom(app)
    path, teacher, ann = f"/classrooms/{classroom}", logged_in(app, "teacher7"), enrolled(app, classroom, "ann")
    for press in ("archive", "anonymise"):
        teacher.send(f"{path}/question", position="X...O...X")
        assert "Which move?" in ann.get(f"{path}/piece").text, press
        teacher.send(f"{path}/{press}")
        assert "Which move?" not in ann.get(f"{path}/piece").text, press
        assert "End the lesson" not in teacher.get(f"{path}/lesson").text, press
        assert all(row["ended_at"] for row in rows_of(app, "lesson")), press
        assert all(row["closed_at"] for row in rows_of(app, "question")), press
        teacher.send(f"{path}/bring-back")
        assert "To the lesson" not in teacher.get(path).text, press


def test_the_end_of_a_lesson_says_how_many_games_ended_in_it_and_leads_to_them(app: Flask) -> None:
    classroom = make_classroom(app)
    path, teacher = f"/classrooms/{classroom}", logged_in(app, "teacher7")
    ann, bob = enrolled(app, classroom, "ann"), enrolled(app, classroom, "bob")
    lose(ann)  # before the lesson
    assert "Last lesson" not in teacher.get(path).text
    for games, words in ((0, "0 games ended in it."), (1, "1 game ended in it:"), (2, "2 games ended in it:")):
        teacher.send(f"{path}/lesson")
        for _ in range(games):
            lose(ann)
        begin_game(ann, bob, 0, 4)
        teacher.send(f"{path}/lesson/end")
        assert f"The lesson is over. {words}" in teacher.get(path).text
        assert f'href="{path}/results?period=lesson">Last lesson' in teacher.get(path).text
    teacher.send(f"{path}/lesson/end")
    assert "The lesson is over" not in teacher.get(path).text


def test_who_loses_three_times_to_casual_or_sits_still_may_need_help(app: Flask, set_clock: SetClock) -> None:
    classroom = make_classroom(app)
    ann, bob = enrolled(app, classroom, "ann"), enrolled(app, classroom, "bob")
    logged_in(app, "teacher7").send(f"/classrooms/{classroom}/lesson")
    for _ in range(2):
        lose(ann)
    for level in ("casual", "perfect", "perfect", "beginner", "casual"):
        lose(bob, level)
    assert [one.may_need_help for one in lesson_of(app)[0]] == [False, False]
    lose(ann)
    assert [one.lost_in_a_row for one in lesson_of(app)[0]] == [True, False]
    set_clock.pass_time(minutes=10)
    assert [one.is_idle for one in lesson_of(app)[0]] == [False, False]  # nobody is here
    bob.get(f"/classrooms/{classroom}")
    assert [one.is_idle for one in lesson_of(app)[0]] == [False, True]


def test_who_waits_for_the_other_is_not_idle_and_who_is_waited_for_or_plays_nothing_is(
    app: Flask, set_clock: SetClock
) -> None:
    classroom = make_classroom(app)
    players = {name: enrolled(app, classroom, name) for name in ("ann", "bob", "cem", "dan", "eve")}
    logged_in(app, "teacher7").send(f"/classrooms/{classroom}/lesson")

    def idle(minutes: int) -> list[str]:
        set_clock.pass_time(minutes=minutes)
        for browser in players.values():
            browser.get(f"/classrooms/{classroom}")
        return [one.member.name for one in lesson_of(app)[0] if one.is_idle]

    game = begin_game(players["ann"], players["bob"], 0)
    begin_game(players["cem"], players["dan"])  # in which nobody has moved
    assert idle(minutes=9) == []
    assert idle(minutes=1) == ["bob", "cem", "eve"]
    play_cells(players["ann"], players["bob"], game, 4, first_ply=1)
    lose(players["eve"])
    assert idle(minutes=0) == ["cem"]
    assert idle(minutes=10) == ["ann", "cem", "eve"]


def test_a_game_that_was_given_up_is_not_played_now_nor_makes_a_lesson_look_back(
    app: Flask, set_clock: SetClock
) -> None:
    classroom = make_classroom(app)
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}/lesson"
    ann = enrolled(app, classroom, "ann")
    old = ann.start(cell=0, level="perfect")
    assert "board-small" in teacher.get(f"{path}/projector").text
    set_clock.pass_time(days=2)
    assert "board-small" not in teacher.get(f"{path}/projector").text
    teacher.send(path)
    [student], playing, _ = lesson_of(app)
    assert (playing, student.games) == (0, 0) and "0 games going on" in teacher.get(path).text
    assert rows_of(app, "lesson")[0]["first_game_id"] == 2
    ann.send(f"{old}/moves", cell=8, ply=2)  # taken up again
    [student], playing, _ = lesson_of(app)
    assert (playing, student.games) == (1, 1)


def test_more_games_than_are_shown_are_told(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    classroom = make_classroom(app)
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}/lesson"
    teacher.send(path)
    monkeypatch.setattr(lesson_queries, "BOARDS", 2)
    for number, told in enumerate(("1 game going on", "2 games going on", "more than 2 games going on")):
        enrolled(app, classroom, f"student{number}").start(cell=0)
        page = teacher.get(path).text
        assert told in page and page.count('id="game-') == min(2, number + 1)


def test_only_games_that_the_instructor_may_watch_are_linked(app: Flask) -> None:
    classroom, other = make_classroom(app), make_classroom(app, "teacher8", allows_watching=False)
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}/lesson"
    ann, bob, cem, dan = (enrolled(app, classroom, name) for name in ("ann", "bob", "cem", "dan"))
    put_into(app, other, "dan")
    teacher.send(path)
    public = begin_game(ann, bob, 0)
    begin_game(cem, dan, 0)
    ann.start(cell=0)
    page = teacher.get(path).text
    linked = re.findall('href="(/games/[^"]+)"', page)
    assert linked == [public] and page.count('id="game-') == 3 and teacher.get(public).status_code == 200


def test_the_wall_shows_boards_without_names_and_never_a_real_one(app: Flask) -> None:
    classroom = make_classroom(app)
    ann, bob = enrolled(app, classroom, "ann-x", real_name="Zoë Åberg"), enrolled(app, classroom, "bob-o")
    begin_game(ann, bob, 0, 4)
    helper, path = enrolled(app, classroom, "helper7", Role.ASSISTANT), f"/classrooms/{classroom}/lesson/projector"
    helper.send(f"/classrooms/{classroom}/lesson")
    bare, named = (helper.get(path + ask).text.split("<main")[1] for ask in ("", "?names=yes"))
    assert "board-small" in bare and "ann-x" not in bare and "bob-o" not in bare
    assert "ann-x" in named and "bob-o" in named
    for page in (bare, named, helper.get(f"{path}/piece?names=yes").text):
        assert "Zoë" not in page
    assert rows_of(app, "classroom")[0]["join_code"][:4] in bare
    logged_in(app, "teacher7").send(f"/classrooms/{classroom}/joining", joining="closed")
    assert "localhost/log-in" in helper.get(path).text.split("<main")[1]


def test_no_wall_shows_who_opened_it(app: Flask) -> None:
    classroom = make_classroom(app)
    teacher = logged_in(app, "teacher7")
    teacher.send(f"/classrooms/{classroom}/lesson")
    for wall in ("projector", "lesson/projector"):
        page = teacher.get(f"/classrooms/{classroom}/{wall}").text
        assert 'id="head"' not in page and "teacher7" not in page, wall


def test_a_lesson_costs_as_many_statements_with_few_as_with_many(app: Flask) -> None:
    classroom = make_classroom(app)
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}/lesson"
    teacher.send(path)

    def cost() -> int:
        asked: list[str] = []
        with app.app_context():
            engine = db.engine
        listen = lambda *args: asked.append(args[2])  # noqa: E731
        event.listen(engine, "before_cursor_execute", listen)
        teacher.get(path)
        event.remove(engine, "before_cursor_execute", listen)
        return len(asked)

    players = [enrolled(app, classroom, f"student{number}") for number in range(2)]
    begin_game(*players, 0)
    cost()  # of which one is written once in a while: that the teacher is here
    few = cost()
    for number in range(6):
        one = enrolled(app, classroom, f"another{number}")
        lose(one)
        one.start(cell=0)
    assert cost() == few < 15
