"""The page of the labs: its files to download, and that what it says about its boards is true."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from webapp.labs.checker.explaining import worth
from webapp.labs.checker.labs import LABS
from webapp.labs.grading.marked import version
from webapp.labs.packing import packed
from webapp.labs.starters import model_text, starter
from webapp.tictactoe import SEARCHES, Mark, Position, minimax_nodes


@pytest.fixture
def database_kind() -> str:
    """The labs store nothing: one database is enough."""
    return "SQLite"


@pytest.mark.parametrize("lab", LABS)
def test_the_starter_file_of_each_lab_is_offered_and_shows_no_answer(app: Flask, lab: str) -> None:
    browser = app.test_client()
    assert f'href="/labs/{lab}.py"' in browser.get("/labs").text
    answer = browser.get(f"/labs/{lab}.py")
    assert (answer.status_code, answer.text) == (200, starter(lab))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{lab}.py"'


@pytest.mark.parametrize("path", ["/labs/other.py", "/labs/runner.py", "/labs/__main__.py", "/labs/agent"])
def test_no_other_file_is_given_out(app: Flask, path: str) -> None:
    assert app.test_client().get(path).status_code == 404


def test_the_client_is_offered_and_stands_alone(app: Flask, tmp_path: Path) -> None:
    browser = app.test_client()
    page = browser.get("/labs", base_url="https://games.example/noughts").text
    assert "connect https://games.example/noughts tictactoe tictactoe.py" in page
    assert 'href="/noughts/labs/noughts_client.py"' in page
    (tmp_path / "noughts_client.py").write_bytes(browser.get("/labs/noughts_client.py").data)
    program = [sys.executable, "-S", "-c", "from noughts_client import play; print(play('nowhere', None))"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "The address of a site looks like http" in done.stdout and done.stdout.endswith("1\n"), done.stderr


@pytest.mark.slow
def test_the_checker_from_the_site_runs_alone_and_holds_no_model_answer(app: Flask, tmp_path: Path) -> None:
    answer = app.test_client().get("/labs/labs.pyz")
    assert answer.data == packed()
    (tmp_path / "labs.pyz").write_bytes(answer.data)
    for lab in LABS:
        (tmp_path / "mine.py").write_text(model_text(lab), encoding="utf-8")
        test = LABS[lab].tests[0].name
        program = [sys.executable, "-I", "-S", "labs.pyz", "check", lab, "mine.py", "--only", test]
        done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        given = subprocess.run([*program[:4], "starter", lab], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert given.stdout == starter(lab)
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "anna.py").write_text("not python", encoding="utf-8")
    whole = [*program[:4], "check-all", "agent", "class", "--csv", "grades.csv"]
    done = subprocess.run(whole, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (1, "1 of 1 files checked\n")
    assert version() in (tmp_path / "grades.csv").read_text(encoding="utf-8")


def test_each_command_is_told_for_windows_too(app: Flask) -> None:
    page = app.test_client().get("/labs").text
    sections = page.split("<section")
    assert len([section for section in sections if "python3 labs.pyz" in section]) == 5
    assert all("<kbd>py</kbd>" in section for section in sections if "python3 labs.pyz" in section)


def test_every_board_leads_to_its_analysis(app: Flask) -> None:
    browser = app.test_client()
    links = re.findall(r'href="(/analysis[^"]+)"', browser.get("/labs").text)
    assert "/analysis?position=..OXOO..X&amp;to_move=X" in links
    assert {browser.get(unescape(link)).status_code for link in links} == {200}


def worths(text: str, to_move: str) -> dict[int, str]:
    position = Position.parse(text, Mark(to_move))
    return {cell: worth(position, cell).partition(":")[0].split()[0] for cell in position.legal_cells}


def test_what_the_page_says_about_its_boards_is_true() -> None:
    after_a_corner = worths("X........", "O")
    assert [cell for cell, word in after_a_corner.items() if word != "loses"] == [4]
    assert worths("X...O...X", "O") == {1: "draws", 2: "loses", 3: "draws", 5: "draws", 6: "loses", 7: "draws"}
    project = Position.parse("..OXOO..X", Mark.X)
    assert worths(project.text, "X")[6] == "wins"
    start = Position.start()
    counts = [(minimax_nodes(p), SEARCHES["alpha-beta"].run(p).nodes) for p in (project, start)]
    assert counts == [(45, 31), (549_946, 18_297)]
