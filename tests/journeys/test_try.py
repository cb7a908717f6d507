"""A student's own file in a real browser on the real runtime: played with, checked, stopped, and kept from the site."""

import re
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserType, Page, Request, expect

from tests.conftest import Sampled
from tests.journeys.looking import faults_of
from tests.journeys.pages import log_in, sign_up
from tests.labs.test_known_mistakes import WRONG, changed
from tests.labs.test_right_files import RIGHT as RIGHT_FILES
from tests.live_server import LiveServer
from webapp.browser_python import FOLDER, folder_in, is_there
from webapp.config import ROOT
from webapp.labs.starters import model_text

STARTS = 240_000  # milliseconds for Python to start, on a machine that is busy with other tests
MARKER = "a-line-that-must-stay-here"
# Right and quick: each position is searched once.
RIGHT = (
    model_text("tictactoe")
    .replace("def minimax(", f"# {MARKER}\nSEEN = {{}}\n\n\ndef minimax(")
    .replace("    return search(board, -math.inf, math.inf)[1]", "    return search(board)[1]")
    .replace("(board: Board, alpha: float, beta: float)", "(board: Board)")
    .replace("(result(board, action), alpha, beta)", "(result(board, action))")
    .replace("        alpha = max(alpha, best)\n        if alpha >= beta:\n            break\n", "")
    .replace("        beta = min(beta, best)\n        if alpha >= beta:\n            break\n", "")
    .replace("    if terminal(board)", "    if (key := str(board)) in SEEN: return SEEN[key]\n    if terminal(board)")
    .replace("    return best, best_action", "    SEEN[key] = best, best_action\n    return best, best_action")
)  # fmt: skip


@pytest.fixture(params=[True])
def scripts(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def site(server: LiveServer) -> str:
    """The journeys' server, with Python for the browser lent to it."""
    if not is_there(ROOT / "instance"):
        pytest.skip("Python for the browser is not there")
    if not is_there(server.instance):
        shutil.copytree(folder_in(ROOT / "instance"), server.instance / FOLDER / folder_in(ROOT).name)
    return server.url


def write(page: Page, text: str) -> None:
    page.locator("#code").fill(text)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def part(page: Page, name: str) -> Any:
    return page.locator(f"[data-part={name}]")


def log_out(page: Page) -> None:
    page.goto("/")
    press(page, "Log out")
    expect(page.get_by_text("You are logged out.")).to_be_visible()


@pytest.mark.long
def test_a_right_file_plays_and_passes_and_stays_in_the_browser(page: Page, site: str, tmp_path: Path) -> None:
    asked: list[Request] = []
    page.context.on("request", lambda request: asked.append(request))
    page.goto("/sign-up")
    page.get_by_label("Name").fill("tryer")
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.goto("/labs/try")
    assert faults_of(page) == []
    file = tmp_path / "tictactoe.py"
    file.write_text("from helper import *\n" + RIGHT, encoding="utf-8")
    (tmp_path / "helper.py").write_text("import math", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no")
    page.locator("#files").set_input_files([tmp_path / "notes.txt", tmp_path / "helper.py", file])
    expect(part(page, "files")).to_have_text("Your file is tictactoe.py, with helper.py beside it.")
    expect(part(page, "file-trouble")).to_contain_text("Not taken: notes.txt.")
    expect(page.locator("#files")).to_have_value("")  # so that the same file can be chosen again, with its changes

    press(page, "Play")
    expect(part(page, "headline")).to_have_text("Your turn", timeout=STARTS)
    for cell in ("top left", "top centre", "middle left"):  # the worst that one can do
        expect(part(page, "headline")).to_have_text("Your turn")
        press(page, f"{cell}, free")
    expect(part(page, "headline")).to_have_text("tictactoe.py wins")
    expect(part(page, "sentence")).to_contain_text("tictactoe.py played bottom left, (2, 0), in ")

    press(page, "Compare")
    press(page, "Compare here")
    press(page, "Compare here")  # begun anew: what it was before says nothing more
    expect(part(page, "rows").locator("tr")).to_have_count(10, timeout=STARTS)
    expect(part(page, "rows").locator("tr").first).to_contain_text("your minimax")

    press(page, "Check")
    expect(part(page, "check-words")).to_have_text("All 14 tests passed.", timeout=STARTS)
    press(page, "Keep this result")
    expect(page.locator("#kept")).to_contain_text("14 of 14 tests passed. Checked by myself, in the browser")

    sent = [request for request in asked if request.method != "GET"]
    assert [request.url.removeprefix(site) for request in sent] == ["/sign-up", "/labs/try/keep"]
    assert not any(MARKER in request.url + (request.post_data or "") for request in asked)
    assert all(request.url.startswith((site, "data:")) for request in asked)


RUN_CHECK = """async ([address, lab, bytes, only]) => {
    const { Pythons } = await import("/static/js/python.js");
    self.pythons ??= new Pythons(address);
    const [found, accidents, files] = [{}, {}, [[`my_${lab}.py`, new Uint8Array(bytes)]]];
    const nameOf = (finding) => (finding ? finding.mistake ?? "" : null);
    const hear = (one) => { if (one.kind === "result") found[one.name] ??= nameOf(one.finding); };
    for (;;) {
        const python = await self.pythons.take();
        try {
            await python.run({ task: "check", lab, main: files[0][0], only, accidents }, files, hear);
            return found;
        } catch (accident) {
            (accidents[accident.test] ??= {})[accident.number] = accident.trouble;
        }
    }
}"""


def named(page: Page, lab: str, content: bytes, *only: str) -> dict[str, str | None]:
    """Each test with the name of its mistake, or None if it passed."""
    worker = page.locator("#try").get_attribute("data-worker")
    return dict(page.evaluate(RUN_CHECK, [worker, lab, list(content), list(only)]))


ENDS = {
    "import os\n    os._exit(0)": "ends-the-program",
    "import sys\n    sys.exit(0)": "ends-the-program",
    "quit()": "ends-the-program",
    "hoard = []\n    while True:\n        hoard.append(bytearray(10**8))": "eats-memory",
    "return player(board)": "calls-itself-for-ever",
}


def test_files_get_the_same_verdict_and_name_as_in_the_terminal(page: Page, site: str, sampled: Sampled) -> None:
    """What the terminal says to each of them, tests/labs shows."""
    page.goto("/labs/try")
    for lab, test, mistake, changes in sampled(WRONG):
        assert named(page, lab, changed(lab, changes).encode(), test)[test] == mistake, (lab, test, changes)
    for lab, tests, _, changes in sampled([*RIGHT_FILES[1:], RIGHT_FILES[0]]):  # the first takes longest
        found = named(page, lab, changed(lab, changes).encode(), *tests.split("; "))
        assert set(found.values()) == {None}, (lab, changes, found)
    for body, mistake in sampled(list(ENDS.items())):
        text = f"def player(board):\n    {body}\n\n\ndef winner(board):\n    return 'X'\n"
        assert named(page, "tictactoe", text.encode(), "player")["player"] == mistake, body
    assert named(page, "tictactoe", "# Müller".encode("latin-1"), "player")["the file"] == "not-utf-8"


TRIES_ALL = """\
import js
def asked(method, address, body):
    request = js.XMLHttpRequest.new()
    request.open(method, address, False)
    request.send(body)
    return request.responseText[:60]

ATTEMPTS = {attempts}
def minimax(board):
    refused, came = 0, []
    for name, attempt in ATTEMPTS.items():
        try:
            came.append((name, str(attempt())))
        except Exception:
            refused += 1
    raise ValueError(f"{{refused}} were refused, and these came: {{came}}")
"""


class Ear:
    """Another host: it hears whether anybody comes."""

    def __init__(self) -> None:
        self.socket, self.heard = socket.create_server(("127.0.0.1", 0)), 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        while True:
            try:
                self.socket.accept()[0].close()
            except OSError:
                return
            self.heard += 1


@pytest.fixture
def ear() -> Iterator[Ear]:
    ear = Ear()
    yield ear
    ear.socket.close()


def attempts(site: str, elsewhere: str) -> dict[str, str]:
    """What a hostile file may try, as expressions; to start a Python for each would take a minute."""
    play = "opponent=computer&level=perfect&cell=4"
    return {
        "reads the account": f"asked('GET', '{site}/account', '')",
        "reads it by a way around": f"asked('GET', '{site}/labs/python/../../account', '')",
        "posts a move": f"asked('POST', '{site}/games', {play!r})",
        "reaches another host": f"asked('GET', {elsewhere!r}, '')",
        "changes the page": "js.document.title",
        "keeps something in the cache": "js.caches.open('pages')",
        "keeps something in a database": "js.indexedDB.open('pages')",
        "speaks to other pages": "js.BroadcastChannel.new('noughts')",
        "opens a socket": f"js.WebSocket.new({elsewhere.replace('http', 'ws')!r})",
        "starts a worker of its own": f"js.Worker.new('{site}/static/js/try.js')",
        "runs a text as script": "js.eval('1 + 1')",
        "makes a function": "js.Function.new('return 1')()",
        "keeps files": "js.navigator.storage.getDirectory()",
    }


LOOPS = "def initial_state(): return [[None] * 3 for _ in range(3)]\ndef player(board):\n    while True: pass\n"
STILL_BUSY = "def winner(board):\n    while True: pass\n"  # so that the check is under way when it is stopped


@pytest.mark.long
def test_a_file_that_loops_is_stopped_and_a_hostile_one_reaches_nothing(
    page: Page, site: str, server: LiveServer, ear: Ear
) -> None:
    page.goto("/labs/try")
    see_loops_stopped(page)
    elsewhere = f"http://127.0.0.1:{ear.socket.getsockname()[1]}/"
    press(page, "Play")
    expect(part(page, "headline")).to_have_text("tictactoe.py gave no move", timeout=STARTS)
    before, tried = server.log.read_text(), attempts(site, elsewhere)
    listed = ", ".join(f"{name!r}: lambda: {attempt}" for name, attempt in {"can": "1", **tried}.items())
    write(page, TRIES_ALL.format(attempts="{" + listed + "}"))
    press(page, "New game as O")
    expect(part(page, "sentence")).to_contain_text(
        f"{len(tried)} were refused, and these came: [('can', '1')]", timeout=STARTS
    )
    expect(part(page, "headline")).to_have_text("tictactoe.py gave no move")
    assert "/account" not in server.log.read_text().removeprefix(before)
    assert "POST" not in server.log.read_text().removeprefix(before)
    assert ear.heard == 0
    assert page.title() == "Try your file · Noughts"


def see_loops_stopped(page: Page) -> None:
    """By hand in a game, by its limit in a check; the next run works."""
    write(page, LOOPS.replace("player", "minimax"))
    press(page, "Play")
    expect(part(page, "headline")).to_have_text("Your turn", timeout=STARTS)
    press(page, "New game as O")
    press(page, "Stop it")
    expect(part(page, "headline")).to_have_text("You stopped it")
    write(page, LOOPS + STILL_BUSY)
    press(page, "Check")
    press(page, "Check")  # begun anew: it can still be stopped
    wrong = page.get_by_role("listitem").filter(has_text="player: knows whose turn it is")
    expect(wrong).to_contain_text("A known mistake: It does not come to an end.", timeout=STARTS)
    link = wrong.get_by_role("link", name="Analyse this board")
    assert (link.get_attribute("href") or "").startswith("/analysis?position=")
    expect(page.get_by_role("listitem").filter(has_text="actions: gives the set")).to_be_visible(timeout=STARTS)
    press(page, "Stop")
    expect(part(page, "check-words")).to_contain_text("Stopped after ")


def test_it_works_by_plain_http_on_a_phone_under_another_name(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], site: str, scripts: bool
) -> None:
    """There a browser gives less: no shared memory, no cache for scripts, no cryptography."""
    rule = "--host-resolver-rules=MAP school.test 127.0.0.1"
    launch = {**browser_type_launch_args, "args": [*browser_type_launch_args["args"], rule]}
    browser = browser_type.launch(**launch)
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(site.replace("127.0.0.1", "school.test") + "/labs/try")
    assert page.evaluate("isSecureContext") is False
    write(page, "def minimax(board): return (1, 1)")
    press(page, "Play")
    expect(part(page, "headline")).to_have_text("Your turn", timeout=STARTS)
    press(page, "New game as O")
    expect(part(page, "sentence")).to_contain_text("tictactoe.py played centre", timeout=STARTS)
    assert faults_of(page) == []
    browser.close()


def test_on_a_computer_that_many_use_nobody_finds_the_file_of_who_was_there_before(page: Page, site: str) -> None:
    """In one tab: a visitor who logs in takes the file along, and once they log out it comes back to them alone."""
    page.goto("/labs/try")
    write(page, "first = 1")
    page.goto("/sign-up")
    sign_up(page, "firsthere")
    page.goto("/labs/try")
    expect(page.locator("#code")).to_have_value("first = 1")
    log_out(page)
    page.goto("/labs/try")
    expect(page.locator("#code")).to_have_value(re.compile("def minimax"))
    log_in(page, "firsthere")
    expect(page.locator("#head").get_by_role("link", name="firsthere")).to_be_visible()
    page.goto("/labs/try")
    expect(page.locator("#code")).to_have_value("first = 1")
    log_out(page)
    page.goto("/sign-up")
    sign_up(page, "nexthere")
    page.goto("/labs/try")
    expect(page.locator("#code")).to_have_value(re.compile("def minimax"))
    assert "first = 1" not in page.evaluate("JSON.stringify({...sessionStorage})")


def test_the_editor_takes_tabs_back_and_keeps_what_was_written(page: Page, site: str) -> None:
    page.goto("/labs/try")
    page.locator("#code").fill("mine")
    page.locator("#code").press("Tab")
    expect(page.locator("#code")).to_have_value("mine    ")
    page.get_by_label("Lab Session #4").check()
    page.reload()
    expect(page.locator("#code")).to_have_value("mine    ")
    expect(page.get_by_label("Lab Session #4")).to_be_checked()
    page.locator("#code").press("Tab")
    page.locator("#code").press("Control+z")
    expect(page.locator("#code")).to_have_value("mine    ")


def test_without_network_it_is_not_the_browser_that_is_blamed(page: Page, site: str) -> None:
    page.goto("/labs/try")
    page.context.set_offline(True)
    press(page, "Check")
    expect(part(page, "trouble")).to_contain_text("The network did not answer")
    expect(part(page, "trouble")).not_to_contain_text("Your browser needs")


@pytest.mark.parametrize("scripts", [False], indirect=True)
def test_without_scripts_the_page_says_what_to_do(page: Page, site: str) -> None:
    page.goto("/labs/try")
    expect(page.get_by_role("heading", name="This page needs scripts")).to_be_visible()
    expect(page.locator("noscript pre")).to_contain_text("python3 labs.pyz play tictactoe tictactoe.py")
    expect(page.locator("[data-task=check]")).to_be_hidden()
