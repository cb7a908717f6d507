"""The page of one's own file: what stands on it, what its worker gets and with which policy, what a student keeps."""

import json
import re

import pytest
from flask import Flask

from tests.conftest import Browser, MakeApp, sqlite_only
from tests.factories import enrolled, logged_in, make_classroom
from webapp.browser_python import FILES, VERSION, folder_in
from webapp.extensions import SETTINGS
from webapp.labs.checker.labs import LABS
from webapp.labs.checker.mistakes import MISTAKES
from webapp.trials.queries import checks_of
from webapp.trials.runtime import own_version


def lay_out(app: Flask) -> None:
    """In place of thirteen megabytes: what is sent is what lies there."""
    folder = folder_in(app.extensions[SETTINGS].instance)
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (folder / name).write_text(f"{name}, whole")
        (folder / f"{name}.gz").write_text(f"{name}, zipped")


@pytest.fixture
def ready(app: Flask) -> Flask:
    lay_out(app)
    return app


@sqlite_only
def test_it_is_one_of_the_labs(client: Browser) -> None:
    assert re.findall(r'aria-current="true">(\w+)</a>', client.get("/labs/try").text) == ["Labs"]


@sqlite_only
def test_without_python_for_it_the_page_says_what_students_and_the_host_can_do(make_app: MakeApp) -> None:
    page = make_app().test_client().get("/labs/try").text
    assert "python3 labs.pyz play tictactoe tictactoe.py" in page and "python3 run.py add-browser-python" in page
    assert "js/try.js" not in page and "data-worker" not in page


@sqlite_only
def test_the_page_names_every_part_with_its_size(ready: Flask, client: Browser) -> None:
    page = client.get("/labs/try?lab=agent").text
    assert re.search(r'value="agent" checked', page) and "This page needs scripts" in page
    parts = json.loads(re.search(r'data-parts="([^"]+)"', page)[1].replace("&#34;", '"'))  # type: ignore[index]
    for address, size, on_wire in parts:
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert (answer.status_code, len(answer.data)) == (200, on_wire), address
        assert len(client.get(address).data) == size, address
    assert len(parts) == len(FILES) + 2


TYPES = {"mjs": "text/javascript", "wasm": "application/wasm", "zip": "application/zip", "json": "application/json"}


@sqlite_only
def test_each_part_has_its_type_is_kept_for_ever_and_ends_at_its_folder(ready: Flask, client: Browser) -> None:
    own = [f"/labs/python/{own_version()}/{name}" for name in ("worker.mjs", "checker.zip")]
    for path in [*own, *(f"/labs/python/{VERSION}/{name}" for name in FILES)]:
        answer = client.get(path)
        assert answer.content_type.split(";")[0] == TYPES[path.rsplit(".")[-1]], path
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in answer.headers and "Cookie" not in answer.headers.get("Vary", ""), path
        policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
        assert policy["connect-src"] == "http://localhost/labs/python/"
        assert policy["script-src"] == "http://localhost/labs/python/ 'wasm-unsafe-eval'"
        assert policy["default-src"] == policy["worker-src"] == "'none'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    for page in ("/labs/try", "/labs", "/"):
        assert "wasm-unsafe-eval" not in client.get(page).headers["Content-Security-Policy"], page


@sqlite_only
def test_the_policy_follows_the_host_and_the_path_by_which_one_came(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_PREFIX="/noughts", NOUGHTS_PROXIES=1)
    lay_out(app)
    sent = {"Host": "inside", "X-Forwarded-Host": "school.example:8443", "X-Forwarded-Proto": "https"}
    path = f"/noughts/labs/python/{own_version()}/worker.mjs"
    policy = app.test_client().get(path, headers=sent).headers["Content-Security-Policy"]
    assert "connect-src https://school.example:8443/noughts/labs/python/;" in policy
    forged = app.test_client().get(path, headers=sent | {"X-Forwarded-Host": "evil.example; connect-src *"})
    assert forged.status_code == 400


@sqlite_only
def test_nothing_else_is_given_out_from_there(ready: Flask, client: Browser) -> None:
    for name in ("secret_key", "..", "../secret_key", "%2e%2e/secret_key", "pyodide.mjs.gz", "noughts.db"):
        assert client.get(f"/labs/python/{VERSION}/{name}").status_code == 404, name
    assert client.get("/labs/python/0.1/pyodide.mjs").status_code == 404
    assert client.get("/static/js/worker.mjs").status_code == 404, "there it would come with the policy of a page"


TESTS = len(LABS["tictactoe"].tests) + 2


def test_a_student_keeps_a_result_as_a_claim_and_a_newer_one_takes_its_place(app: Flask, client: Browser) -> None:
    client.sign_up()
    wrong = {"lab": "tictactoe", "passed": TESTS - 1, "wrong": "minimax", "mistake": "swapped"}
    assert client.send("/labs/try/keep", **wrong).location == "/labs/try?lab=tictactoe#kept"
    page, name = client.get("/labs/try").text, MISTAKES["swapped"].name
    assert f"{TESTS - 1} of {TESTS} tests passed; the first wrong one is minimax ({name})." in page
    assert "Checked by myself, in the browser" in page
    client.send("/labs/try/keep", lab="tictactoe", passed=TESTS, wrong="", mistake="")
    client.send("/labs/try/keep", lab="agent", passed=0, wrong="the file", mistake="")
    with app.app_context():
        [kept] = checks_of(range(100)).values()
    assert [(one.lab, one.passed, one.is_right) for one in kept] == [("agent", 0, False), ("tictactoe", TESTS, True)]
    assert json.loads(client.get("/account/export").text)["self_checks"][0]["lab"] in ("agent", "tictactoe")


def test_what_no_check_could_have_said_is_refused(app: Flask, client: Browser) -> None:
    client.sign_up()
    right = {"lab": "tictactoe", "passed": str(TESTS), "wrong": "", "mistake": ""}
    for change in (
        {"lab": "chess"}, {"passed": "-1"}, {"passed": "1.5"}, {"passed": ""}, {"passed": str(TESTS + 1)},
        {"passed": "3"}, {"passed": "٣"}, {"wrong": "minimax"}, {"passed": "3", "wrong": "everything"},
        {"mistake": "<b>"},
    ):  # fmt: skip
        assert client.send("/labs/try/keep", **right | change).status_code == 400, change
    with app.app_context():
        assert checks_of([1, 2, 3]) == {}


def test_what_was_kept_goes_with_the_account(app: Flask, client: Browser) -> None:
    client.sign_up()
    client.send("/labs/try/keep", lab="tictactoe", passed=TESTS, wrong="", mistake="")
    assert client.send("/account/delete", password="correct horse").status_code == 303
    with app.app_context():
        assert checks_of(range(100)) == {}


def test_a_guest_is_asked_to_sign_up_first(client: Browser) -> None:
    client.start(cell=0)
    assert client.send("/labs/try/keep", lab="agent", passed=0, wrong="the file").location.startswith("/sign-up")




def test_an_instructor_sees_it_as_the_students_own_word(app: Flask) -> None:
    room = make_classroom(app)
    student = enrolled(app, room, "ann")
    student.send("/labs/try/keep", lab="agent", passed=0, wrong="the file", mistake="")
    page = logged_in(app, "teacher7").get(f"/classrooms/{room}/students/ann").text
    assert "Checked by myself, in the browser" in page and "the student’s own word" in page
