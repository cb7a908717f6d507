"""run.py as a person meets it: started for real in a small tree, with the running environment lent to it."""

import ast
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import sleep
from urllib.request import urlopen

import click
import pytest

import webapp.operations.host_commands as host_commands
from tests.fresh_copy import SITE, TOOLS, copy_into, lend_environment, press_ctrl_c, served, surroundings
from webapp.browser_python import folder_in
from webapp.launcher.environment import DEVELOPMENT, RUNTIME
from webapp.launcher.processes import ROOT

OLD_PYTHONS_CANNOT_READ = (
    ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Nonlocal, ast.YieldFrom, ast.AsyncFunctionDef, ast.Match,
)  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with run.py and the pins in it, and no .venv yet."""
    return copy_into(tmp_path, TOOLS)


@pytest.fixture
def ready_tree(tree: Path) -> Path:
    return lend_environment(tree)


@pytest.fixture
def site_tree(tmp_path: Path) -> Path:
    return lend_environment(copy_into(tmp_path, SITE))


@pytest.fixture
def database(site_tree: Path, empty_database: Path) -> Path:
    """The site has been up before, and has its tables."""
    (site_tree / "instance").mkdir(mode=0o700)
    return Path(shutil.copy(empty_database, site_tree / "instance" / "noughts.db"))


def start(tree: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, tree / "run.py", *words],
        cwd=tree, env=surroundings(**environment), capture_output=True, text=True,
    )  # fmt: skip


def assert_refused(done: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert done.returncode == 1
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


# Old Pythons


def test_an_old_python_can_read_the_file() -> None:
    source = (ROOT / "run.py").read_bytes().decode("ascii")
    for node in ast.walk(ast.parse(source, feature_version=(3, 4))):
        assert not isinstance(node, OLD_PYTHONS_CANNOT_READ), ast.unparse(node)
        assert not (isinstance(node, ast.arg) and node.annotation), ast.unparse(node)
        assert not (isinstance(node, ast.arguments) and node.kwonlyargs), ast.unparse(node)
        assert not (isinstance(node, ast.Raise) and node.cause), ast.unparse(node)
        assert not (isinstance(node, ast.List | ast.Tuple) and has_star(node.elts)), ast.unparse(node)
        assert not (isinstance(node, ast.Call) and has_star(node.args[:-1])), ast.unparse(node)
        assert not (isinstance(node, ast.Name) and node.id == "print"), "print(..., end=...) is Python 3"


def has_star(elements: list[ast.expr]) -> bool:
    return any(isinstance(element, ast.Starred) for element in elements)


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 5, 3), (3, 10, 14)])
def test_an_old_python_is_told_which_one_is_needed(version: tuple[int, int, int]) -> None:
    pretend = f"import sys; sys.version_info = {version}; exec(open('run.py').read())"
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True)
    assert_refused(done, "needs Python 3.11 or newer, and this is Python {}.{}".format(*version))


# Help


def test_help_lists_everything_and_needs_no_environment(tmp_path: Path) -> None:
    copy_into(tmp_path, ("run.py", "webapp"))
    done, *others = [start(tmp_path, word) for word in ("help", "--help", "-h")]
    assert (done.returncode, done.stderr) == (0, "")
    assert {other.stdout for other in others} == {done.stdout}
    assert not (tmp_path / ".venv").exists()
    known = {command.name for command in vars(host_commands).values() if isinstance(command, click.Command)}
    known |= {"test", "bench", "screenshots", "security", "soak", "help", "--host", "--port"}
    assert known <= set(re.findall(r"[\w-]+", done.stdout))
    for usage in ("restore FILE", "check-database [PLACE]", "copy-database FROM TO"):
        assert f"{usage}  " in done.stdout, usage


# The environment


def test_a_python_without_venv_is_told_what_to_install(tree: Path) -> None:
    without = "import runpy, sys; sys.modules['ensurepip'] = None; sys.argv = ['run.py', '--port', '0']; "
    done = subprocess.run(
        [sys.executable, "-c", without + "runpy.run_path('run.py', run_name='__main__')"],
        cwd=tree, capture_output=True, text=True,
    )  # fmt: skip
    assert_refused(done, "apt install python3-venv")


@pytest.mark.slow
def test_without_a_network_the_install_says_so_and_is_tried_again(tree: Path) -> None:
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull}
    nowhere |= dict.fromkeys(("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"), "")
    for _ in range(2):
        done = start(tree, "--port", "0", **nowhere)
        assert_refused(done, "connect to the network")
        assert "Installing the packages" in done.stdout


@pytest.mark.slow
def test_changed_pins_are_installed_and_what_pip_refuses_is_said(ready_tree: Path) -> None:
    (ready_tree / RUNTIME).write_text("no such line\n")
    done = start(ready_tree, "--port", "0")
    assert "Installing the packages in requirements.txt" in done.stdout
    assert_refused(done, "pip says")


def test_the_development_pins_hold_the_runtime_pins_unchanged() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^[\w.\[\]-]+==\S+", (ROOT / name).read_text(), re.MULTILINE))

    assert len(pins(RUNTIME)) > 10
    assert pins(RUNTIME) <= pins(DEVELOPMENT)


# Where the site is


def test_a_taken_port_is_refused_in_one_sentence(tree: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert_refused(start(tree, "--port", str(port)), f"Port {port} is taken")
    assert not (tree / ".venv").exists()


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--port", "65536", "numbers from 0 to 65535"),
        ("--port", "-1", "numbers from 0 to 65535"),
        ("--host", "203.0.113.1", "has no address 203.0.113.1"),
    ],
)
def test_an_impossible_address_is_refused_in_one_sentence(
    tree: Path, option: str, value: str, sentence: str
) -> None:
    assert_refused(start(tree, option, value), sentence)


# The site


@pytest.mark.usefixtures("database")
def test_the_site_is_at_its_address_and_ctrl_c_ends_it_under_a_request(site_tree: Path) -> None:
    with served(site_tree) as (address, site), urlopen(address + "/healthz") as answer:
        assert answer.status == 200
        port = int(address.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as slow:
            slow.sendall(b"POST /log-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nname=")
            press_ctrl_c(site)
            site.wait(timeout=30)
        with socket.create_server(("127.0.0.1", port)):
            pass  # nobody listens there any more
    log = (site_tree / "server.log").read_text()
    assert "Traceback" not in log


def test_started_again_the_site_keeps_its_database_and_loads_no_migrations(site_tree: Path) -> None:
    assert asked_schema(site_tree) == "behind"
    with served(site_tree):
        pass
    assert asked_schema(site_tree) == "current"
    loaded = in_environment(site_tree, "-c", "import wsgi, sys; print('alembic' in sys.modules)")
    assert loaded == "False"


def test_guests_who_have_gone_are_deleted_when_the_site_starts(site_tree: Path, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        long_ago = "2020-01-01 00:00:00.000000"
        columns = "must_change_password, created_at, last_seen_at"
        connection.execute(f"INSERT INTO user ({columns}) VALUES (0, ?, ?)", (long_ago, long_ago))
        connection.commit()
        with served(site_tree):
            for _ in range(300):
                if connection.execute("SELECT count(*) FROM user").fetchone() == (0,):
                    break
                sleep(0.1)
        assert connection.execute("SELECT count(*) FROM user").fetchone() == (0,)


def asked_schema(tree: Path) -> str:
    return in_environment(tree, "-m", "webapp.schema")


def in_environment(tree: Path, *words: str) -> str:
    program = [tree / ".venv/bin/python", *words]
    return subprocess.run(program, cwd=tree, env=surroundings(), stdout=subprocess.PIPE, text=True).stdout.strip()


def test_a_database_from_the_future_is_refused_in_one_sentence(site_tree: Path, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    assert_refused(start(site_tree, "--port", "0"), "made by a newer version of Noughts")
    assert_refused(start(site_tree, "routes"), "made by a newer version of Noughts")


def test_a_setting_that_makes_no_sense_is_refused_in_one_sentence(site_tree: Path) -> None:
    assert_refused(start(site_tree, "--port", "0", NOUGHTS_GUESTS="perhaps"), "NOUGHTS_GUESTS must be on or off")


def test_a_folder_that_cannot_be_used_is_named_in_one_sentence(site_tree: Path) -> None:
    for words in (["--port", "0"], ["restore", "run.py"], ["backup", "monday.db"]):
        done = start(site_tree, *words, NOUGHTS_INSTANCE="run.py/instance")
        assert done.returncode == 1, words
        assert "Traceback" not in done.stderr
        assert f"The folder {site_tree}/run.py/instance cannot be used (Not a directory)." in done.stderr


@pytest.mark.usefixtures("database")
def test_other_words_are_commands_of_the_site(site_tree: Path) -> None:
    assert "/healthz" in start(site_tree, "routes").stdout


def test_an_unknown_word_is_told_which_words_there_are_before_anything_is_installed(tree: Path) -> None:
    done = start(tree, "no-such-command")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("There is no command no-such-command. The commands are: ")
    assert "bench, help, screenshots, security, soak, test" in done.stderr
    assert not (tree / ".venv").exists()


# The tests

# What these small tests have no use for takes each process of pytest a third of a second to load.
FEW_PLUGINS = "-p no:schemathesis -p no:playwright -p no:hypothesispytest -p no:anyio"


def run_tests(tree: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return start(tree, "test", *options, PYTEST_ADDOPTS=FEW_PLUGINS, **environment)


def put_tests(tree: Path, text: str) -> None:
    for name in ("webapp/__init__.py", "wsgi.py"):
        (tree / name).write_text("")
    (tree / "tests").mkdir()
    copy_into(tree, [f"tests/{name}.py" for name in ("__main__", "browser", "memory", "programs")])
    copy_into(tree, ["webapp/browser_python.py"])
    folder_in(tree / "instance").mkdir(parents=True)  # nothing is to be fetched
    (tree / "tests" / "test_small.py").write_text("import pytest\n\n\n" + text)


@pytest.mark.slow
def test_options_go_to_pytest_and_what_they_leave_out_is_said(ready_tree: Path) -> None:
    put_tests(ready_tree, "def test_accounts(): assert pytest\ndef test_games(): assert False\n")
    done = run_tests(ready_tree, "-k", "accounts", "-n", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert "Installing" not in done.stdout
    assert done.stdout.splitlines()[-2:] == [
        "Passed: tests.",
        "Not asked for: lint, types and what the options leave out; 'run.py test' runs everything.",
    ]


@pytest.mark.slow
def test_lint_types_and_tests_all_run_and_the_failed_ones_are_named(ready_tree: Path) -> None:
    put_tests(ready_tree, "def test_games():\n    assert pytest\n")
    done = run_tests(ready_tree)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Passed: lint, types, security, tests.")
    (ready_tree / "wsgi.py").write_text('import os\n\nnumber: int = "3"\nexec("number")\n')
    (ready_tree / "tests" / "test_small.py").write_text("def test_games():\n    assert 1 == 2\n")
    done = run_tests(ready_tree)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "Failed: lint, types, security, tests.")
    assert "`os` imported but unused" in done.stdout and "wsgi.py:3: error: Incompatible types" in done.stdout
    assert "Use of exec detected" in done.stdout


@pytest.mark.slow
def test_what_could_not_run_is_said_in_the_last_lines(ready_tree: Path) -> None:
    put_tests(
        ready_tree,
        "@pytest.mark.parametrize('n', [1, 2])\n"
        "def test_journey(n): pytest.skip('no Chromium was found')\n"
        "@pytest.mark.xfail\n"
        "def test_known(): assert False\n",
    )
    folder_in(ready_tree / "instance").rmdir()
    done = run_tests(ready_tree, "-q", "-n", "0", PATH="", PIP_INDEX_URL="http://127.0.0.1:1", PIP_RETRIES="0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-3:] == [
        "Not run on this machine: 2 of the tests (no Chromium was found).",
        "This machine has no Chromium: install it to run the journeys in a real browser.",
        "Python for the browser is not there: 'run.py add-browser-python' fetches it for the journeys.",
    ]
