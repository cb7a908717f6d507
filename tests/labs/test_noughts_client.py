"""The client against one site that says what it is told to: everything that a network and a site can do to it."""

import json
import os
import socket
import stat
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import webapp.labs.noughts_client as noughts_client
from webapp.labs.noughts_client import Job, Move, NoMove, Site, Stopped, Tokens, cause_of, clean, play, site_address

TOKEN = "t" * 43
JOB = {
    "game": "g1", "ply": 0, "board": {"rows": 3, "columns": 3, "in_a_row": 3}, "position": ".........", "moves": [],
    "mark": "X", "legal": list(range(9)), "seconds": 60,
}  # fmt: skip
WHO = {"name": "mini7"}
STATE = {"status": "playing", "to_move": "O", "board": ".........", "players": {"X": "mini7", "O": "ada"}}
OVER = {**STATE, "status": "finished", "to_move": None, "winner": "X", "reason": "line", "board": "XXXOO...."}
NOTHING = {"accepted": None, "job": None}
GONE = 401, {"error": "This token was stopped."}
Script = Any


def raw(status: int, fields: Any, *headers: str) -> bytes:
    text = fields if isinstance(fields, str) else json.dumps(fields)
    head = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(text)}", "Connection: close", *headers]
    return ("\r\n".join([*head, "", ""]) + text).encode()


class ScriptedSite:
    """Gives the answers of its script one by one, whatever is asked, and keeps what was asked."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.script: list[Script] = []
        self.asked: list[tuple[str, Any]] = []
        self.heads: list[str] = []
        Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as file:
                head = b"".join(iter(file.readline, b"\r\n")).decode()
                if not head:
                    continue
                length = next((int(line[15:]) for line in head.split("\r\n") if line.startswith("Content-Length")), 0)
                method, path, _ = head.split(" ", 2)
                self.asked.append((f"{method} {path.removeprefix('/api/v1')}", json.loads(file.read(length) or "null")))
                self.heads.append(head)
                said = self.script.pop(0) if self.script else GONE
                connection.sendall(said if isinstance(said, bytes) else raw(*said))

    @property
    def answers(self) -> list[Any]:
        return [body.get("answer") for path, body in self.asked if path == "POST /agent/next"]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ScriptedSite]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("NOUGHTS_TOKEN", raising=False)
    site = ScriptedSite()
    yield site
    site.listener.close()


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    pauses: list[float] = []
    monkeypatch.setattr(noughts_client.time, "sleep", pauses.append)
    return pauses


def first(job: Job) -> int:
    return job.legal[0]


Said = pytest.CaptureFixture[str]


def test_an_answer_and_the_next_question_are_one_request(site: ScriptedSite, pauses: list[float], capsys: Said) -> None:
    job = {**JOB, "ply": 2, "position": "X.O......", "legal": [1, 3, 4, 5, 6, 7, 8], "moves": [0, 2]}
    site.script = [
        (200, WHO), (200, {"accepted": None, "job": JOB}), (200, STATE), (200, {"accepted": True, "job": job}),
        (200, {"accepted": True, "job": None}), (200, OVER),
    ]  # fmt: skip
    assert play(site.address, lambda job: Move(job.legal[0], nodes=7), TOKEN) == 1
    assert [path for path, _ in site.asked] == [
        "GET /agent", "POST /agent/next", "GET /games/g1", "POST /agent/next", "POST /agent/next", "GET /games/g1",
        "POST /agent/next",
    ]  # fmt: skip
    assert [body["wait"] for path, body in site.asked if "next" in path] == [25, 5, 5, 25], "soon while a game is on"
    none, told, second, after = site.answers
    assert (none, after) == (None, None) and told["microseconds"] > 0
    assert {**told, "microseconds": 1} == {"game": "g1", "ply": 0, "cell": 0, "nodes": 7, "microseconds": 1}
    assert (second["ply"], second["cell"]) == (2, 1)
    assert all(f"Authorization: Bearer {TOKEN}\r\n" in head for head in site.heads)
    said = capsys.readouterr()
    assert "Game 1: mini7 is X against ada." in said.out and f"{site.address}/games/g1" in said.out
    assert "Game 1: won against ada.  XXX/OO./..." in said.out and "it was stopped" in said.out
    assert TOKEN not in said.out + said.err and "Connected to" in said.out


def test_what_was_lost_on_the_way_is_said_again(site: ScriptedSite, pauses: list[float], capsys: Said) -> None:
    """Nobody knows whether a lost answer arrived: it is repeated until the site itself has spoken."""
    whole = raw(200, {"accepted": True, "job": None})
    accidents = [
        b"", b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"acc", whole[:-3], b"\x15\x03\x01\x00\x02\x02\x16",
        raw(200, "<html>Log in to the network</html>"), raw(200, "[]"), raw(200, {}),
        raw(200, {"accepted": True, "job": 5}), raw(200, {"accepted": True, "job": {**JOB, "game": "../x"}}),
        raw(401, "<h1>Proxy</h1>"), raw(404, "not ours"), raw(502, "bad gateway"),
        (500, {"error": "Something went wrong."}), (503, {"error": "Busy."}, "Retry-After: 7"),
        (429, {"error": "Too many requests."}, "Retry-After: 11"), (302, "", "Location: http://evil.example/"),
    ]  # fmt: skip
    site.script = [(200, WHO), (200, {"accepted": None, "job": JOB}), (200, STATE), *accidents, whole]
    play(site.address, first, TOKEN)
    answers = [answer for answer in site.answers if answer]
    assert len(answers) == len(accidents) + 1 and all(answer == answers[0] for answer in answers)
    assert any(7 <= pause < 18 for pause in pauses) and any(11 <= pause < 22 for pause in pauses), pauses
    assert pauses[0] < 0.3 and max(pauses) < 22, "short at first"
    assert len(set(pauses)) == len(pauses), "and never in step with others"
    said = capsys.readouterr().out
    assert said.count("Trying again") == 1 and said.count("The site is back.") == 1


def test_whatever_ends_it_ends_it_with_a_sentence(site: ScriptedSite, capsys: Said) -> None:
    for sentence, *script in [
        ("A newer copy of this agent has started.", (200, WHO), (409, {"error": "A newer copy waits."})),
        ("The site no longer takes this token", (200, WHO), (401, {"error": "No."})),
        ("Agents are switched off.", (200, WHO), (403, {"error": "Agents are switched off."})),
        ("The site does not take this token.", (401, {"error": "No."})),
        ("There is something at ", (404, "<html>")),
        ("no Noughts with agents (200)", (200, "<html>")),
        ("another address: https://g.example  Type", (308, "", "Location: https://g.example/api/v1/agent")),
        (f"Type https{site.address[4:]}", (400, "The plain HTTP request was sent to HTTPS port")),
    ]:
        site.script = script
        assert play(site.address, first, TOKEN) == 1
        assert sentence in capsys.readouterr().out, sentence


def test_an_address_that_leads_nowhere_gets_a_sentence(capsys: Said) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    for address, sentence in {
        f"http://127.0.0.1:{port}": "Nothing answers at ",
        "192.168.1.20:8000": "The address of a site looks like ",
        **dict.fromkeys(["http://", "http://host:99999", "ftp://host", "http://a b", "http://[::1"], "looks like"),
        "http://u:p@host": "looks like",
    }.items():  # fmt: skip
        assert play(address, first, TOKEN) == 1
        assert sentence in capsys.readouterr().out, address
    assert Site("http://nowhere", TOKEN).explain(socket.gaierror()).startswith("No machine called nowhere was found.")


def test_https_asked_of_a_site_that_speaks_http_is_explained(site: ScriptedSite, capsys: Said) -> None:
    plain = socket.create_server(("127.0.0.1", 0))
    port = plain.getsockname()[1]

    def serve() -> None:
        with plain.accept()[0] as connection:
            connection.recv(10_000)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    thread = Thread(target=serve)
    thread.start()
    assert play(f"https://127.0.0.1:{port}", first, TOKEN) == 1
    thread.join()
    plain.close()
    assert f"Type http://127.0.0.1:{port}" in capsys.readouterr().out


def test_an_address_may_have_a_path_and_a_slash_at_its_end() -> None:
    assert site_address(" http://host/noughts/ ") == "http://host/noughts"
    with pytest.raises(Stopped):
        site_address("http://host/lobby?x=1")


def test_a_program_that_fails_gives_that_game_up_and_says_where(site: ScriptedSite, capsys: Said) -> None:
    def crashes(job: Job) -> int:
        return job.legal[9]

    def line_of(choose: Any, more: int = 0) -> str:
        return f"(line {choose.__code__.co_firstlineno + more} of {Path(__file__).name})"

    for choose, cause in {
        crashes: f"An error, IndexError: list index out of range {line_of(crashes, 1)}.",
        (nine := lambda job: 9): f"It chose 9 {line_of(nine)}. The free cells are 0, 1, ",
        (lambda job: True): "It chose True ", (lambda job: None): "It chose None ",
    }.items():  # fmt: skip
        site.script = [
            (200, WHO), (200, {"accepted": None, "job": JOB}), (200, STATE),
            *([(400, {"error": "An illegal move."})] if choose is nine else []),
            (200, OVER), (200, NOTHING),
        ]  # fmt: skip
        site.asked.clear()
        play(site.address, choose, TOKEN)
        [resigned] = [body for path, body in site.asked if path == "POST /games/g1/resign"]
        assert resigned["cause"].startswith(cause) and len(resigned["cause"]) <= 200, resigned
        sent = [answer for answer in site.answers if answer]
        assert sent == ([{"game": "g1", "ply": 0, "cell": 9}] if choose is nine else []), "the site judges a cell"
        assert len(site.answers) == 3 + len(sent), "and it asks for more"
        said = capsys.readouterr().out
        assert resigned["cause"][:100] in said and "Game 1: won against ada" in said, "the end is told at once"


def test_a_move_that_the_site_refuses_is_not_sent_for_ever(site: ScriptedSite, capsys: Said) -> None:
    site.script = [
        (200, WHO), (200, {"accepted": None, "job": JOB}), (200, STATE), (400, {"error": "There is a mark in 0."}),
        (409, {"error": "The game is over."}), (200, NOTHING), (404, {"error": "No such game."}),
    ]  # fmt: skip
    play(site.address, first, TOKEN)
    assert ("POST /games/g1/resign", {"cause": "There is a mark in 0."}) in site.asked
    said = capsys.readouterr().out
    assert "There is a mark in 0." in said and "Game 1: cancelled against ada." in said


def test_ctrl_c_says_good_bye(site: ScriptedSite, capsys: Said) -> None:
    def interrupted(job: Job) -> int:
        raise KeyboardInterrupt

    site.script = [(200, WHO), (200, {"accepted": None, "job": JOB | {"seconds": None}}), (200, STATE)]
    assert play(site.address, interrupted, TOKEN) == 0
    said = capsys.readouterr().out
    assert "Good-bye. Games: 0 won, 0 drawn, 0 lost. 1 not over yet: start again to go on." in said
    assert "clock runs on" not in said
    site.script = [(200, WHO), (200, {"accepted": None, "job": JOB | {"seconds": 60}}), (200, STATE)]
    assert play(site.address, interrupted, TOKEN) == 0
    assert "In a competition the clock runs on, so do it at once." in capsys.readouterr().out


def test_ctrl_c_tells_first_of_the_games_that_the_other_side_has_ended(site: ScriptedSite, capsys: Said) -> None:
    """In a competition many end within seconds, and nobody should hurry back to a game that is over."""

    def interrupted_in_the_third(job: Job) -> int:
        if job.game == "g3":
            raise KeyboardInterrupt
        return first(job)

    jobs = [(200, {"accepted": None, "job": JOB | {"game": game}}) for game in ("g1", "g2", "g3")]
    site.script = [(200, WHO), *(one for job in jobs for one in (job, (200, STATE))), (200, OVER), (200, STATE)]
    assert play(site.address, interrupted_in_the_third, TOKEN) == 0
    said = capsys.readouterr().out
    assert "Game 1: won against ada.  XXX/OO./..." in said
    assert "Good-bye. Games: 1 won, 0 drawn, 0 lost. 2 not over yet" in said, "one of them is not asked for: no answer"


def test_a_token_from_a_card_is_typed_visibly_and_without_its_hyphens(
    site: ScriptedSite, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    card = "-".join(["bcd"] * 11)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(noughts_client.getpass, "getpass", lambda prompt: "")
    typed = ["bcd-bcd", card.replace("-", " ").upper()]
    monkeypatch.setattr("builtins.input", lambda prompt: typed.pop(0))
    site.script = [(401, {"error": "No."}), (200, WHO), (409, {"error": "Newer."})]
    play(site.address, first)
    assert card in site.heads[-1] and Tokens().all() == {site.address: card}
    said = capsys.readouterr().out
    assert "press Enter first" in said and "43 characters, in groups of three" in said


def test_a_typed_token_is_kept_for_its_site_and_nobody_else(
    site: ScriptedSite, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    typed = ["not a token", TOKEN]
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(noughts_client.getpass, "getpass", lambda prompt: typed.pop(0))
    site.script = [(404, "<html>")]
    assert play(site.address, first) == 1 and len(typed) == 2, "nobody types a token for an address that is wrong"
    site.script = [(401, {"error": "No."}), (200, WHO), (409, {"error": "Newer."})]
    play(site.address, first)
    file = Tokens().file
    assert json.loads(file.read_text()) == {site.address: TOKEN}
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    site.script = [(200, WHO), (409, {"error": "Newer."})]
    play(site.address, first)  # nothing is left to type
    assert TOKEN in site.heads[-1] and TOKEN not in capsys.readouterr().out

    typed[:] = ["n" * 43]  # a revoked one is forgotten, and the next asked for
    site.script = [(401, {"error": "No."}), (200, WHO), (409, {"error": "Newer."})]
    play(site.address, first)
    assert Tokens().all() == {site.address: "n" * 43}
    typed[:] = ["m" * 43]
    site.script = [(401, {"error": "No."}), (200, WHO), (409, {"error": "Newer."})]
    play(site.address, first, agent="second")
    assert Tokens().all() == {site.address: "n" * 43, f"{site.address} second": "m" * 43}

    monkeypatch.setenv("NOUGHTS_TOKEN", "e" * 43)
    site.script = [(401, {"error": "No."})]
    play(site.address, first)
    assert "e" * 43 in site.heads[-1] and len(Tokens().all()) == 2


def test_without_a_terminal_nobody_waits_for_a_token(
    site: ScriptedSite, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    assert play(site.address, first) == 1
    assert "Set the variable NOUGHTS_TOKEN" in capsys.readouterr().out


def test_a_job_knows_the_end_of_a_game_on_any_board() -> None:
    def job(position: str, mark: str, rows: int, columns: int, in_a_row: int) -> Job:
        shape = {"rows": rows, "columns": columns, "in_a_row": in_a_row}
        return Job({**JOB, "position": position, "mark": mark, "board": shape, "legal": []})

    for position, mark, shape, ends in [
        ("XX.OO....", "X", (3, 3, 3), {2}), ("XX.OO....", "O", (3, 3, 3), {5}), ("X...X....", "X", (3, 3, 3), {8}),
        ("..O.O....", "O", (3, 3, 3), {6}), ("XOXXOOO.X", "X", (3, 3, 3), {7}), ("..XX.....", "X", (3, 3, 3), set()),
        ("X...........", "X", (3, 4, 2), {1, 4, 5}),
    ]:  # fmt: skip
        asked = job(position, mark, *shape)
        found = {cell for cell, letter in enumerate(position) if letter == "." and asked.result_of(cell)}
        assert found == ends, (position, found)


def test_what_comes_from_elsewhere_moves_no_cursor() -> None:
    assert clean("a\x1b[2Jb\nc") == "a [2Jb c" and len(clean("x" * 999)) == 300


def test_a_cause_is_cut_after_a_sentence() -> None:
    first = "No answer within 19 seconds (line 70 of slow.py: time.sleep(20))."
    assert cause_of(NoMove(first)) == first
    assert cause_of(NoMove(f"{first} Look for a {'very ' * 40}long loop.")) == first
    assert cause_of(NoMove("An error: " + "x" * 300)) == "An error: " + "x" * 187 + "..."


def test_an_old_terminal_is_shown_what_it_has_letters_for(site: ScriptedSite, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashes(job: Job) -> int:
        raise ValueError("π ≠ 3")

    old = TextIOWrapper(BytesIO(), encoding="cp437")
    monkeypatch.setattr(sys, "stdout", old)
    site.script = [(200, WHO), (200, {"accepted": None, "job": JOB}), (200, STATE), (200, OVER)]
    assert play(site.address, crashes, TOKEN) == 1
    assert "ValueError: π ? 3" in old.buffer.getvalue().decode("cp437")  # type: ignore[attr-defined]
