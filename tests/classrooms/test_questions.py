"""Ask the class: a position, one answer each, the spread, the values."""

import re
from collections import Counter
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask

from tests.conftest import Browser, SetClock
from tests.factories import enrolled, logged_in, make_classroom
from tests.meanwhile import all_at_once, meanwhile
from tests.tables import rows_of
from tests.two_players import begin_game, play_cells
from webapp.accounts.queries import account_named
from webapp.analysis.position_analysis import Analysis
from webapp.classrooms import questions
from webapp.classrooms.moving import remove_students
from webapp.classrooms.roles import Role
from webapp.privacy.services import delete_account
from webapp.tictactoe import Mark, Position

POSITION = {"position": "X...O...X", "to_move": "O"}  # O holds the draw on the edges only


def ask(app: Flask, classroom: str, **position: str) -> Browser:
    """By the form, which says what is open when it is opened."""
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{classroom}/question"
    answer = teacher.send(path, seen=seen_on(teacher.get(path).text), **(position or POSITION))
    assert answer.status_code == 303, answer.text
    return teacher


def seen_on(page: str) -> list[str]:
    return re.findall(r'name="seen" value="(\d+)"', page)


def answer_path(student: Browser, classroom: str) -> str:
    found = re.search(r'action="([^"]+/answer)"', student.get(f"/classrooms/{classroom}").text)
    assert found
    return found[1]


def test_each_student_has_one_answer_and_the_spread_and_values_appear(app: Flask) -> None:
    classroom = make_classroom(app)
    students = [enrolled(app, classroom, f"student{number}") for number in range(3)]
    teacher = ask(app, classroom)
    page = students[0].get(f"/classrooms/{classroom}").text
    assert "O to move. Which move?" in page and page.count('name="cell"') == 6
    path = answer_path(students[0], classroom)
    for student, cell in zip(students, (1, 1, 2), strict=True):
        assert student.send(path, cell=cell).status_code == 303
    assert students[0].send(path, cell=1).status_code == 303  # the same again
    for cell, words in ((3, "left"), (1, "top centre")):  # changed, and changed back
        assert students[0].send(path, cell=cell).status_code == 303
        page = students[0].get(f"/classrooms/{classroom}").text
        assert f"{words}</b>. Wait" in page and page.count("is-mine") == 1 and page.count('name="cell"') == 6
    lesson = f"/classrooms/{classroom}/lesson"
    assert "3 of 3 have answered" in teacher.get(lesson).text
    for page in (teacher.get(lesson).text, teacher.get(f"{lesson}/projector?answers=yes").text):
        assert "worth-word" not in page and re.search(r"top centre:</span>\s*<b>2<", page)
    assert teacher.send(f"/classrooms/{classroom}/question/close").status_code == 303
    assert "worth-word" in teacher.get(f"{lesson}/projector").text
    assert "one of the best moves" in students[0].get(f"/classrooms/{classroom}").text
    assert "There was a better move" in students[2].get(f"/classrooms/{classroom}").text
    assert students[0].send(path, cell=3).status_code == 409  # closed
    assert Counter(row["cell"] for row in rows_of(app, "question_answer")) == {1: 2, 2: 1}


def test_a_question_stands_above_the_games_of_a_student_until_it_is_closed(app: Flask) -> None:
    classroom = make_classroom(app)
    ann, bob = enrolled(app, classroom, "ann"), enrolled(app, classroom, "bob")
    begin_game(ann, bob, 0)
    teacher, page = ask(app, classroom), f"/classrooms/{classroom}"
    parts = [' id="question"', ' id="yours"', ' id="open"']
    for wanted in (parts, [parts[1], parts[0], parts[2]]):
        text = bob.get(page).text
        assert sorted(parts, key=text.index) == wanted
        teacher.send(f"{page}/question/close")


def test_the_only_best_move_is_not_called_one_of_several(app: Flask) -> None:
    classroom = make_classroom(app)
    student = enrolled(app, classroom, "ann")
    teacher = ask(app, classroom, position="..OXOO..X", to_move="X")
    student.send(answer_path(student, classroom), cell=6)
    teacher.send(f"/classrooms/{classroom}/question/close")
    assert "bottom left</b>, the best move." in student.get(f"/classrooms/{classroom}").text


def test_who_has_not_answered_sees_on_the_wall_how_many_have_and_not_what(app: Flask) -> None:
    classroom = make_classroom(app)
    ann, *_ = (enrolled(app, classroom, name) for name in ("ann", "bob"))
    teacher, wall = ask(app, classroom), f"/classrooms/{classroom}/lesson/projector"
    ann.send(answer_path(ann, classroom), cell=1)
    for page in (wall, f"{wall}/piece", f"{wall}/piece?names=yes&answers=no"):
        text = teacher.get(page).text
        assert "1 of 2 have answered" in text and "top centre, free" in text and "share" not in text, page
    asked = teacher.get(wall).text
    [live] = re.findall(f'href="({wall}[?]answers=yes)"', asked)
    for page in (live, f"{wall}/piece?answers=yes"):
        assert re.search(r"top centre:</span>\s*<b>1<", teacher.get(page).text), page
    both = re.search(r'href="([^"]+)">Show user names', teacher.get(live).text)
    assert both and both[1].replace("&amp;", "&").endswith("?names=yes&answers=yes")
    assert live in teacher.get(f"/classrooms/{classroom}/lesson").text
    teacher.send(f"/classrooms/{classroom}/question/close")
    closed = teacher.get(wall).text
    assert "worth-word" in closed and "answers=yes" not in closed


def test_who_has_answered_and_left_is_counted_among_those_who_were_asked(app: Flask) -> None:
    """Else all would seem to have answered before they have."""
    classroom = make_classroom(app)
    ann, *_ = (enrolled(app, classroom, name) for name in ("ann", "bob"))
    teacher, path = ask(app, classroom), f"/classrooms/{classroom}"
    ann.send(answer_path(ann, classroom), cell=1)
    ann_id = next(row["id"] for row in rows_of(app, "user") if row["name"] == "ann")
    for change, told in (("remove", "1 of 2 have answered"), ("bring-back", "1 of 2 have answered")):
        assert teacher.send(f"{path}/students/{change}", student=ann_id).status_code == 303
        for page in ("lesson", "lesson/projector"):
            assert told in teacher.get(f"{path}/{page}").text, (change, page)


def test_wrong_positions_and_answers_are_refused_and_leave_nothing(app: Flask) -> None:
    classroom = make_classroom(app)
    student, teacher = enrolled(app, classroom, "student1"), logged_in(app, "teacher7")
    for wrong in ("XXX......", "XXXOO....", "XX", "????", "XOXOXOXOX"):
        refused = teacher.send(f"/classrooms/{classroom}/question", position=wrong)
        assert refused.status_code == 400 and 'role="alert"' in refused.text, wrong
    for refused in (
        teacher.send(f"/classrooms/{classroom}/question", cell0="Z"),
        teacher.get(f"/classrooms/{classroom}/question?cell0=Z"),
    ):
        assert refused.status_code == 400 and "not &#39;Z&#39;" in refused.text
    assert rows_of(app, "question") == [] == rows_of(app, "lesson")
    ask(app, classroom)
    path = answer_path(student, classroom)
    for cell in ("0", "9", "-1", "x", "", "1.5"):
        assert student.send(path, cell=cell).status_code == 400, cell
    assert teacher.send(path, cell=1).status_code == 404  # who asks does not answer
    elsewhere = make_classroom(app, "other7")
    other = enrolled(app, elsewhere, "student2")
    assert other.send(path, cell=1).status_code == 404
    assert other.send(path.replace(classroom, elsewhere), cell=1).status_code == 404  # a question of another class
    for number in (2**31, 2**63, 10**30):  # what no database keeps
        assert student.send(f"/classrooms/{classroom}/question/{number}/answer", cell=1).status_code == 404, number
    teacher.send(f"/classrooms/{classroom}/question/close")
    late = student.send(path, cell=1)
    assert late.status_code == 409 and "This question is closed" in late.text
    assert f'href="/classrooms/{classroom}">To the classroom' in late.text
    assert rows_of(app, "question_answer") == []


def test_a_position_is_set_up_by_its_cells_and_the_next_question_closes_the_last(app: Flask) -> None:
    classroom = make_classroom(app)
    cells = {f"cell{cell}": letter for cell, letter in enumerate("XO.......")}
    ask(app, classroom, **cells, to_move="")
    assert "Which move?" in enrolled(app, classroom, "student1").get(f"/classrooms/{classroom}").text
    teacher = ask(app, classroom)
    first, second = sorted(rows_of(app, "question"), key=lambda row: row["id"])
    assert (first["position"], first["to_move"]) == ("XO.......", "X")
    assert first["closed_at"] is not None and second["closed_at"] is None
    teacher.send(f"/classrooms/{classroom}/lesson/end")
    assert all(row["closed_at"] for row in rows_of(app, "question"))
    kept = teacher.get(f"/classrooms/{classroom}/question/all").text
    assert kept.count("Ask it again") == 2 and "X to move" in kept and "O to move" in kept
    page = teacher.get(f"/classrooms/{classroom}/question", query_string=POSITION).text
    assert len(re.findall(r'value="X" selected', page)) == 2


def test_a_question_that_the_form_has_not_shown_is_not_replaced_by_another(app: Flask) -> None:
    classroom = make_classroom(app)
    path, ann = f"/classrooms/{classroom}/question", enrolled(app, classroom, "ann")
    other = enrolled(app, classroom, "other7", Role.INSTRUCTOR)
    assert "A question is open" not in other.get(path).text
    ask(app, classroom)
    ann.send(answer_path(ann, classroom), cell=1)
    cells = {f"cell{cell}": letter for cell, letter in enumerate("XO.......")}
    for seen in ([], ["x"], ["0", "2", str(10**30)]):
        refused = other.send(path, seen=seen, **cells)
        assert refused.status_code == 409 and "yours was not asked" in refused.text, seen
    assert [row["closed_at"] for row in rows_of(app, "question")] == [None]
    assert "O to move. Which move? 1 of 1 have answered" in refused.text
    assert f'href="/classrooms/{classroom}/lesson#question"' in refused.text
    assert len(re.findall('value="[XO]" selected', refused.text)) == 2  # what was chosen is kept
    assert other.send(path, seen=seen_on(refused.text), **cells).status_code == 303
    assert [row["closed_at"] is None for row in rows_of(app, "question")] == [False, True]


def test_a_press_on_an_older_page_does_not_close_the_next_question(app: Flask) -> None:
    classroom = make_classroom(app)
    path, teacher = f"/classrooms/{classroom}", ask(app, classroom)
    lesson = teacher.get(f"{path}/lesson").text
    [older] = re.findall(r'name="question" value="(\d+)"', lesson)
    ask(app, classroom, position="XO.......")
    for number in (older, "x", 1_000_000, 2**31, 10**30):
        assert teacher.send(f"{path}/question/close", question=number).status_code == 303, number
    assert "Close and show the values" in teacher.get(f"{path}/lesson").text
    assert teacher.send(f"{path}/question/close", question=int(older) + 1).status_code == 303
    assert all(row["closed_at"] for row in rows_of(app, "question"))


def test_what_is_offered_to_ask_is_worth_asking_and_what_the_class_got_wrong(app: Flask) -> None:
    classroom = make_classroom(app)
    student, teacher = enrolled(app, classroom, "student1"), logged_in(app, "teacher7")
    path = f"/classrooms/{classroom}/question"
    page = teacher.get(path).text
    assert len(re.findall('value="[XO]" selected', page)) == 3 and "Mistake of" not in page  # not the empty board
    links = re.findall(r'href="[^"?]+/question\?([^"]+)"', page.replace("&amp;", "&"))
    offered = [dict(parse_qsl(link)) for link in links]
    values = [Analysis(Position.parse(one["position"], Mark(one["to_move"]))).value_of.values() for one in offered]
    assert len(values) == 3 and all(len({worth.word for worth in of_cells}) > 1 for of_cells in values)
    game = begin_game(student, enrolled(app, classroom, "student2"))
    play_cells(student, logged_in(app, "student2"), game, 4, 1, 0, 2, 8)  # 1 and 2 lose
    assert "Mistake of 1 student<" in teacher.get(path).text


def test_a_position_is_offered_once_however_many_moves_were_wrong_and_however_it_was_turned(app: Flask) -> None:
    classroom = make_classroom(app)
    x, o = enrolled(app, classroom, "student1"), enrolled(app, classroom, "student2")
    for cells in ((0, 1), (0, 8), (0, 4, 8, 2)):  # two answers to the corner, and one to what is offered anyway
        x.send(f"{begin_game(x, o, *cells)}/resign")
    page = logged_in(app, "teacher7").get(f"/classrooms/{classroom}/question").text
    links = re.findall(r'href="[^"?]+/question\?([^"]+)"', page)
    assert "Mistake of 1 student<" in page and len(links) == len(set(links)) == 4, links


def test_a_question_asked_by_two_presses_is_one_and_keeps_its_answers(app: Flask, set_clock: SetClock) -> None:
    classroom = make_classroom(app)
    student, teacher = enrolled(app, classroom, "student1"), ask(app, classroom)
    student.send(answer_path(student, classroom), cell=1)
    ask(app, classroom)
    assert len(rows_of(app, "question")) == 1 and "1 of 1 have" in teacher.get(f"/classrooms/{classroom}/lesson").text
    ask(app, classroom, position="X........")
    set_clock.pass_time(minutes=2)
    ask(app, classroom, position="X........")  # meant to be asked again
    teacher.send(f"/classrooms/{classroom}/question/close")
    ask(app, classroom, position="X........")
    assert len(rows_of(app, "question")) == 4


def test_a_lesson_that_ends_by_itself_ends_its_question(app: Flask, set_clock: SetClock) -> None:
    classroom = make_classroom(app)
    student, teacher = enrolled(app, classroom, "student1"), ask(app, classroom)
    path, kept = answer_path(student, classroom), f"/classrooms/{classroom}/question/all"
    assert "worth-word" not in teacher.get(kept).text
    set_clock.pass_time(hours=4)
    assert student.send(path, cell=1).status_code == 409
    assert "worth-word" in teacher.get(kept).text


def test_two_answers_of_one_student_at_once_are_one(app: Flask) -> None:
    classroom = make_classroom(app)
    student = enrolled(app, classroom, "student1")
    ask(app, classroom)
    path, same = answer_path(student, classroom), logged_in(app, "student1")
    for browser in (student, same):
        browser.csrf_token()
    answers = all_at_once([partial(browser.send, path, cell=cell) for browser, cell in ((student, 1), (same, 3))])
    assert Counter(answer.status_code for answer in answers) == {303: 2}
    assert len(rows_of(app, "question_answer")) == 1


def test_who_is_removed_or_deleted_while_they_answer_leaves_no_answer(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    classroom = make_classroom(app)
    ask(app, classroom)
    found = questions._question
    leave = {"student1": lambda user_id: remove_students(1, [user_id]), "student2": delete_account}
    for name, action in leave.items():
        student = enrolled(app, classroom, name)
        path = answer_path(student, classroom)

        def found_and_gone(*asked: Any, name: str = name, action: Any = action) -> Any:
            def go() -> None:
                with app.app_context():
                    action(account_named(name))

            meanwhile(go)
            return found(*asked)

        monkeypatch.setattr(questions, "_question", found_and_gone)
        assert student.send(path, cell=1).status_code == 404, name
    assert rows_of(app, "question_answer") == []


def test_assistants_ask_and_close(app: Flask) -> None:
    classroom = make_classroom(app)
    helper = enrolled(app, classroom, "helper7", Role.ASSISTANT)
    assert helper.get(f"/classrooms/{classroom}/question").status_code == 200
    assert helper.send(f"/classrooms/{classroom}/question", **POSITION).status_code == 303
    assert helper.send(f"/classrooms/{classroom}/question/close").status_code == 303


def head_of(browser: Browser, page: str = "/labs") -> tuple[str | None, str]:
    """Where the sign in the head leads, if there is one, and the title."""
    text = browser.get(page).text
    found = re.search(r'id="asked" href="([^"]+)"[^>]*?( hidden)?>', text)
    title = re.search("<title>(.*?)</title>", text)
    assert title
    return found[1] if found and not found[2] else None, title[1]


def test_a_student_is_told_on_every_page_that_the_class_is_asked(app: Flask, set_clock: SetClock) -> None:
    classroom, other = make_classroom(app), make_classroom(app, name="Other")
    ann, bob, eve = (enrolled(app, classroom, name) for name in ("ann", "bob", "eve"))
    elsewhere, helper = enrolled(app, other, "other7"), enrolled(app, classroom, "helper7", Role.ASSISTANT)
    assert head_of(ann) == (None, "Labs · Noughts")
    teacher = ask(app, classroom)
    address = f"/classrooms/{classroom}#question"
    for page in ("/labs", "/", "/lobby", "/no/such/page", f"/classrooms/{classroom}/leaderboard"):
        assert head_of(ann, page)[0] == address, page
    assert head_of(ann) == (address, "(?) Labs · Noughts")
    assert ann.get("/lobby/waiting").get_json()["classroom"] == classroom
    assert head_of(ann, f"/classrooms/{classroom}")[0] is None  # it stands there anyway
    assert ann.get(f"/lobby/waiting?but={classroom}").get_json()["classroom"] is None
    assert [head_of(one)[0] for one in (teacher, helper, elsewhere, app.test_client())] == [None] * 4
    ann.send(answer_path(ann, classroom), cell=1)
    with app.app_context():
        remove_students(1, [account_named("eve")])
    assert [head_of(one)[0] for one in (ann, bob, eve)] == [None, address, None]
    set_clock.pass_time(hours=4)
    assert head_of(bob)[0] is None  # the lesson has ended by itself
    ask(app, classroom)
    assert [head_of(one)[0] for one in (ann, bob)] == [address] * 2
    teacher.send(f"/classrooms/{classroom}/lesson/end")
    assert head_of(ann)[0] is None
