"""An unchanged file of each lab as an agent: asked for moves with either mark, and what goes wrong is told."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import webapp.labs.connecting as connecting
import webapp.labs.playing as playing
from webapp.labs.connecting import LabAgent, connect
from webapp.labs.loading.student import Student
from webapp.labs.noughts_client import Job, NoMove
from webapp.labs.starters import LABS, model_text
from webapp.tictactoe import Position

pytestmark = pytest.mark.slow


def job(position: str, game: str = "g1", **more: Any) -> Job:
    read = Position.parse(position)
    shape = {"rows": 3, "columns": 3, "in_a_row": 3}
    told = {"position": position, "mark": str(read.to_move), "legal": list(read.legal_cells), "moves": []}
    return Job({"game": game, "ply": read.ply, "board": shape, "seconds": None, **told, **more})


@contextmanager
def agent_of(folder: Path, lab: str, text: str) -> Iterator[LabAgent]:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    with Student(file) as student:
        student.load()
        yield LabAgent(lab, student)


@pytest.mark.parametrize("lab", LABS)
def test_a_file_of_each_lab_plays_both_marks(tmp_path: Path, lab: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "COUNTED_WITHIN", 10)  # a busy machine searches slowly
    with agent_of(tmp_path, lab, model_text(lab)) as agent:
        for position, won in (("XX.OO....", 2), ("OO.XX.X..", 2), ("XX.OO.X..", 5)):
            move = agent(job(position))
            assert move.cell == won, position
            assert move.nodes and move.microseconds


def test_where_a_file_fails_is_said_by_its_name_and_the_next_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(playing, "SECONDS_A_CALL", 1.5)
    loop = "def minimax(board):\n    if board[0][0]:\n        return board[7]\n    while True:\n        pass\n"
    with agent_of(tmp_path, "tictactoe", loop) as agent, pytest.raises(NoMove) as fault:
        agent(job("X........"))
    assert "An error, IndexError: list index out of range (line 3 of mine.py: return board[7])" in str(fault.value)
    assert fault.value.trace.startswith("Traceback") and "line 3, in minimax" in fault.value.trace

    with agent_of(tmp_path, "tictactoe", loop) as agent:
        where = r"\(line [45] of mine\.py: (while True:|pass)\)"
        with pytest.raises(NoMove, match=rf"No answer within \d+ seconds? {where}"):
            agent(job(".XOOXXXO."))
        agent.student.file.write_text("def minimax(board): return (0, 0)", encoding="utf-8")
        assert agent(job(".XOOXXXO.", game="g2")).cell == 0
        with pytest.raises(NoMove, match=r"It answered \(0, 0\), but there is an X in \(0, 0\) already\."):
            agent(job("X........", game="g2"))
        assert "mine.py has changed and was read again." in capsys.readouterr().out
        agent.student.file.write_text("def minimax(board:", encoding="utf-8")
        with pytest.raises(NoMove, match="SyntaxError"):
            agent(job(".........", game="g3"))
        with pytest.raises(NoMove, match="3 x 3 boards only"):
            agent(job("." * 9, board={"rows": 1, "columns": 9, "in_a_row": 3}))


def test_where_a_clock_runs_it_decides_and_not_the_checker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "SECONDS_A_CALL", 0.01)
    monkeypatch.setattr(playing, "SECONDS_A_NODE", 0.0)
    slow = "import time\n\ndef minimax(board):\n    time.sleep(2)\n    return (1, 1)\n"
    with agent_of(tmp_path, "tictactoe", slow) as agent:
        assert agent(job(".........", seconds=60)).cell == 4
        with pytest.raises(NoMove, match="No answer within"):
            agent(job("........."))


def test_the_time_that_the_site_gives_is_the_longest_that_a_file_is_asked(tmp_path: Path) -> None:
    loop = "def minimax(board):\n    while True: pass\n"
    with agent_of(tmp_path, "tictactoe", loop) as agent, pytest.raises(NoMove, match=r"No answer within \d seconds"):
        agent(job(".........", seconds=1))  # the checker would wait for minutes


def test_the_file_of_another_lab_does_not_connect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(model_text("tictactoe"), encoding="utf-8")
    asked = Namespace(lab="agent", file=tmp_path / "mine.py", site="http://127.0.0.1:1", agent="")
    assert connect(asked) == 1
    told = "mine.py has no best_move, which the lab agent asks for. Is it the file of another lab?"
    assert capsys.readouterr().err.strip() == told
