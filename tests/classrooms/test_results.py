"""What counts for a classroom, and the table, files, leaderboard and common mistakes that are made of it."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import insert, select, update

from tests.agents.programs import make_program
from tests.classrooms.rooms import Room
from tests.conftest import Browser, SetClock, postgres_only, sqlite_only
from tests.factories import account_opened, enrolled, logged_in, make_classroom, member_of
from tests.meanwhile import Halfway, all_at_once
from tests.tables import rows_of
from tests.test_statements import statements
from tests.two_players import begin_game
from webapp.accounts.queries import account_named
from webapp.classrooms import end_of_term, mistakes
from webapp.classrooms.end_of_term import delete_classroom
from webapp.classrooms.enrolling import end_stays, enrol
from webapp.classrooms.leaderboard import ranked
from webapp.classrooms.models import Classroom, Lesson
from webapp.classrooms.results import Period, StudentResults, Sums, results_of, results_of_student
from webapp.classrooms.roles import Role
from webapp.clock import now
from webapp.database import writing
from webapp.errors import NotThere
from webapp.operations.invariants import check
from webapp.privacy.services import delete_account
from webapp.single_sign_on.identity import Identity
from webapp.single_sign_on.services import account_of, join_to

FOR_STAFF = ("results", "students/ann", "mistakes")
FOR_INSTRUCTORS = ("results.csv", "results.xlsx", "end-of-term", "everything.zip")
X_WINS = (0, 3, 1, 4, 2)  # O lets X complete the top row, and had a line open as well


@pytest.fixture
def room(app: Flask) -> str:
    return make_classroom(app)


def classroom_id(app: Flask, room: str) -> int:
    with app.app_context(), writing() as connection:
        found = connection.scalar(select(Classroom.id).where(Classroom.public_id == room))
    assert found is not None
    return found


def results(app: Flask, room: str, period: Period = Period.ALL) -> dict[str, StudentResults]:
    number = classroom_id(app, room)
    with app.app_context():
        return {student.name: student for student in results_of(number, period).students}


def lost_to_beginner(browser: Browser) -> None:
    address = browser.start(cell=4, level="beginner")
    browser.send(f"{address}/resign")


def begin_lesson(app: Flask, room: str) -> None:
    number = classroom_id(app, room)
    with app.app_context(), writing() as connection:
        ended = update(Lesson).where(Lesson.classroom_id == number, Lesson.ended_at.is_(None)).values(ended_at=now())
        connection.execute(ended)
        connection.execute(insert(Lesson).values(classroom_id=number))


def remove(app: Flask, room: str, name: str) -> None:
    number = classroom_id(app, room)
    with app.app_context(), writing() as connection:
        end_stays(connection, number, [account_named(name)])


def csv_of(browser: Browser, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(browser.get(address).data.decode("utf-8-sig"))))


def test_a_game_counts_for_the_classrooms_that_its_player_was_in_when_it_ended(app: Flask, room: str) -> None:
    other = make_classroom(app, "other-teacher", "Other")
    ann, bob = enrolled(app, room, "ann"), enrolled(app, room, "bob")
    begin_game(ann, bob, *X_WINS)
    lost_to_beginner(ann)
    begun = ann.start(cell=0, level="casual")
    remove(app, room, "ann")
    ann.send(f"{begun}/resign")  # after her removal
    number = classroom_id(app, other)
    with app.app_context(), writing() as connection:
        enrol(connection, number, account_named("ann"))
    lost_to_beginner(ann)
    seen = results(app, room)
    assert set(seen) == {"bob"} and seen["bob"]["classmates"].lost == 1
    assert seen["bob"].alone == Sums(lost=1, decisions=1, kept=0, moves=2)
    assert results(app, other)["ann"].against == {"beginner": Sums(lost=1, decisions=0, kept=0, moves=1)}
    kinds = sorted((row["kind"], row["won"], row["lost"]) for row in rows_of(app, "classroom_tally"))
    assert kinds == [("beginner", 0, 1), ("beginner", 0, 1), ("classmates", 0, 1), ("classmates", 1, 0)]


def test_games_with_the_coach_stand_apart(app: Flask, room: str) -> None:
    ann = enrolled(app, room, "ann")
    lost_to_beginner(ann)
    ann.send(f"{ann.start(cell=4, level='beginner', coach='yes')}/resign")
    seen = results(app, room)["ann"]
    assert (seen["coached"].lost, seen["beginner"].lost, seen.alone.total) == (1, 1, 1)


def test_a_game_of_a_student_is_told_in_a_sentence_whoever_it_was_against(app: Flask, room: str) -> None:
    ann, bob, eve = enrolled(app, room, "ann"), enrolled(app, room, "bob"), member_of(app, "eve")
    for other in (bob, eve):
        begin_game(ann, other, *X_WINS)
    lost_to_beginner(ann)
    ann.send(f"{ann.start(cell=4, level='beginner', coach='yes')}/resign")
    page = re.sub("<svg.*?</svg>", "X", logged_in(app, "teacher7").get(f"/classrooms/{room}/students/ann").text)
    told = re.findall(r"</b> as X ([^,]+),", page)
    assert told == ["with the coach", "against Beginner", "against somebody else", "against a classmate"]


def test_people_of_other_classes_are_no_classmates_and_cancelled_games_count_nowhere(app: Flask, room: str) -> None:
    ann, eve = enrolled(app, room, "ann"), member_of(app, "eve")
    begin_game(eve, ann, *X_WINS)
    ann.send(f"{begin_game(ann, eve, 0)}/abort")
    assert results(app, room)["ann"].against.keys() == {"others"}
    assert results(app, room)["ann"]["others"].total == 1


def test_periods(app: Flask, room: str, set_clock: SetClock) -> None:
    ann = enrolled(app, room, "ann")
    lost_to_beginner(ann)
    set_clock.pass_time(days=8)
    lost_to_beginner(ann)
    begin_lesson(app, room)
    set_clock.pass_time(minutes=5)
    lost_to_beginner(ann)
    set_clock.pass_time(hours=4)  # the lesson is over by itself, though nobody has ended it
    lost_to_beginner(ann)
    counts = [results(app, room, period)["ann"].alone.total for period in (Period.ALL, Period.WEEK, Period.LESSON)]
    assert counts == [4, 3, 1]


def test_the_lesson_is_offered_if_there_was_one_and_is_this_one_while_it_goes_on(app: Flask, room: str) -> None:
    teacher = logged_in(app, "teacher7")

    def offered() -> list[str]:
        pages = [teacher.get(f"/classrooms/{room}/{page}").text for page in ("results", "mistakes", "leaderboard")]
        return ["".join(re.findall(">(This|Last) lesson<", page)) for page in pages]

    assert offered() == [""] * 3
    teacher.send(f"/classrooms/{room}/lesson")
    assert offered() == ["This"] * 3
    teacher.send(f"/classrooms/{room}/lesson/end")
    assert offered() == ["Last"] * 3


def test_games_of_a_guest_count_for_no_class_when_they_are_moved_to_the_account(
    app: Flask, room: str, browser_of: Callable[[], Browser]
) -> None:
    enrolled(app, room, "ann")
    guest = browser_of()
    lost_to_beginner(guest)
    assert guest.log_in("ann", "correct horse").status_code == 303
    assert guest.send("/account/guest-games", answer="take").status_code == 303
    assert results(app, room)["ann"].alone.total == 0  # whoever plays as a guest is in no class, and bound by none
    assert "Beginner" in guest.get("/history").text


def test_the_totals_of_classrooms_equal_a_recount(app: Flask, room: str) -> None:
    ann, bob = enrolled(app, room, "ann"), enrolled(app, room, "bob")
    begin_lesson(app, room)
    begin_game(ann, bob, *X_WINS)
    begin_game(bob, ann, 4, 0, 8, 2, 1, 7, 6, 3, 5)
    lost_to_beginner(bob)
    url = str(app.config["SQLALCHEMY_DATABASE_URI"])
    assert check(url) == []
    with app.app_context():
        delete_account(account_named("bob"))
    assert check(url) == []
    with app.app_context(), writing() as connection:
        connection.exec_driver_sql("UPDATE classroom_tally SET won = won + 1")
    assert {broken.promise for broken in check(url)} == {"I9"}


def test_who_never_logged_in_was_never_seen(app: Flask) -> None:
    room = Room(app)
    [(name, _)] = room.add("Anna")
    assert "never" in room.browser.get(f"{room.path}/results?sort=seen").text
    assert "Never seen here." in room.browser.get(f"{room.path}/students/{name}").text
    assert csv_of(room.browser, f"{room.path}/results.csv")[0]["last seen"] == ""


def test_the_csv_has_a_row_for_each_of_the_roster_and_numbers_stay_numbers(app: Flask, room: str) -> None:
    teacher = logged_in(app, "teacher7")
    ann = enrolled(app, room, "ann", real_name="=Ann, O'Neil", external_id="0042", email="ann@school", section="7b")
    enrolled(app, room, "bob")
    lost_to_beginner(ann)
    rows = csv_of(teacher, f"/classrooms/{room}/results.csv")
    assert [row["user name"] for row in rows] == ["ann", "bob"]
    seen = [rows[0][heading] for heading in ("name", "id", "beginner lost")]
    assert seen == ["'=Ann, O'Neil", "0042", "1"] and rows[1]["games"] == "0"
    sheet = zipfile.ZipFile(io.BytesIO(teacher.get(f"/classrooms/{room}/results.xlsx").data))
    cells = sheet.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in cells and "=Ann, O'Neil" in sheet.read("xl/sharedStrings.xml").decode()
    assert re.search(r'<c r="F2"><v>1</v>', cells)  # a number, not a text


def test_the_table_shows_students_sorted_and_each_of_them(app: Flask, room: str) -> None:
    teacher = logged_in(app, "teacher7")
    ann, bob = enrolled(app, room, "ann", real_name="Zoe"), enrolled(app, room, "bob", real_name="Abel")
    begin_game(ann, bob, *X_WINS)
    page = teacher.get(f"/classrooms/{room}/results").text
    assert page.index("Abel") < page.index("Zoe")
    page = teacher.get(f"/classrooms/{room}/results?sort=classmates&period=week").text
    assert page.index("Zoe") < page.index("Abel") and "1-0-0" in page
    page = teacher.get(f"/classrooms/{room}/students/bob").text
    assert "Abel" in page and "Mistake at move 2" in page and "/analysis?position=" in page
    assert teacher.get(f"/classrooms/{room}/students/nobody").status_code == 404
    for nonsense in ("?sort=nonsense&period=tomorrow", "?sort=&period=", "?period=lesson"):
        assert teacher.get(f"/classrooms/{room}/results{nonsense}").status_code == 200


def test_one_student_alone_is_read_as_in_the_table_of_all(app: Flask, room: str) -> None:
    ann, bob = enrolled(app, room, "Ann", real_name="Zoe"), enrolled(app, room, "bob")
    begin_game(ann, bob, *X_WINS)
    lost_to_beginner(ann)
    enrolled(app, room, "idle")
    remove(app, room, "bob")
    number = classroom_id(app, room)
    with app.app_context():
        everybody = results_of(number).students
        assert [results_of_student(number, one.name) for one in everybody] == everybody and len(everybody) == 2
        assert results_of_student(number, "aNN") == results_of_student(number, "Ann")
        for name in ("bob", "teacher7", "nobody", "\x00", "x" * 99):
            assert results_of_student(number, name) is None, name


@sqlite_only
def test_the_leaderboard_reads_nothing_of_what_is_practised(app: Flask, room: str) -> None:
    ann = enrolled(app, room, "ann")
    with statements(app) as sent:
        assert ann.get(f"/classrooms/{room}/leaderboard").status_code == 200
    assert sent and not [one for one in sent if "practice_answer" in one]


def test_all_games_of_a_student_are_within_reach_and_public_ones_linked(
    app: Flask, room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{room}/students/ann"
    ann, bob = enrolled(app, room, "ann"), enrolled(app, room, "bob")
    public = begin_game(ann, bob, *X_WINS)
    for _ in range(4):
        lost_to_beginner(ann)
    monkeypatch.setattr(mistakes, "SHOWN", 2)
    shown, pages, address = [], [], path
    while address:
        pages.append(teacher.get(address).text)
        shown.append(pages[-1].count("board-small"))
        older = re.search(r'rel="next" href="([^"]+)"', pages[-1])
        address = older[1] if older else ""
    assert shown == [2, 2, 1] and "Newest games" in pages[-1]
    assert re.findall(r'href="(/games/\w[^"]+)"', "".join(pages)) == [f"{public}/replay"]
    assert teacher.get(f"{public}/replay").status_code == 200
    assert teacher.get(f"{path}?before=%00").status_code == 400


def test_common_mistakes_are_folded_and_carry_no_names(app: Flask, room: str) -> None:
    teacher = logged_in(app, "teacher7")
    ann, bob, eve = (enrolled(app, room, name) for name in ("ann", "bob", "eve"))
    begin_game(ann, bob, 0, 1, 3, 6, 4, 5, 8)  # X in a corner, O on the edge beside it
    begin_game(ann, eve, 2, 5, 1, 0, 4, 3, 6)  # the same, turned
    page = teacher.get(f"/classrooms/{room}/mistakes").text
    assert "2 students" in page and "turned a draw into a loss" in page
    main = page[page.index("<main") :]
    assert not any(name in main for name in ("ann", "bob", "eve"))
    assert "No mistakes yet" in teacher.get(f"/classrooms/{room}/mistakes?period=lesson").text


def test_only_who_made_no_mistake_has_100_percent() -> None:
    told = [Sums(decisions=200, kept=kept).accuracy for kept in (200, 199, 198, 1, 0)]
    assert told == [100, 99, 99, 0, 0] and Sums().accuracy is None


def test_the_leaderboard_ranks_by_points_then_accuracy_then_fewer_moves() -> None:
    def student(name: str, shown: bool = True, **sums: int) -> StudentResults:
        against = {"classmates": Sums(**sums)} if sums else {}
        return StudentResults(1, name, "", "", "", "", shown, now(), against)

    students = [
        student("d", won=1, decisions=2, kept=1, moves=3),
        student("c", won=1, decisions=2, kept=1, moves=3),
        student("b", won=1, decisions=2, kept=2, moves=9),
        student("a", drawn=3),
        student("idle"),
        student("hidden", False, won=9),
        student("e", won=1, decisions=2, kept=1, moves=4),
    ]
    assert [(place, one.name) for place, one in ranked(students)] == [(1, "a"), (2, "b"), (3, "c"), (3, "d"), (5, "e")]


def test_a_student_sees_user_names_only_and_may_leave_the_leaderboard(app: Flask, room: str) -> None:
    ann, bob = enrolled(app, room, "ann", real_name="Real Ann"), enrolled(app, room, "bob", real_name="Real Bob")
    begin_game(ann, bob, *X_WINS)
    address = f"/classrooms/{room}/leaderboard"
    page = bob.get(address).text
    assert ">ann" in page and "Real" not in page
    assert ann.send(address, shown="no").status_code == 303
    assert ">ann" not in bob.get(address).text
    bob.send(address, shown="no")
    empty = bob.get(address).text
    assert "unless they chose not to be shown" in empty and "Nobody has finished" not in empty
    with app.app_context(), writing() as connection:
        connection.execute(update(Classroom).values(has_leaderboard=False))
    assert "turned off" in bob.get(address).text


def test_the_archive_of_a_term_holds_everything(app: Flask, room: str) -> None:
    teacher = logged_in(app, "teacher7")
    ann, bob = enrolled(app, room, "ann", real_name="Änne"), enrolled(app, room, "bob")
    begin_lesson(app, room)
    begin_game(ann, bob, *X_WINS)
    remove(app, room, "bob")
    archive = zipfile.ZipFile(io.BytesIO(teacher.get(f"/classrooms/{room}/everything.zip").data))
    assert set(archive.namelist()) == {"README.txt", "results.csv", "students.csv", "lessons.json", "games.jsonl"}
    games = [json.loads(line) for line in archive.read("games.jsonl").splitlines()]
    assert [(game["user"], game["result"], game["moves"]) for game in games] == [
        ("ann", "won", list(X_WINS)),
        ("bob", "lost", list(X_WINS)),
    ]
    assert games[1]["mistakes_at_moves"] == [2]
    assert "Änne" in archive.read("students.csv").decode("utf-8-sig")
    assert len(json.loads(archive.read("lessons.json"))) == 1


def test_the_archive_tells_each_answer_with_its_question(app: Flask, room: str) -> None:
    teacher, answers = logged_in(app, "teacher7"), {"X........": {"ann": 4, "bob": 1}, "....X....": {"ann": 0}}
    begin_lesson(app, room)
    students = {name: enrolled(app, room, name) for name in ("ann", "bob")}
    for position, cells in answers.items():
        teacher.send(f"/classrooms/{room}/question", position=position, to_move="O")
        question = rows_of(app, "question")[-1]["id"]
        for name, cell in cells.items():
            assert students[name].send(f"/classrooms/{room}/question/{question}/answer", cell=cell).status_code == 303
        teacher.send(f"/classrooms/{room}/question/close")
    archive = zipfile.ZipFile(io.BytesIO(teacher.get(f"/classrooms/{room}/everything.zip").data))
    [lesson] = json.loads(archive.read("lessons.json"))
    told = {one["position"]: {given["user"]: given["cell"] for given in one["answers"]} for one in lesson["questions"]}
    assert told == answers


def test_files_are_named_after_the_class_and_the_day(app: Flask, room: str, set_clock: SetClock) -> None:
    teacher = logged_in(app, "teacher7")
    today = set_clock.moment.date().isoformat()
    for name, begins in (("7b / Höhe: “A”\\", "7b-Hohe-A"), ("李", "classroom")):
        teacher.send(f"/classrooms/{room}/settings", name=name, seat_limit="9")
        for page in ("results.csv", "results.xlsx", "everything.zip"):
            headers = teacher.get(f"/classrooms/{room}/{page}").headers
            assert headers["Content-Disposition"] == f"attachment; filename={begins}-{today}-{page}", page


def test_names_are_taken_off_and_accounts_made_for_the_class_closed(app: Flask, room: str) -> None:
    teacher = logged_in(app, "teacher7")
    made = enrolled(app, room, "made", real_name="Real", email="a@b", made_for_classroom=True)
    own = enrolled(app, room, "own", real_name="Own")
    lost_to_beginner(made)
    page = teacher.get(f"/classrooms/{room}/end-of-term").text
    assert "1 account that was made for this class will be closed" in page
    assert teacher.send(f"/classrooms/{room}/anonymise").status_code == 303
    assert {(row["real_name"], row["email"]) for row in rows_of(app, "enrolment")} == {("", "")}
    assert made.get("/account").status_code == 303 and own.get("/account").status_code == 200
    assert app.test_client().get("/").status_code == 200
    assert results(app, room)["made"]["beginner"].lost == 1


def test_the_end_of_term_says_whose_accounts_are_closed_besides(app: Flask, room: str) -> None:
    teacher = logged_in(app, "teacher7")
    for name in ("made1", "made2"):
        enrolled(app, room, name, made_for_classroom=True)
    path = f"/classrooms/{room}/end-of-term"
    assert "removed students" not in teacher.get(path).text
    with app.app_context():
        number = account_named("made2")
    teacher.send(f"/classrooms/{room}/students/remove", student=number)
    page = teacher.get(path).text
    assert "1 student is in this classroom, 1 was removed from it" in page
    assert page.count("2 accounts that were made for this class, those of removed students too, will be closed") == 2


def test_a_classroom_without_names_says_what_is_kept_and_offers_nothing_that_needs_them(app: Flask, room: str) -> None:
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{room}"
    for name in ("made1", "made2"):
        enrolled(app, room, name, made_for_classroom=True)
    with app.app_context():
        teacher.send(f"{path}/students/remove", student=account_named("made2"))
    offered = ("Add students", "Join code", "New password", "Log-in codes", "Agents for all", "Bring back")
    pages = teacher.get(path).text + teacher.get(f"{path}/students").text
    assert all(words in pages for words in offered)
    teacher.send(f"{path}/anonymise")
    pages = teacher.get(path).text + teacher.get(f"{path}/students").text
    assert "Its results are kept" in pages and "Everything in it is kept" not in pages
    assert not [words for words in offered if words in pages]


def test_a_closed_account_is_opened_by_no_new_password_code_agent_or_school(app: Flask, room: str) -> None:
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{room}"
    enrolled(app, room, "made", made_for_classroom=True)
    robot, identity = make_program(app, "made", "robot7"), Identity("https://school.example", "made")
    with app.app_context():
        number = account_named("made")
        join_to(identity, account_opened(number))
        assert account_of(identity) and robot.ask("GET", "/agent").status_code == 200
    teacher.send(f"{path}/anonymise")
    for _ in ("archived", "brought back"):
        assert teacher.send(f"{path}/students/passwords", only=number).status_code == 403
        assert ">closed<" in teacher.get(f"{path}/students").text
        teacher.send(f"{path}/bring-back")
    assert teacher.send(f"{path}/log-in-codes").status_code == 409
    assert robot.ask("GET", "/agent").status_code == 401
    with app.app_context():
        assert account_of(identity) is None


@postgres_only
@pytest.mark.parametrize("what", ["a page", "the end of a game"])
def test_the_end_of_a_term_and_what_a_student_does_do_not_wait_crosswise(
    app: Flask, room: str, what: str, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    teacher = logged_in(app, "teacher7")
    student = enrolled(app, room, "made", made_for_classroom=True)
    game = student.start(cell=4, level="beginner")
    teacher.csrf_token(), student.csrf_token()
    set_clock.pass_time(minutes=5)  # a page writes down that its session was seen
    halfway = Halfway(app, end_of_term.holdings)
    monkeypatch.setattr(end_of_term, "holdings", halfway)
    done = {"a page": lambda: student.get("/account"), "the end of a game": lambda: student.send(f"{game}/resign")}
    ending = partial(teacher.send, f"/classrooms/{room}/anonymise")
    ended, other = all_at_once([ending, halfway.after(done[what])])
    assert (ended.status_code, other.status_code) == (303, 200 if what == "a page" else 303)
    assert "was not saved" not in caplog.text
    assert student.get("/account").status_code == 303, "closed"
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_who_presses_delete_a_moment_later_is_told_that_it_is_not_there(app: Flask, room: str) -> None:
    number = classroom_id(app, room)
    with app.app_context():
        delete_classroom(number, "Informatics 7b")
        with pytest.raises(NotThere):
            delete_classroom(number, "Informatics 7b")


def test_a_classroom_is_deleted_after_its_name_was_typed(app: Flask, room: str) -> None:
    teacher, ann = logged_in(app, "teacher7"), enrolled(app, room, "ann")
    lost_to_beginner(ann)
    wrong = teacher.send(f"/classrooms/{room}/delete", name="Informatics 7")
    assert wrong.status_code == 400 and "Nothing was deleted" in wrong.text
    assert teacher.send(f"/classrooms/{room}/delete", name=" Informatics  7b ").status_code == 303
    tables = ("classroom", "enrolment", "counted_game", "classroom_tally", "lesson")
    assert [rows_of(app, table) for table in tables] == [[]] * len(tables)
    assert len(rows_of(app, "game")) == 1 and ann.get("/history").status_code == 200


def test_who_may_see_what(app: Flask, room: str) -> None:
    make_classroom(app, "other-teacher", "Other")
    people = {
        "student": enrolled(app, room, "ann"),
        "assistant": enrolled(app, room, "helper", Role.ASSISTANT),
        "instructor": logged_in(app, "teacher7"),
        "other": logged_in(app, "other-teacher"),
    }
    answers = {
        page: [browser.get(f"/classrooms/{room}/{page}").status_code for browser in people.values()]
        for page in ("leaderboard", *FOR_STAFF, *FOR_INSTRUCTORS)
    }
    assert answers == {
        "leaderboard": [200, 200, 200, 404],
        **{page: [404, 200, 200, 404] for page in FOR_STAFF},
        **{page: [404, 404, 200, 404] for page in FOR_INSTRUCTORS},
    }
    for post in ("anonymise", "delete"):
        for who in ("student", "assistant", "other"):
            assert people[who].send(f"/classrooms/{room}/{post}", name="Informatics 7b").status_code == 404, (post, who)


@sqlite_only
def test_the_pages_cost_the_same_whatever_the_class_has_played(app: Flask, room: str) -> None:
    teacher = logged_in(app, "teacher7")
    costs = []
    for number in range(2):
        ann, bob = enrolled(app, room, f"ann{number}"), enrolled(app, room, f"bob{number}")
        for _ in range(1 + 2 * number):
            begin_game(ann, bob, *X_WINS)
        with statements(app) as sent:
            for page in ("results", "results.csv", "mistakes", "leaderboard", "students/ann0"):
                assert teacher.get(f"/classrooms/{room}/{page}").status_code == 200
        costs.append(len(sent))
    assert costs[0] == costs[1] <= 40, costs




def test_answers_to_what_the_class_was_asked_stand_in_the_results(app: Flask, room: str, set_clock: SetClock) -> None:
    teacher, path = logged_in(app, "teacher7"), f"/classrooms/{room}"
    ann = enrolled(app, room, "ann")
    enrolled(app, room, "bob")

    def ask(position: str, to_move: str, cell: int) -> None:
        seen = re.findall(r'name="seen" value="(\d+)"', teacher.get(f"{path}/question").text)
        assert teacher.send(f"{path}/question", position=position, to_move=to_move, seen=seen).status_code == 303
        form = re.search(r'action="([^"]+/answer)"', ann.get(path).text)
        assert form and ann.send(form[1], cell=cell).status_code == 303

    assert "Asked" not in teacher.get(f"{path}/results").text
    ask("X...O...X", "O", 2)  # a corner loses
    set_clock.pass_time(days=8)
    ask("X...O...X", "O", 1)
    ask("X.O.X...O", "X", 7)  # only the right edge holds the draw
    told = {period: results(app, room, period)["ann"].answers for period in Period}
    assert told == {Period.ALL: (3, 1), Period.WEEK: (2, 1), Period.LESSON: (2, 1)}
    assert results(app, room)["bob"].answers == (0, 0)
    page = teacher.get(f"{path}/results").text
    assert "3 questions in this time" in page and "2 questions" in teacher.get(f"{path}/results?period=week").text
    assert "Asked in class: 1 of 3 answers right." in teacher.get(f"{path}/students/ann").text
    rows = {row["user name"]: row["class questions answered"] for row in csv_of(teacher, f"{path}/results.csv")}
    assert rows == {"ann": "3", "bob": "0"}
    assert teacher.get(f"{path}/results?sort=answers").status_code == 200
