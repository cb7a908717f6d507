"""Files that loop, flood, fork, exit, eat memory or delete things: each fails its own test and nothing else."""

import sys
import tempfile
from pathlib import Path

import pytest

from tests.labs.sampling import check_in_one
from webapp.labs.checker import checking
from webapp.labs.checker.checking import Result
from webapp.labs.checker.labs import LABS
from webapp.labs.loading import student
from webapp.labs.loading.student import DIED, TIMEOUT, Call, Reply, Student
from webapp.labs.starters import model_text

pytestmark = pytest.mark.slow  # each starts several programs

SHORT, LONG = 0.5, 10.0  # to wait for what never comes, and for what comes however busy the machine is
MODEL = model_text("tictactoe")


def checked(text: str, folder: Path, *tests: str, patience: float = LONG) -> dict[str, Result]:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    results = check_in_one(LABS["tictactoe"], file, patience, only=tests)
    return {result.test.name: result for result in results}


@pytest.mark.parametrize(
    ("body", "mistake"),
    [
        ("while True:\n        pass", "never-ends"),
        ("import time\n    time.sleep(1000)", "never-ends"),
        ("while True:\n        print('xyz' * 1000)", "never-ends"),
        ("import sys\n    sys.exit(0)", "ends-the-program"),
        ("quit()", "ends-the-program"),
        ("import os\n    os._exit(0)", "ends-the-program"),
        ("return player(board)", "calls-itself-for-ever"),
        ("raise NotImplementedError", "not-written"),
    ],
)
def test_an_accident_fails_its_own_test_only(
    body: str, mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "SECONDS_A_CALL", 2.0)
    text = MODEL.replace("def minimax", f"def player(board):\n    {body}\n\n\ndef minimax")
    results = checked(text, tmp_path, "player", "winner", patience=SHORT if mistake == "never-ends" else LONG)
    finding = results["player"].finding
    assert finding is not None
    assert finding.mistake == mistake
    assert results["winner"].passed


def test_a_game_that_prints_without_end_is_stopped(tmp_path: Path) -> None:
    endless = "while True:\n        print(board)\n    if 0:"
    text = model_text("agent").replace("while check_winner(board) is None:", endless)
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    finding = check_in_one(LABS["agent"], tmp_path / "mine.py", LONG, only=["play_game"])[-1].finding
    assert finding is not None
    assert finding.mistake == "prints-flood"


@pytest.mark.skipif(sys.platform != "linux", reason="macOS and Windows do not bound a process's memory")
def test_a_file_that_eats_memory_is_stopped(tmp_path: Path) -> None:
    greedy = "def player(board):\n    hoard = []\n    while True:\n        hoard.append(bytearray(10**8))\n\n\n"
    text = MODEL.replace("def minimax", greedy + "def minimax")
    results = checked(text, tmp_path, "player", "winner")
    assert results["player"].finding is not None
    assert results["player"].finding.mistake == "eats-memory"
    assert results["winner"].passed


def test_what_a_file_does_at_once_fails_loading_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(student, "LOAD_SECONDS", 2.0)
    results = checked(MODEL + "\nwhile True:\n    pass\n", tmp_path, "winner", patience=SHORT)
    assert results["the file"].finding is not None
    assert results["the file"].finding.mistake == "never-ends"
    assert results["the names"].passed
    assert results["winner"].passed


def test_of_a_file_that_does_not_parse_nothing_is_asked(tmp_path: Path) -> None:
    results = checked("def player(board)\n    return 'X'\n", tmp_path)
    assert not any(result.passed for result in results.values())
    finding = results["the file"].finding
    assert finding is not None
    assert (finding.mistake, "line 1" in finding.came) == ("does-not-parse", True)
    assert all(result.is_skipped for name, result in results.items() if not name.startswith("the "))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_a_file_in_another_encoding_is_told_to_be_saved_as_utf_8(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes(f"# café\n{MODEL}".encode(encoding))
    finding = check_in_one(LABS["tictactoe"], file, LONG)[0].finding
    assert finding is not None
    assert (finding.mistake, str(tmp_path) in finding.came) == ("not-utf-8", False)


def ask(text: str, folder: Path, seconds: float = 20.0) -> Reply:
    """Call attack() of a file."""
    return ask_each(text, folder, ["attack"], seconds)[0]


def ask_each(text: str, folder: Path, names: list[str], seconds: float = 20.0) -> list[Reply]:
    """Call these functions of a file, one after the other."""
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    with Student(file) as student:
        return [student.ask(Call(name), seconds) for name in names]


def attacks(bodies: list[str], folder: Path) -> list[tuple[str, Reply]]:
    """What comes of each; those that are refused leave the process as it was for the next."""
    text = "\n".join(f"def attack{number}():\n    {body}\n" for number, body in enumerate(bodies))
    replies = ask_each(text, folder, [f"attack{number}" for number in range(len(bodies))])
    return list(zip(bodies, replies, strict=True))


def test_programs_and_the_network_are_refused(tmp_path: Path) -> None:
    bodies = [
        "import os; os.fork()",
        "import os; os.system('echo')",
        "import subprocess, sys; subprocess.run([sys.executable, '-c', ''])",
        "import multiprocessing; p = multiprocessing.get_context('fork').Process(target=print); p.start()",
        "import os, signal; os.kill(os.getppid(), signal.SIGTERM)",
        "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
        "import os; os.execv('/bin/true', ['true'])",
    ]
    for body, reply in attacks(bodies, tmp_path):
        assert reply.trouble == "PermissionError", body
        assert "a file under check may not" in reply.message, body


def test_a_fork_bomb_that_swallows_errors_is_stopped_by_its_time(tmp_path: Path) -> None:
    lines = ["import os", "def attack():", " while True:", "  try: os.fork()", "  except Exception: pass"]
    assert ask("\n".join(lines), tmp_path, 0.2).trouble == TIMEOUT


def test_nothing_outside_its_own_folder_is_changed(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("untouched", encoding="utf-8")
    bodies = [
        f"import os, shutil, pathlib; {body.format(str(tmp_path))}"
        for body in (
            "shutil.rmtree({0!r})", "os.remove({0!r} + '/other.py')", "open({0!r} + '/other.py', 'w')",
            "os.rename({0!r} + '/other.py', 'stolen')", "pathlib.Path({0!r}, 'other.py').write_text('')",
            "os.truncate({0!r} + '/other.py', 0)", "os.chdir({0!r}); os.remove('other.py')",
        )
    ]  # fmt: skip
    for body, reply in attacks(bodies, tmp_path):
        assert reply.trouble == "PermissionError", body
    assert (tmp_path / "other.py").read_text(encoding="utf-8") == "untouched"
    assert (tmp_path / "mine.py").exists()


def test_a_file_that_deletes_its_own_folder_is_asked_again_from_a_fresh_copy(tmp_path: Path) -> None:
    wipes = "import os, shutil\ndef attack():\n    shutil.rmtree('.', ignore_errors=True)\n    os._exit(0)\n"
    wipes += "def peace():\n    return 1\n"
    file = tmp_path / "mine.py"
    file.write_text(wipes, encoding="utf-8")
    with Student(file) as student:
        assert student.ask(Call("attack"), 20).trouble == DIED
        assert student.ask(Call("peace"), 20).value == 1
    assert file.read_text(encoding="utf-8") == wipes


def test_it_may_write_in_its_own_folder_which_is_gone_afterwards(tmp_path: Path) -> None:
    text = "import os\ndef attack():\n    open('notes.txt', 'w').write('x')\n    return os.getcwd()\n"
    reply = ask(text, tmp_path)
    assert str(reply.value).startswith(str(Path(tempfile.gettempdir()).resolve()))
    assert not Path(reply.value).exists()
    assert list(tmp_path.iterdir()) == [tmp_path / "mine.py"]


def test_it_sees_neither_our_code_nor_our_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_SECRET", "hush")
    lines = ["import os", "def attack():", " try: import webapp", " except ImportError: return list(os.environ)"]
    assert "NOUGHTS_SECRET" not in ask("\n".join(lines), tmp_path).value


def test_prints_to_the_real_output_do_not_disturb_the_conversation(tmp_path: Path) -> None:
    lines = ["import os, sys", "def attack():", " os.write(1, b'{}\\n')", " sys.__stdout__.write('x')"]
    reply = ask("\n".join([*lines, " print('seen')", " return 7"]), tmp_path)
    assert (reply.value, reply.output) == (7, "seen\n")


def test_values_no_lab_asks_for_come_back_by_their_looks(tmp_path: Path) -> None:
    reply = ask("def attack():\n    return {1: 2}, range(3), 1 << 70, float('inf')\n", tmp_path)
    assert repr(reply.value) == "({1: 2}, range(0, 3), 1180591620717411303424, inf)"
