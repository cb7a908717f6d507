"""A whole class: one row a student, with points, comments and the time left; stopped and taken up again."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.labs.started import has_started
from webapp.labs.checker.credit import credit_for
from webapp.labs.checker.labs import LABS
from webapp.labs.grading.formats import as_gradescope, as_junit
from webapp.labs.grading.marked import Marked, version
from webapp.labs.grading.marking import Standing
from webapp.labs.grading.pages import file_names
from webapp.labs.grading.reports import write_reports
from webapp.labs.grading.scores import RUBRICS, BadRubric, as_rubric, by_function, read_rubric, total
from webapp.labs.grading.tables import Table
from webapp.labs.starters import model_text, starter

if sys.platform != "win32":
    import pty

ROOT = Path(__file__).resolve().parents[2]
STUDENTS = Path(__file__).resolve().parent / "students"
RIGHT = (STUDENTS / "right_tictactoe.py").read_text(encoding="utf-8")
MODEL = model_text("tictactoe")
PROGRAM = [sys.executable, "-S", "-m", "webapp.labs", "check-all", "tictactoe"]


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=900, cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


def laid_out(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")  # or a spreadsheet spoils the names
    with path.open(newline="", encoding="utf-8-sig") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


START = "def initial_state():\n    return [[EMPTY] * 3 for _ in range(3)]\n"
ATTACK = "\nimport shutil, os\nshutil.rmtree(os.getcwd(), ignore_errors=True)\nos._exit(3)\n"
CLASS = {
    "anna.py": RIGHT,
    "ben.py": MODEL.replace(", *diagonals]", "]"),
    "Curie, Eve_12_assignsubmission_file/tictactoe.py": "def player(board:\n",
    "dan.py": starter("tictactoe") + START + ATTACK,
    "=eva.py": starter("tictactoe"),
    "fay/report.txt": "I did not finish.",
    "gus.py": RIGHT,
    "notes.txt": "not a submission",
}


@pytest.mark.slow
def test_a_class_is_graded_into_a_table_and_no_file_stops_or_harms_another(tmp_path: Path) -> None:
    folder = laid_out(tmp_path / "class", CLASS)
    done = run(folder, "--csv", tmp_path / "grades.csv", "--patience", "2")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "5 of 5 files checked"
    assert ", about " in done.stderr
    rows = rows_of(tmp_path / "grades.csv")
    assert list(rows) == ["'=eva", "anna", "ben", "Curie, Eve", "dan", "fay", "gus"]
    assert {name: row["passed"] for name, row in rows.items()} == {
        "'=eva": "2", "anna": "14", "ben": "9", "Curie, Eve": "0", "dan": "2", "fay": "0", "gus": "14",
    }  # fmt: skip
    assert {name: row["points"] for name, row in rows.items() if name not in ("ben", "dan")} == {
        "'=eva": "8", "anna": "100", "Curie, Eve": "0", "fay": "0", "gus": "100",
    }  # fmt: skip
    assert rows["anna"]["minimax (of 24)"] == "24"
    assert rows["Curie, Eve"]["id"] == "12"
    assert rows["Curie, Eve"]["mistake"] == "The file is not valid Python"
    assert rows["dan"]["first_wrong"] == "the file"
    assert "no .py, .ipynb or .zip file" in rows["fay"]["comment"]
    assert {row["checker"] for row in rows.values()} == {version()}
    assert rows["anna"]["sha256"] == rows["gus"]["sha256"] != ""
    assert "Ignored: notes.txt, fay/report.txt" in done.stdout
    assert "Nothing to check from: fay" in done.stdout
    assert {name: (folder / name).read_text(encoding="utf-8") for name in CLASS} == CLASS
    assert not (tmp_path / "grades.csv.resume").exists()
    # One forgotten line is found by five tests, and does not cost them all.
    assert rows["ben"]["mistake"] == "A kind of line is forgotten"
    assert 80 < float(rows["ben"]["points"]) < 95
    came = "winner: On XOXOXOOXX came: None. Right: 'X'. X has the diagonal from the top left."
    assert came in rows["ben"]["comment"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_a_class_that_was_stopped_keeps_its_rows_and_goes_on_from_there(tmp_path: Path) -> None:
    endless = MODEL.replace("def minimax", "open('started', 'w')\nwhile True: pass\n\n\ndef minimax")
    names = [f"s{number}.py" for number in range(4)]
    folder = laid_out(tmp_path / "class", {name: f"not python {name}" for name in names} | {"zoe.py": endless})
    table, temporary = tmp_path / "grades.csv", tmp_path / "temporary"
    temporary.mkdir()
    program = [*PROGRAM, str(folder), "--csv", str(table), "--patience", "100"]
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(temporary)}
    with subprocess.Popen(program, cwd=ROOT, env=environment, stderr=subprocess.PIPE) as process:
        try:
            while not has_started(temporary) or table.read_bytes().count(b"not valid Python") < 8:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=60)[1].endswith(b"\nStopped.\n")
        finally:
            process.kill()
    assert process.returncode == 130
    assert list(temporary.iterdir()) == []
    assert rows_of(table).keys() == {"s0", "s1", "s2", "s3"}
    kept = (tmp_path / "grades.csv.resume").read_text(encoding="utf-8")
    (tmp_path / "grades.csv.resume").write_text(kept + '{"student": "cut o', encoding="utf-8")
    (folder / "zoe.py").write_text("not python either", encoding="utf-8")
    done = run(folder, "--csv", table)
    assert done.stderr.splitlines()[-1] == "1 of 1 files checked"
    assert rows_of(table).keys() == {"s0", "s1", "s2", "s3", "zoe"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")
def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    laid_out(tmp_path, {"anna.py": "no python", "ben.py": "no python either"})
    screen, terminal = pty.openpty()
    subprocess.run([*PROGRAM, tmp_path], cwd=ROOT, stderr=terminal, stdout=subprocess.PIPE, timeout=120)
    shown = os.read(screen, 10_000).decode()
    assert "[....................] 0 of 2 files checked" in shown
    assert "[##########..........] 1 of 2 files checked, about " in shown
    os.close(screen)
    os.close(terminal)


@pytest.mark.slow
def test_what_cannot_be_done_is_a_sentence_before_anything_is_checked(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    laid_out(tmp_path / "class", {"anna.py": "no python"})
    done = run(tmp_path / "empty")
    assert (done.returncode, "There is nothing to check in" in done.stderr) == (2, True)
    done = run(tmp_path / "class", "--csv", tmp_path / "nowhere" / "grades.csv")
    assert (done.returncode, "No such file or directory" in done.stderr) == (2, True)
    done = run(tmp_path / "class" / "anna.py")
    assert (done.returncode, "there is no folder and no zip file" in done.stderr) == (2, True)


def test_the_time_left_is_that_of_the_files_before() -> None:
    standing = Standing(10, 4, began=time.monotonic() - 400)
    assert standing.words == "4 of 10 files checked, about 10 minutes left"
    assert Standing(10).words == "0 of 10 files checked"


def report(**credits: float) -> dict[str, Any]:
    tests = [{"name": name, "passed": True, "credit": 1.0} for name in RUBRICS["tictactoe"]]
    for test in tests:
        credit = credits.get(str(test["name"]), 1.0)
        test |= {"credit": credit, "passed": credit == 1}
    return {"lab": "tictactoe", "tests": tests, "passed": not credits}


def test_every_test_has_points_and_they_add_up_to_a_hundred_in_every_lab() -> None:
    for lab in LABS:
        assert list(RUBRICS[lab]) == ["the file", "the names", *(test.name for test in LABS[lab].tests)]
        assert sum(RUBRICS[lab].values()) == 100


def test_points_are_added_up_for_each_function() -> None:
    points, found = RUBRICS["tictactoe"], report(winner=0.5, minimax=0.0)
    scores = by_function(found, points)
    assert (scores["winner"], scores["minimax"], scores["result"]) == ((6, 12), (4, 24), (20, 20))
    assert total(found, points) == (74, 100)


def test_answers_that_are_always_the_same_give_no_credit() -> None:
    always_none = {"X": [False] * 9, "O": [False] * 9, "None": [True], "X to move": [True] * 9, "O to move": [True] * 9}
    assert credit_for(always_none) == 0
    a_line_forgotten = always_none | {"X": [True] * 8 + [False], "O": [True] * 8 + [False]}
    assert 0.8 < credit_for(a_line_forgotten) < 0.95


def test_a_rubric_is_read_in_the_form_that_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "rubric.csv"
    file.write_text(as_rubric("tictactoe"), encoding="utf-8-sig")
    assert read_rubric(file, "tictactoe") == RUBRICS["tictactoe"]
    file.write_text(as_rubric("agent").replace(",", ";").replace(";24", ";30,5"), encoding="utf-8")
    assert read_rubric(file, "agent")["minimax"] == 30.5


def test_a_rubric_that_does_not_fit_is_a_sentence(tmp_path: Path) -> None:
    usual = as_rubric("pruning")
    wrong = {
        usual.replace("is_end,16\n", ""): "do not agree on these tests: is_end. Give 0 points to leave one out.",
        usual + "extra,5\n": "do not agree on these tests: extra.",
        usual.replace("is_end,16", "is_end,many"): '"is_end" needs a number of points.',
        usual.replace("is_end,16", "is_end,-1"): '"is_end" has -1 points. Give it 0 or more.',
    }
    for text, sentence in wrong.items():
        (tmp_path / "rubric.csv").write_text(text, encoding="utf-8")
        with pytest.raises(BadRubric) as refusal:
            read_rubric(tmp_path / "rubric.csv", "pruning")
        assert sentence in str(refusal.value)


def test_a_row_is_in_the_file_as_soon_as_it_is_known_and_no_cell_is_a_formula(tmp_path: Path) -> None:
    table = Table(tmp_path / "grades.csv", RUBRICS["tictactoe"])
    table.add(Marked("=Jörg", "@1", report=report()))
    assert rows_of(tmp_path / "grades.csv").keys() == {"'=Jörg"}
    table.add(Marked("+eva", problems=["no file"], ignored=["a;=1", "-b"]))
    rows = rows_of(tmp_path / "grades.csv")
    assert rows["'+eva"]["ignored"] == "a;'=1; '-b"  # some spreadsheets part cells by semicolons
    assert (rows["'+eva"]["points"], rows["'+eva"]["maximum"], rows["'=Jörg"]["id"]) == ("0", "100", "'@1")


def finding(**changes: Any) -> dict[str, Any]:
    found = {"asked": "winner([['X', ...]])", "position": "XO.XO.X..", "to_move": "O", "analysis": None, "came": "None"}
    found |= {"right": "'X'", "why": "X has the left column.", "details": ["one", "two"], "mistake": "line-forgotten"}
    return found | {"mistake_name": "A kind of line is forgotten", "advice": "Check the indices."} | changes


def graded(**changes: Any) -> Marked:
    """A student whose winner is half right, with one thing worth knowing."""
    found = report(winner=0.5)
    for test in found["tests"]:
        test |= {"title": "works", "seconds": 0.25, "remarks": [], "note": ""}
    wrong = next(test for test in found["tests"] if not test["passed"])
    wrong["finding"] = finding(**changes)
    wrong["remarks"] = [finding(mistake="depth-ignored", mistake_name="The depth is ignored")]
    return Marked("Jörg <b>", "7", "a/tic.py", "ab12", "v1", "2026-03-01", found)


def test_a_report_is_one_page_that_stands_alone_with_boards_points_and_the_mistake(tmp_path: Path) -> None:
    rows = [graded(came="<script>alert(1)</script>"), Marked("Eva", problems=["no .py file"])]
    write_reports(rows, tmp_path / "new" / "reports", "html", LABS["tictactoe"], RUBRICS["tictactoe"], ["Ignored: x"])
    names = sorted(path.name for path in (tmp_path / "new" / "reports").iterdir())
    assert names == ["Eva.html", "Jörg-b-7.html", "index.html"]
    page = (tmp_path / "new" / "reports" / "Jörg-b-7.html").read_text(encoding="utf-8")
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page and "Jörg &lt;b&gt; (7)" in page
    assert not re.search(r"""(?:src|href|url\()=?["']?(?:https?:)?//""", page)
    assert 'name="viewport"' in page
    assert "94 of 100 points" in page
    assert "6 of 12 points" in page
    assert page.count('<td class="X">X</td>') == 6 and 'aria-label="The board: XO. / XO. / X.."' in page
    assert "A kind of line is forgotten." in page and "Worth knowing: The depth is ignored" in page
    index = (tmp_path / "new" / "reports" / "index.html").read_text(encoding="utf-8")
    assert 'href="Jörg-b-7.html"' in index and "no .py file" in index and "Ignored: x" in index
    assert "no .py file" in (tmp_path / "new" / "reports" / "Eva.html").read_text(encoding="utf-8")


def test_two_students_never_share_a_report() -> None:
    names = file_names([Marked("a b"), Marked("a-b"), Marked("A B"), Marked("index"), Marked("???")], ".html")
    assert len({name.lower() for name in names.values()} | {"index.html"}) == 6


def test_gradescope_gets_its_results(tmp_path: Path) -> None:
    points = RUBRICS["tictactoe"]
    found = json.loads(as_gradescope(graded(), points))
    assert sum(test["max_score"] for test in found["tests"]) == 100
    wrong = next(test for test in found["tests"] if test["status"] == "failed")
    assert (wrong["name"], wrong["score"], wrong["max_score"]) == ("winner: works", 6, 12)
    assert "came: None. Right: 'X'. X has the left column." in wrong["output"]
    assert found["execution_time"] == round(0.25 * len(points))
    assert json.loads(as_gradescope(Marked("Eva", problems=["no file"]), points))["score"] == 0


def test_junit_gets_its_xml_whatever_a_file_prints() -> None:
    points = RUBRICS["tictactoe"]
    suite = ElementTree.fromstring(as_junit(graded(came="\x00\x1b[31m & <b> \ud800"), points))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("14", "1", "0")
    failure = suite.find("testcase[@name='winner']/failure")
    assert failure is not None
    assert failure.get("type") == "line-forgotten"
    assert "??[31m & <b> ?" in str(failure.get("message"))
    assert ElementTree.fromstring(as_junit(Marked("Eva", problems=["no file"]), points)).get("errors") == "1"


def test_a_kept_row_is_read_back_whole(tmp_path: Path) -> None:
    row = Marked("Jörg", "1", "a.py", "abc", "v", "today", report(), ["p"], ["i"])
    assert Marked(**json.loads(json.dumps(vars(row)))) == row
