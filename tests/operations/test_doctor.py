"""`run.py doctor`: each thing that it finds is made so, and then it says it. The running site: test_doctor_site.py."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from sqlalchemy import NullPool, create_engine, text

from tests.conftest import POOLED, Browser, MakeApp, SetClock, postgres_only, sqlite_only
from tests.factories import make_user
from webapp.browser_python import folder_in
from webapp.config import Settings, read_settings
from webapp.database import reading
from webapp.extensions import settings_of
from webapp.operations import host_commands
from webapp.operations.backup_folder import name_of_faulty
from webapp.operations.daily_backup import make_daily_backup
from webapp.operations.doctor import database_checks
from webapp.operations.doctor.backup_checks import backup_findings
from webapp.operations.doctor.database_checks import _sqlite_version, connections_finding, database_findings
from webapp.operations.doctor.findings import Finding
from webapp.operations.doctor.machine_checks import (
    browser_python_findings,
    disk_findings,
    permission_findings,
    version_findings,
)
from webapp.operations.doctor.pooler_checks import pooler_findings
from webapp.operations.doctor.settings_checks import settings_findings
from webapp.schema import revision_of


def told(found: Iterable[Finding], word: str = "") -> str:
    """What is said of this weight."""
    return "\n".join(str(finding) for finding in found if str(finding).startswith(word))


def change(app: Flask, statement: str) -> None:
    with create_engine(str(app.config["SQLALCHEMY_DATABASE_URI"]), poolclass=NullPool).begin() as connection:
        connection.execute(text(statement))


def refuse(_: object) -> None:
    raise PermissionError(13, "Permission denied")


def of_database(app: Flask, word: str = "") -> str:
    with app.app_context():
        return told(database_findings(), word)


# The whole of it


@sqlite_only
def test_the_command_ends_with_one_if_something_must_be_mended(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    host_commands.init_app(app)
    with app.app_context():
        done = app.test_cli_runner().invoke(args=["doctor"])
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "Nothing must be mended."), done.output
    monkeypatch.setenv("NOUGHTS_PROXY", "1")
    with app.app_context():
        done = app.test_cli_runner().invoke(args=["doctor"])
    assert done.exit_code == 1
    assert done.output.splitlines()[-2:] == [
        "Mend: There is no setting NOUGHTS_PROXY, so it does nothing. Did you mean NOUGHTS_PROXIES?",
        "To be mended: 1.",
    ]


# Settings


def of_settings(**values: str) -> str:
    return told(settings_findings(read_settings({f"NOUGHTS_{name}": value for name, value in values.items()}), {}))


def test_settings_that_do_not_fit_together_are_told() -> None:
    assert of_settings() == "Good: The settings fit together."
    behind_proxy = {"HTTPS": "on", "PROXIES": "1", "HOSTS": "noughts.example"}
    assert of_settings(**behind_proxy, ADDRESS="http://127.0.0.1:8000") == "Good: The settings fit together."
    assert "begins with http: people" in of_settings(**behind_proxy, ADDRESS="http://noughts.example")
    assert "NOUGHTS_HTTPS is off" in of_settings(ADDRESS="https://noughts.example")
    assert "NOUGHTS_PROXIES is 0" in of_settings(HTTPS="on")
    assert "not among NOUGHTS_HOSTS" in of_settings(**behind_proxy, ADDRESS="https://other.example")
    assert "NOUGHTS_HOSTS is not set" in of_settings(PROXIES="1")
    assert "lets everybody read" in of_settings(METRICS="0.0.0.0/0")
    assert "NOUGHTS_SEED is set" in of_settings(SEED="1")
    assert "docs/hosting.md" in told(settings_findings(read_settings({}), {"NOUGHTS_QQQ": "1"}), "Mend")


# Database


def test_a_database_in_good_order_is_called_so(app: Flask) -> None:
    make_user(app, "teacher7")
    assert of_database(app, "Consider").startswith("Consider: There is no instructor yet")
    change(app, """UPDATE "user" SET is_instructor = true""")
    assert "There is an instructor." in of_database(app)
    assert not of_database(app, "Mend") and not of_database(app, "Consider")


def test_an_old_a_newer_and_an_unfinished_database_are_told(app: Flask) -> None:
    for revision, words in (("0001", "upgrade-database"), ("9999", "newer version"), ("copying", "never finished")):
        change(app, f"UPDATE alembic_version SET version_num = '{revision}'")
        assert words in of_database(app, "Mend"), revision


@sqlite_only
def test_a_damaged_file_is_told(app: Flask, tmp_path: Path) -> None:
    for number in range(20):
        make_user(app, f"player{number}")
    file = tmp_path / "noughts.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'user'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    content[(page - 1) * size + 8 : (page - 1) * size + 40] = b"\xff" * 32
    file.write_bytes(content)
    assert "The database is damaged" in of_database(app, "Mend")
    file.write_bytes(b"no database at all")
    assert "cannot be used" in of_database(app, "Mend")


def test_a_database_that_cannot_be_read_is_not_taken_for_an_old_one(tmp_path: Path) -> None:
    """As on a full disk, where the files beside it cannot be made."""
    file = tmp_path / "noughts.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE alembic_version (version_num)")
    (tmp_path / "noughts.db-wal").mkdir()
    with pytest.raises(sqlite3.OperationalError):
        revision_of(f"sqlite:///{file}")


@sqlite_only
def test_rows_without_their_rows_and_an_old_sqlite_are_told(app: Flask) -> None:
    change(app, "INSERT INTO seat (game_id, mark, user_id) VALUES (77, 'X', 77)")
    assert "rows are missing" in of_database(app, "Mend")
    assert "too old" in str(_sqlite_version((3, 34, 1)))


@sqlite_only
def test_a_database_that_is_not_there_yet_is_not_made(app: Flask, tmp_path: Path) -> None:
    host_commands.init_app(app)
    for file in tmp_path.glob("noughts.db*"):
        file.unlink()
    with app.app_context():
        done = app.test_cli_runner().invoke(args=["doctor"])
    assert "There is no database yet" in done.output
    assert not list(tmp_path.glob("noughts.db*"))


@postgres_only
def test_what_postgresql_can_get_wrong_is_told(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app(NOUGHTS_WORKERS=64)
    found = of_database(app)
    assert "PostgreSQL allows" in found and "can need 3200" in found
    assert "The clocks of this machine and of PostgreSQL are" in of_database(app, "Mend")  # ours stands still
    change(app, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'uq_game_public_id'::regclass")
    assert "REINDEX INDEX uq_game_public_id" in of_database(app, "Mend")
    assert "2 of 197 connections left" in str(connections_finding(197, 195, 100))
    unreachable = make_app(DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert "The database cannot be used: " in of_database(unreachable, "Mend")


def test_a_clock_behind_the_newest_rows_is_told(app: Flask, client: Browser, set_clock: SetClock) -> None:
    client.sign_up()
    assert "ahead of the clock" not in of_database(app)
    set_clock.moment -= timedelta(minutes=30)
    assert "30 minutes ahead of the clock" in of_database(app, "Mend")


# Backups


def test_behind_a_pooler_the_connections_of_the_server_are_not_counted(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shares out its own, so to put one between would be no advice."""
    with app.app_context():
        is_postgres = "postgresql" in str(app.config["SQLALCHEMY_DATABASE_URI"])
        assert ("connections" in told(database_findings())) == is_postgres
    monkeypatch.setattr(database_checks, "is_pooled", lambda _: True)
    assert "connections" not in of_database(app)


@pytest.mark.parametrize("database_kind", [POOLED], indirect=True)
def test_a_way_past_the_pooler_that_is_not_set_or_leads_elsewhere_is_told(app: Flask) -> None:
    through, past = settings_of(app).database_url, settings_of(app).listen_url
    elsewhere = urlsplit(past)._replace(path="/postgres").geturl()
    refused = "postgresql://nobody@127.0.0.1:1/none"
    with app.app_context(), reading() as connection:
        for listen_url, words in (
            ("", "Mend: DATABASE_URL leads through a pooler"),
            (through, "Mend: NOUGHTS_LISTEN_URL leads through a pooler"),
            (refused, "Mend: The database cannot be used at NOUGHTS_LISTEN_URL"),
            (elsewhere, "Mend: NOUGHTS_LISTEN_URL leads to another database"),
            (past, "Good: NOUGHTS_LISTEN_URL leads to the same database"),
        ):
            known = replace(settings_of(app), listen_url=listen_url)
            assert told(pooler_findings(connection, known)).startswith(words), words


def test_the_age_and_the_file_of_the_last_backup_are_looked_at(
    make_app: MakeApp, tmp_path: Path, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "backups"
    app = make_app(NOUGHTS_BACKUPS=str(folder))
    if "postgresql" in (url := str(app.config["SQLALCHEMY_DATABASE_URI"])) and not shutil.which("pg_dump"):
        pytest.skip("this machine has no pg_dump")
    known = settings_of(app)

    def of_backups(known: Settings = known, is_running: bool = True) -> str:
        return told(backup_findings(known, is_running))

    with app.app_context():
        assert "Set NOUGHTS_BACKUPS" in of_backups(settings_of(make_app()))
        assert "Consider: No backup was made by itself yet." in of_backups()
        file = make_daily_backup(url, folder)
        assert file and "Good: The last good backup was made just now" in of_backups()
        assert ("on the same disk" in of_backups()) == ("sqlite" in url)
        with monkeypatch.context() as patched:
            patched.setattr(Path, "iterdir", refuse)
            assert "just now" in of_backups()  # that the folder cannot be read is told with the permissions
        file.rename(tmp_path / file.name)
        assert f"The last good backup {file} is not there" in of_backups()
        assert ("Mend" in of_backups()) == ("sqlite" in url)
        (tmp_path / file.name).rename(file)
        set_clock.pass_time(hours=37)
        assert "Mend: The last good backup was made 1 day ago" in of_backups()
        assert "Consider: The last good backup was made 1 day ago" in of_backups(is_running=False)
        with file.open("r+b") as content:
            content.seek(200)
            content.write(b"a flipped bit")
        assert "its checksum is wrong" in of_backups()
        (folder / name_of_faulty(file.name).replace("-08", "-09")).touch()
        assert "The check found faults in the newest backup" in of_backups()


@postgres_only
def test_a_pg_dump_that_is_missing_or_too_old_is_told(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with app.app_context():
        assert "has no pg_dump" in told(backup_findings(settings_of(app), True), "Mend")
        program = tmp_path / "pg_dump"
        program.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
        program.chmod(0o755)
        assert "pg_dump is of version 9 and" in told(backup_findings(settings_of(app), True), "Mend")


# The machine


def test_what_others_can_read_or_own_is_told(tmp_path: Path) -> None:
    known = read_settings({"NOUGHTS_INSTANCE": str(tmp_path)})
    tmp_path.chmod(0o700)
    (tmp_path / "secret_key").touch(mode=0o600)
    assert "Only the user who owns" in told(permission_findings(known), "Good")
    (tmp_path / "secret_key").chmod(0o640)
    assert "Other users of this machine can read" in told(permission_findings(known), "Mend")
    (tmp_path / "secret_key").chmod(0o600)
    tmp_path.chmod(0o711)
    assert f"chmod go= {tmp_path}'" in told(permission_findings(known), "Mend")


def test_what_one_may_not_write_to_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = read_settings({"NOUGHTS_INSTANCE": str(tmp_path), "NOUGHTS_BACKUPS": str(tmp_path / "a" / "b")})
    (tmp_path / "noughts.db").touch(mode=0o400)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) == tmp_path)  # root may do everything
    assert f"chmod u+rw {tmp_path / 'noughts.db'}'" in told(permission_findings(known), "Mend")
    assert "b is not there" not in told(permission_findings(known))
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path or not mode & os.W_OK)
    assert f"{tmp_path / 'a' / 'b'} is not there, and {tmp_path} cannot be" in told(permission_findings(known), "Mend")
    monkeypatch.setattr(Path, "exists", refuse)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) == tmp_path)
    assert f"{tmp_path / 'a' / 'b'} cannot be written to" in told(permission_findings(known), "Mend")
    assert f"free on the disk of {tmp_path}." in told(disk_findings(known))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_told_and_root_is_told_to_be_somebody(tmp_path: Path) -> None:
    known = read_settings({"NOUGHTS_INSTANCE": str(tmp_path)})
    tmp_path.chmod(0o700)
    (tmp_path / "noughts.db-wal").touch(mode=0o600)
    os.chown(tmp_path / "noughts.db-wal", 65534, 65534)
    assert "belongs to another user" in told(permission_findings(known), "Mend")
    assert "You are root" in told(permission_findings(known), "Consider")


def test_a_disk_that_is_full_or_cannot_be_written_to_is_told(small_disk: Path) -> None:
    known = read_settings({"NOUGHTS_INSTANCE": str(small_disk)})
    assert "Make room before" in told(disk_findings(known), "Mend")
    assert "cannot be written to" not in told(permission_findings(known))
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    assert "cannot be written to" in told(permission_findings(known), "Mend")


def test_packages_unlike_their_pins_are_told(tmp_path: Path) -> None:
    pins = tmp_path / "pins.txt"
    assert "in the versions that are pinned" in told(version_findings(), "Good")
    pins.write_text("flask==0.1 \\\n    --hash=sha256:abc\nno-such-thing==7\nnot-here==1 ; sys_platform == 'win32'\n")
    found = told(version_findings(pins), "Mend")
    assert "The package flask is " in found and ", and 0.1 is pinned" in found
    assert "The package no-such-thing is not there" in found and "not-here" not in found


def test_python_for_the_browser_is_looked_for(tmp_path: Path) -> None:
    known = read_settings({"NOUGHTS_INSTANCE": str(tmp_path)})
    assert "add-browser-python" in told(browser_python_findings(known), "Consider")
    folder_in(tmp_path).mkdir(parents=True)
    assert "Python for the browser is there." in told(browser_python_findings(known), "Good")
