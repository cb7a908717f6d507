"""The commands of a host."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask

from tests.conftest import Browser, SetClock, sqlite_only
from tests.factories import PASSWORD, finished_game, make_user
from tests.tables import all_rows, rows_of
from webapp.config import ROOT
from webapp.extensions import db, settings_of
from webapp.operations import host_commands

BrowserOf = Callable[[], Browser]


@pytest.fixture
def command(app: Flask) -> Callable[..., Result]:
    host_commands.init_app(app)

    def run(*words: str) -> Result:
        with app.app_context():
            return app.test_cli_runner().invoke(args=list(words))

    return run


def password_in(result: Result) -> str:
    assert result.exit_code == 0, result.output
    found = re.search(r"password (\S+) ", result.output)
    assert found
    return found[1]


def test_create_user_prints_a_password_that_must_be_changed(client: Browser, command: Callable[..., Result]) -> None:
    password = password_in(command("create-user", "Teacher-1"))
    assert client.log_in("teacher-1", password).status_code == 303
    assert client.get("/").location == "/account"
    client.send("/account/password", page="/account", current_password=password, new_password="battery staple")
    assert client.get("/").status_code == 200
    client.send("/log-out")
    assert client.log_in("teacher-1", password).status_code == 403


@pytest.mark.parametrize(
    ("name", "words"), [("ab", "3 to 20"), ("admin", "reserved"), ("a b c", "made of"), ("PLAYER7", "taken")]
)
def test_create_user_refuses_with_a_sentence(app: Flask, command: Callable[..., Result], name: str, words: str) -> None:
    make_user(app)
    before = all_rows(app)
    result = command("create-user", name)
    assert result.exit_code == 1
    assert words in result.output
    assert "Traceback" not in result.output
    assert all_rows(app) == before


def test_reset_password_ends_all_sessions_and_the_old_password(
    client: Browser, browser_of: BrowserOf, command: Callable[..., Result]
) -> None:
    client.sign_up()
    password = password_in(command("reset-password", "PLAYER7"))
    assert client.get("/account").status_code == 303
    assert browser_of().log_in("player7", PASSWORD).status_code == 403
    assert client.log_in("player7", password).status_code == 303
    assert client.get("/").location == "/account"


def test_one_time_passwords_differ_and_are_hard_to_guess(app: Flask, command: Callable[..., Result]) -> None:
    make_user(app)
    passwords = {password_in(command("reset-password", "player7")) for _ in range(5)}
    assert len(passwords) == 5
    assert all(re.fullmatch("([a-z2-9]{4}-){2}[a-z2-9]{4}", password) for password in passwords)


def test_reset_password_of_nobody_is_refused_with_a_sentence(client: Browser, command: Callable[..., Result]) -> None:
    client.sign_up("gone-away")
    client.send("/account/delete", password=PASSWORD)
    for name in ("nobody-here", "gone-away", "", "'; --"):
        result = command("reset-password", name)
        assert result.exit_code == 1
        assert "There is no account with the name" in result.output


def test_purge_takes_what_is_over_and_says_how_much(
    app: Flask, client: Browser, browser_of: BrowserOf, command: Callable[..., Result], set_clock: SetClock
) -> None:
    guest = browser_of()
    finished_game(guest)
    browser_of().sign_up("not-seen-since")
    client.sign_up()
    for _ in range(2):
        set_clock.pass_time(days=10)
        client.get("/")
    assert command("purge").output == "Deleted: expired sessions 2, guests 1, games that nobody joined 0.\n"
    assert client.get("/account").status_code == 200
    assert not rows_of(app, "throttle")
    assert {row["name"] for row in rows_of(app, "user")} == {"player7", "not-seen-since"}


def test_purge_forgets_browsers_that_were_not_used_for_a_year(
    app: Flask, client: Browser, command: Callable[..., Result], set_clock: SetClock
) -> None:
    client.sign_up()
    set_clock.pass_time(days=364)
    command("purge")
    assert len(rows_of(app, "known_browser")) == 1
    set_clock.pass_time(days=2)
    command("purge")
    assert not rows_of(app, "known_browser")


@sqlite_only
def test_a_database_that_cannot_be_used_is_told_in_a_sentence(app: Flask, command: Callable[..., Result]) -> None:
    with app.app_context():
        db.engine.dispose()
    file = settings_of(app).instance / "noughts.db"
    for path in file.parent.glob("noughts.db*"):
        path.unlink()
    file.mkdir()
    for words in (["create-user", "player7"], ["purge"], ["start-up"]):
        done = command(*words)
        assert (done.exit_code, type(done.exception)) == (1, SystemExit), words
        assert "Error: The database cannot be used: " in done.output and "run.py doctor' says" in done.output, words


@pytest.mark.slow
def test_a_host_types_them_at_a_real_prompt(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, "-m", "flask", "--app", str(ROOT / "wsgi.py"), *words]
        environment = {**os.environ, "NOUGHTS_INSTANCE": str(tmp_path / "new"), "DATABASE_URL": ""}
        return subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert run("upgrade-database").returncode == 0
    made = run("create-user", "player7")
    assert re.match(r"player7 logs in with the password \S{14} ", made.stdout), made.stderr
    assert "Usage: python3 run.py create-user [OPTIONS] NAME" in run("create-user").stderr
    again = run("create-user", "Player7")
    assert (again.returncode, again.stderr) == (1, "Error: This name is taken. Choose another one.\n")
