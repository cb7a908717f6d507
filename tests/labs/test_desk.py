"""The runner on the desk: what its page asks for is answered, and nothing to anybody else."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import webapp.labs.playing as playing
from webapp.labs.desk.server import Desk
from webapp.labs.packing import packed
from webapp.labs.starters import model_text


@contextmanager
def running(lab: str, file: Path) -> Iterator[Desk]:
    with Desk(lab, file) as desk:
        thread = Thread(target=desk.serve_forever, args=[0.02])  # seconds until it sees that it is to end
        thread.start()
        try:
            yield desk
        finally:
            desk.shutdown()
            thread.join()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(model_text("tictactoe"), encoding="utf-8")
    return file


def sent(desk: Desk, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
    given = {"Origin": f"http://{desk.name}", "Content-Type": "application/json"} if method == "POST" else {}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection(desk.name, timeout=30)) as connection:
        connection.request(method, path, body or None, {name: value for name, value in given.items() if value})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def played(desk: Desk, board: str, mark: str = "X", new: bool = False) -> dict[str, Any]:
    status, text = sent(desk, "POST", f"/{desk.token}/play", json.dumps({"board": board, "mark": mark, "new": new}))
    assert status == 200
    return dict(json.loads(text))


def test_the_page_and_all_that_it_asks_for_are_there(file: Path) -> None:
    with running("tictactoe", file) as desk:
        status, page = sent(desk, "GET", f"/{desk.token}/")
        assert status == 200 and "You against mine.py" in page
        for name in [*re.findall(r'(?:src|href)="([a-z_]+\.\w+)"', page), "own_game.js"]:
            assert sent(desk, "GET", f"/{desk.token}/{name}")[0] == 200, name


def test_nothing_is_told_to_anybody_else(file: Path) -> None:
    with running("tictactoe", file) as desk:
        assert desk.server_address[0] == "127.0.0.1"
        page, play, port = f"/{desk.token}/", f"/{desk.token}/play", desk.server_address[1]
        asked = json.dumps({"board": ".........", "mark": "O", "new": True})
        for method, path, headers in [
            ("GET", "/", {}), ("GET", "/favicon.ico", {}),
            ("GET", f"/{desk.token}", {}), ("GET", f"/{desk.token}x/", {}),
            ("GET", page, {"Host": f"evil.example:{port}"}),  # DNS rebinding: another name that leads here
            ("GET", page, {"Host": f"localhost:{port}"}),
            ("GET", page, {"Origin": "http://evil.example"}),
            ("GET", page + "../page.html", {}), ("GET", page + "play", {}),
            ("POST", "/play", {}), ("POST", page, {}),
            *(("POST", play, {"Origin": origin}) for origin in ("http://evil.example", "", "null")),
        ]:  # fmt: skip
            assert sent(desk, method, path, asked if method == "POST" else "", **headers) == (404, ""), (path, headers)
        for body in ("", "[]", "{}", '{"board": "XXX......", "mark": "O", "new": false}', " " * 2000):
            assert sent(desk, "POST", play, body) == (400, ""), body
        assert sent(desk, "POST", play, asked, Content_Type="text/plain") == (400, "")
        assert sent(desk, "PUT", page) == (501, "")
        assert desk.table.student.process is None, "and no process was started for any of it"


@pytest.mark.slow
def test_a_file_is_read_anew_for_each_game_also_after_a_crash(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running("tictactoe", file) as desk:
        assert played(desk, ".........", "X", new=True)["headline"] == "Your turn"
        assert played(desk, "XX..O....")["last"] == 2
        file.write_text("def minimax(board):\n    return board[7]\n", encoding="utf-8")
        assert played(desk, "XX..O....")["last"] == 2, "not before the next game"
        crashed = played(desk, ".........", "O", new=True)
        assert 'File "mine.py", line 2, in minimax\n    return board[7]' in crashed["trace"]
        assert crashed["trace"].endswith("IndexError: list index out of range\n")
        assert crashed["is_trouble"] and crashed["next"] is None
        file.write_text("def minimax(board): return (1, 1)", encoding="utf-8")
        assert played(desk, ".........", "O", new=True)["last"] == 4
    said = capsys.readouterr().out
    assert "A new game. You are O, mine.py is X." in said and "IndexError: list index out of range" in said


@pytest.mark.slow
def test_an_endless_loop_ends_by_itself_or_by_the_button(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("def minimax(board):\n    while True: pass\n", encoding="utf-8")
    with running("tictactoe", file) as desk:
        monkeypatch.setattr(playing, "SECONDS_A_CALL", 0.6)
        ended = played(desk, "XOXXOOO..", "O", new=True)
        said = r"No answer within \d+ seconds? \(line 2 of your file: while True: pass\)\. Look for a while loop"
        assert re.match(said, ended["sentence"])
        monkeypatch.setattr(playing, "SECONDS_A_CALL", 60)
        found: list[dict[str, Any]] = []
        waiting = Thread(target=lambda: found.append(played(desk, "XOXXOOO..", "O")))
        waiting.start()
        while desk.table.student.process is None or not desk.table.lock.locked():
            assert waiting.is_alive()
        sent(desk, "POST", f"/{desk.token}/stop", "{}")
        waiting.join()
        assert found[0]["sentence"] == "You stopped it."


@pytest.mark.slow
def test_the_one_file_plays_and_ends_on_ctrl_c(file: Path) -> None:
    pyz = file.with_name("labs.pyz")
    pyz.write_bytes(packed())
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    told = [sys.executable, str(pyz), "play", "tictactoe", str(file)]
    series = [*told, "--against", "perfect", "--games", "2"]
    scored = subprocess.run(series, capture_output=True, text=True, env=environment)
    assert scored.stdout.endswith("mine.py against Perfect: 0 won, 2 drawn, 0 lost.\n") and scored.returncode == 0
    with subprocess.Popen([*told, "--no-browser"], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        host, path = re.search(r"http://([^/]+)(/\S+)", process.stdout.readline()).groups()  # type: ignore[union-attr]
        with closing(http.client.HTTPConnection(host)) as connection:
            connection.request("GET", path)
            assert "mine.py" in connection.getresponse().read().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert process.stdout.read().endswith("The runner has ended.\n")
