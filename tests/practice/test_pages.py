"""Practice with scripts off: ask, answer, try again, show; what is kept, for whom, and how often it counts."""

import json
import re
from collections.abc import Callable
from html import unescape
from urllib.parse import urlencode

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from tests.conftest import Browser, MakeApp
from tests.factories import PASSWORD, finished_game, make_user
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from webapp.database import writing
from webapp.operations.invariants import check
from webapp.practice import services
from webapp.practice.models import PracticeAnswer
from webapp.practice.queries import Counts, counts_of
from webapp.privacy.services import delete_account

BLOCK = "/practice?kind=move&position=XX..O....&to_move=O"  # O must play the top right
VALUE = "/practice?kind=value&position=.OXXOXOX.&to_move=O&search=minimax&visit=0"
CUT = "/practice?kind=cut&position=..OXOO..X&to_move=X&search=alpha-beta&visit=10&grade=easy"
RIGHT = {BLOCK: {"cell": "2"}, VALUE: {"value": "0"}, CUT: {"cut": "7"}}
WRONG = {BLOCK: {"cell": "3"}, VALUE: {"value": "-1"}, CUT: {"cut": "none"}}


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def headline(answer: TestResponse) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", answer.text, re.S)
    assert found
    return text_of(found[1])


def kept(app: Flask) -> list[tuple[object, ...]]:
    return [(row["tries"], row["answer"], bool(row["is_right"])) for row in rows_of(app, "practice_answer")]


def broken(app: Flask) -> list[object]:
    return list(check(str(app.config["SQLALCHEMY_DATABASE_URI"])))


def test_every_kind_at_every_grade_leads_to_a_question_that_its_address_holds(
    app: Flask, client: Browser, browser_of: Callable[[], Browser]
) -> None:
    page = client.get("/practice").text
    wishes = [unescape(link) for link in re.findall(r'href="(/practice\?kind=\w+&amp;grade=\w+)"', page)]
    assert len(wishes) == 9
    for wish in wishes:
        question = client.get(wish)
        assert question.status_code == 303
        first, second = client.get(question.location), browser_of().get(question.location)
        assert headline(first) == headline(second) and "Show the answer" in first.text, wish
        assert re.search(r'aria-current="true">(\w+)<', first.text)[1].lower() in wish  # type: ignore[index]
    assert rows_of(app, "user") == [], "who only looks becomes no guest"


def test_no_answer_is_in_the_page_before_it_is_given(client: Browser) -> None:
    """What an answered page shows, the open one does not."""
    marks = {
        BLOCK: ("worth-", "keeps the draw", "When both play their best"),
        VALUE: ("comes back.", "MAX takes the largest of", "analysis/tree"),
        CUT: ("Never visited", "never visited<", "comes back with", "analysis/tree"),
    }
    for question, shown in marks.items():
        before = client.get(question).text
        assert not [mark for mark in shown if mark in before], question
        client.send(question, tries=0, show="yes")
        after = client.get(question).text
        assert [mark for mark in shown if mark in after] == list(shown), question


def test_a_right_answer_counts_at_the_first_try_and_is_explained(app: Flask, client: Browser) -> None:
    explained = {
        BLOCK: "Top right blocks X in the top row.",
        VALUE: "MAX takes the largest of ",
        CUT: "Value -1 <= alpha -1: X would never let it come to this.",
    }
    for number, question in enumerate(RIGHT, start=1):
        assert client.send(question, tries=0, **RIGHT[question]).location == question
        page = client.get(question)
        assert headline(page) == "Right at the first try", question
        assert explained[question] in text_of(page.text), question
        assert f"Right at the first try: {number} of {number}" in text_of(page.text)
    assert "3 in a row" in page.text
    assert [row[0::2] for row in kept(app)] == [(1, True)] * 3
    assert len(rows_of(app, "user")) == 1, "a guest was made once"


def test_an_answer_pressed_twice_at_once_makes_one_guest(app: Flask, browser_of: Callable[[], Browser]) -> None:
    presses = [browser_of(), browser_of()]
    fields = {"csrf_token": presses[0].csrf_token(BLOCK), "tries": 0, "cell": 2}
    cookie = presses[0].get_cookie("noughts")
    presses[1].set_cookie("noughts", cookie.value if cookie else "")
    all_at_once([lambda press=press: press.post(BLOCK, data=fields) for press in presses])
    assert len(rows_of(app, "user")) == len(rows_of(app, "practice_answer")) == 1
    assert [headline(press.get(BLOCK)) for press in presses] == ["Right at the first try"] * 2
    assert broken(app) == []


def test_after_a_wrong_answer_one_tries_again_and_right_is_then_no_first_try(app: Flask, client: Browser) -> None:
    hints = {
        BLOCK: "Middle left turns a draw into a loss. It leaves a threat open",
        VALUE: "MAX takes the largest value of its children",
        CUT: "Cut as soon as a child is <= -1.",
    }
    for question in WRONG:
        client.send(question, tries=0, **WRONG[question])
        page = client.get(question)
        assert headline(page) == "Not yet" and hints[question] in text_of(page.text), question
        client.send(question, tries=1, **RIGHT[question])
        assert headline(client.get(question)) == "Right", question
    assert "Right at the first try: 0 of 3" in text_of(client.get("/practice").text)
    assert [row[0::2] for row in kept(app)] == [(2, True)] * 3


def test_a_wrong_move_is_answered_by_the_line_that_refutes_it(client: Browser) -> None:
    client.send(BLOCK, tries=0, cell="3")
    assert "How X answers O middle left X top right, wins" in text_of(client.get(BLOCK).text)


def test_an_answer_that_was_shown_is_no_right_one_but_can_be_found_again(app: Flask, client: Browser) -> None:
    client.send(BLOCK, tries=0, show="yes")
    page = client.get(BLOCK)
    assert headline(page) == "The answer" and "The top right keeps the draw." in text_of(page.text)
    assert kept(app) == [(1, "show", False)]
    again = client.get(f"{BLOCK}&again=yes").text
    assert 'name="tries" value="1"' in again and "keeps the draw" not in again
    client.send(BLOCK, tries=1, cell="2")
    assert kept(app) == [(2, "2", True)]


def test_what_was_solved_stays_solved(app: Flask, client: Browser) -> None:
    client.send(BLOCK, tries=0, cell="2")
    for tries in (0, 1, 2):
        client.send(BLOCK, tries=tries, cell="3")
        client.send(BLOCK, tries=tries, show="yes")
    assert kept(app) == [(1, "2", True)]


def test_several_presses_at_once_count_once(app: Flask, client: Browser) -> None:
    client.sign_up()
    token = client.csrf_token()

    def press(cell: str, tries: int) -> Callable[[], int]:
        def post() -> int:
            browser = app.test_client()
            browser.set_cookie("noughts", client.get_cookie("noughts").value)  # type: ignore[union-attr]
            return browser.post(BLOCK, data={"csrf_token": token, "cell": cell, "tries": str(tries)}).status_code

        return post

    assert all_at_once([press("3", 0)] * 5) == [303] * 5
    assert kept(app) == [(1, "3", False)]
    all_at_once([press(cell, 1) for cell in "35678"])
    assert [row[0] for row in kept(app)] == [2]


def test_who_signs_up_keeps_the_answers_and_who_logs_in_takes_them_along_with_the_games(
    app: Flask, client: Browser, browser_of: Callable[[], Browser]
) -> None:
    client.send(BLOCK, tries=0, cell="2")
    client.sign_up()
    assert headline(client.get(BLOCK)) == "Right at the first try"
    guest = browser_of()
    guest.send(BLOCK, tries=0, cell="3")
    guest.send(VALUE, tries=0, value="0")
    finished_game(guest)
    guest.log_in(password=PASSWORD)
    assert "1 finished game and 2 answers in practice" in text_of(guest.get("/account/guest-games").text)
    guest.send("/account/guest-games", answer="take")
    assert headline(guest.get(BLOCK)) == "Right at the first try", "what the account has answered stays"
    assert headline(guest.get(VALUE)) == "Right at the first try"
    assert len(kept(app)) == 2 and broken(app) == []


def test_who_only_practised_as_a_guest_is_offered_the_answers(app: Flask, client: Browser) -> None:
    make_user(app)
    client.send(BLOCK, tries=0, cell="2")
    assert client.log_in().location == "/account/guest-games"
    page = text_of(client.get("/account/guest-games").text)
    assert "you were a guest in this browser: 1 answer in practice." in page and "Move these answers" in page
    client.send("/account/guest-games", answer="take")
    assert headline(client.get(BLOCK)) == "Right at the first try"
    assert len(rows_of(app, "user")) == 1 and broken(app) == []


def test_the_answers_are_exported_and_deleted_with_the_account(app: Flask, client: Browser) -> None:
    client.sign_up()
    client.send(CUT, tries=0, cut="7")
    (told,) = json.loads(client.get("/account/export").text)["practice"]
    assert told.pop("answered_at")
    assert told == {
        "kind": "cut", "grade": "easy", "question": "..OXOO..X X alpha-beta 10 easy",
        "answer": "7", "is_right": True, "tries": 1,
    }  # fmt: skip
    with app.app_context():
        delete_account(rows_of(app, "user")[0]["id"])
    assert kept(app) == []


def test_the_oldest_answers_make_room(app: Flask, client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "KEPT", 3)
    client.sign_up()
    for cell in range(6):
        text = "." * cell + "X" + "." * (8 - cell)
        client.send(f"/practice?position={text}", tries=0, show="yes")
    left = [row["question"] for row in rows_of(app, "practice_answer")]
    assert sorted(left) == [".....X... O", "....X.... O", "...X..... O"]


def test_the_classroom_is_told_the_counts_of_a_list_of_people(app: Flask, client: Browser) -> None:
    ann = make_user(app, "ann")
    client.send(BLOCK, tries=0, cell="2")
    client.send(VALUE, tries=0, value="-1")
    client.send(VALUE, tries=1, value="0")
    client.send(CUT, tries=0, show="yes")
    guest = next(row["id"] for row in rows_of(app, "user") if row["name"] is None)
    with app.app_context():
        assert counts_of([ann, guest]) == {ann: Counts(), guest: Counts(3, 2, 1, 0)}
        assert counts_of([]) == {}


def test_an_instructor_can_ask_about_any_position(client: Browser) -> None:
    assert headline(client.get("/practice?position=X...O...X&to_move=O")) == "Find the best move for O"
    client.send("/practice?position=.........", tries=0, cell="0")
    page = text_of(client.get("/practice?position=.........").text)
    assert "Here every move leads to a draw when both play well." in page


def test_where_guests_may_not_play_they_may_not_practise(make_app: MakeApp) -> None:
    browser = make_app(NOUGHTS_GUESTS=False).test_client()
    assert isinstance(browser, Browser)
    assert browser.get(BLOCK).status_code == 200
    assert browser.send(BLOCK, tries=0, cell="2").location == "/sign-up?next=practice.show"


def test_what_cannot_be_asked_is_refused_with_a_sentence(client: Browser) -> None:
    for query, sentence in {
        "kind=chess": "There is no such kind of question.",
        "kind=move&grade=9": "A question is easy, medium or hard.",
        "kind=move&kind=cut": "The address gives kind 2 times.",
        "position=XX.......": "X and O move in turn",
        "position=XXXOO....": "The game is over in this position",
        "kind=value&position=.OXXOXOX.&search=forced&visit=0": "These questions are about minimax and alpha-beta.",
        "kind=value&position=.........&search=minimax&visit=0": "There is no such question about this position.",
        "kind=cut&position=..OXOO..X&search=alpha-beta&visit=999": "There is no such question about this position.",
        "kind=cut&position=..OXOO..X&search=alpha-beta&visit=x": "There is no such question about this position.",
        "kind=cut&position=..OXOO..X&search=minimax&visit=10": "There is no such question about this position.",
    }.items():
        answer = client.get(f"/practice?{query}")
        assert answer.status_code == 400 and sentence in text_of(answer.text), query
        assert "Which move is best here?" in answer.text, query


def test_an_answer_that_no_page_sends_is_refused(app: Flask, client: Browser) -> None:
    for question, fields in (
        (BLOCK, {"cell": "1"}), (BLOCK, {"cell": "-1"}), (BLOCK, {"cell": ["2", "3"]}), (VALUE, {"value": "2"}),
        (CUT, {"cut": "5"}), (CUT, {"cut": ["7", "0"]}), (CUT, {"cut": "0-"}), ("/practice", {"cell": "2"}),
        ("/practice?kind=move", {"cell": "2"}),
    ):  # fmt: skip
        assert client.send(question, tries=0, **fields).status_code == 400, (question, fields)
    for tries in ("", "-1", "x", "10000", "9" * 30):
        assert client.send(BLOCK, tries=tries, cell="2").status_code == 400, tries
    assert kept(app) == []


def test_no_answer_is_no_try_and_leaves_no_session_of_a_visitor(app: Flask, client: Browser) -> None:
    for question, fields, sentence in (
        (BLOCK, {}, "You have not chosen an answer yet."), (VALUE, {}, "You have not chosen an answer yet."),
        (CUT, {"cut": ["7", "none"]}, "Choose one or the other."),
    ):  # fmt: skip
        page = client.send(question, tries=0, **fields)
        assert page.status_code == 400 and sentence in page.text and 'name="tries" value="0"' in page.text, question
        assert re.findall(r'value="(\w+)" checked', page.text) == fields.get("cut", []), question
    assert kept(app) == rows_of(app, "session") == []


WORDS = st.one_of(
    st.sampled_from(["move", "value", "cut", "mistake", "easy", "hard", "minimax", "alpha-beta", "X", "O", "0", "10",
                     "..OXOO..X", "XX..O....", ".OXXOXOX.", "none", "yes", "7", "2"]),
    st.text(max_size=12),
)  # fmt: skip
NAMES = st.sampled_from(["kind", "grade", "position", "to_move", "search", "visit", "again", "game", "ply", "after"])
FIELDS = st.sampled_from(["cell", "value", "cut", "show", "tries"])


@given(st.lists(st.tuples(NAMES, WORDS), max_size=6), st.lists(st.tuples(FIELDS, WORDS), max_size=4))
def test_no_address_and_no_form_breaks_it(
    client: Browser, query: list[tuple[str, str]], form: list[tuple[str, str]]
) -> None:
    address = f"/practice?{urlencode(query, errors='surrogatepass')}"
    fields: dict[str, list[str]] = {}
    for name, value in form:
        fields.setdefault(name, []).append(value)
    for answer in (client.get(address), client.send(address, **fields)):
        assert answer.status_code in (200, 303, 400, 404), address
        if answer.status_code == 400:
            assert re.search(r'(role="alert"|<p)>[A-Z“].{20,}\.<', answer.text), address


def test_check_database_sees_an_answer_that_is_judged_wrongly(app: Flask, client: Browser) -> None:
    client.send(BLOCK, tries=0, cell="3")
    assert broken(app) == []
    for values in ({"is_right": True}, {"question": "no question"}):
        with app.app_context(), writing() as connection:
            connection.execute(PracticeAnswer.__table__.update().values(values))  # type: ignore[attr-defined]
        assert [one.promise for one in broken(app)] == ["I32"], values  # type: ignore[attr-defined]
