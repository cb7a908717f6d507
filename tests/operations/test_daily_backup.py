"""Backups that the site makes by itself: one a day, however many processes serve, and which of them are kept."""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import NullPool, create_engine, text

from tests.conftest import MakeApp, SetClock, postgres_only, sqlite_only
from tests.live_server import LiveBrowser, is_running, live_server, pools_of, until
from tests.meanwhile import all_at_once
from tests.operations.full_database import fill
from tests.tables import rows_of
from webapp.errors import Refusal
from webapp.operations.backup import restore
from webapp.operations.backup_folder import day_of, name_of, outdated, thin_out
from webapp.operations.checksum import is_as_written
from webapp.operations.commands import NOT_NOW
from webapp.operations.daily_backup import SomebodyIsAtIt, make_daily_backup
from webapp.operations.invariants import check
from webapp.serving.daily import DailyCommand


@pytest.fixture
def backed_up(make_app: MakeApp, tmp_path: Path) -> Iterator[Flask]:
    """An app whose backups go into `backups` beside it."""
    app = make_app(NOUGHTS_BACKUPS=str(tmp_path / "backups"))
    if "postgresql" in url_of(app) and not shutil.which("pg_dump"):
        pytest.skip("this machine has no pg_dump")
    with app.app_context():
        yield app


def url_of(app: Flask) -> str:
    return str(app.config["SQLALCHEMY_DATABASE_URI"])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Which are kept


def test_seven_days_and_the_last_of_four_weeks_before_are_kept() -> None:
    kept: list[str] = []
    for number in range(100):
        day = date(2026, 1, 1) + timedelta(days=number)
        kept.append(name_of(datetime(day.year, day.month, day.day, 3, tzinfo=UTC), "db"))
        kept = [name for name in kept if name not in outdated(kept, day)]
    days = [day_of(name) for name in kept]
    today = date(2026, 4, 10)
    assert days[-7:] == [today - timedelta(days=back) for back in range(6, -1, -1)]
    assert days[:-7] == [date(2026, 3, 15), date(2026, 3, 22), date(2026, 3, 29), date(2026, 4, 3)]  # three are Sundays


def test_days_without_a_backup_take_nobodys_place() -> None:
    weekly = [f"daily-2026{month:02}01-030000.dump" for month in range(1, 11)]
    assert outdated(weekly[:7], date(2026, 12, 1)) == []
    assert outdated(weekly[:11], date(2026, 12, 1)) == []


def test_of_two_on_one_day_the_newer_is_kept() -> None:
    assert outdated(["daily-20260101-030000.db", "daily-20260101-040000.db"], date(2026, 1, 1)) == [
        "daily-20260101-030000.db"
    ]


def test_what_is_not_ours_or_from_a_wrong_clock_is_left_alone(tmp_path: Path) -> None:
    ours = [f"daily-202601{day:02}-030000.db" for day in range(1, 31)]
    others = ["before-restore-20260101.db", "monday.db", "daily-20360101-030000.db", "daily-20261399-030000.db"]
    for name in (*ours, *others, "faulty-1.db", "faulty-2.db", "faulty-3.db"):
        (tmp_path / name).touch()
    thin_out(tmp_path, date(2026, 1, 30))
    assert set(others) < set(names(tmp_path))
    assert set(names(tmp_path)) & set(ours[-7:]) == set(ours[-7:])
    assert "faulty-1.db" not in names(tmp_path) and "faulty-3.db" in names(tmp_path)


# One a day


def test_there_is_one_a_day_and_readyz_tells_when(backed_up: Flask, tmp_path: Path, set_clock: SetClock) -> None:
    def deep() -> str:
        return str(backed_up.test_client().get("/readyz?deep").text)

    folder = tmp_path / "backups"
    assert deep() == "ok\nNo backup was made by itself yet.\n"
    first = make_daily_backup(url_of(backed_up), folder)
    assert first and first.name.startswith("daily-20260901-080000.")
    assert is_as_written(first) and first.stat().st_mode & 0o77 == folder.stat().st_mode & 0o77 == 0
    set_clock.pass_time(hours=15)
    assert make_daily_backup(url_of(backed_up), folder) is None
    assert deep() == "ok\nThe last good backup was made 15 hours ago: 2026-09-01 08:00 UTC.\n"
    set_clock.pass_time(hours=2)
    second = make_daily_backup(url_of(backed_up), folder)
    assert second and names(folder) == [first.name, second.name]
    assert backed_up.test_client().get("/readyz").text == "ok\n"


def test_of_several_who_begin_at_once_one_makes_it(backed_up: Flask, tmp_path: Path) -> None:
    def make() -> str:
        with backed_up.app_context():
            try:
                return "made" if make_daily_backup(url_of(backed_up), tmp_path / "backups") else "there"
            except SomebodyIsAtIt:
                return "at it"

    assert sorted(all_at_once([make] * 6)).count("made") == 1
    assert len(names(tmp_path / "backups")) == 1


def test_a_claim_is_taken_over_when_its_process_must_be_dead(
    backed_up: Flask, tmp_path: Path, set_clock: SetClock
) -> None:
    with create_engine(url_of(backed_up), poolclass=NullPool).begin() as connection:
        claim = {"day": set_clock.moment.date(), "claimed_at": set_clock.moment}
        connection.execute(text("INSERT INTO daily_backup (day, claimed_at) VALUES (:day, :claimed_at)"), claim)
    set_clock.pass_time(hours=1)
    with pytest.raises(SomebodyIsAtIt):
        make_daily_backup(url_of(backed_up), tmp_path / "backups")
    set_clock.pass_time(hours=2)
    assert make_daily_backup(url_of(backed_up), tmp_path / "backups")


def test_one_that_failed_is_tried_again_at_once(backed_up: Flask, tmp_path: Path) -> None:
    (tmp_path / "backups").write_text("no folder")
    with pytest.raises(Refusal, match="could not be written"):
        make_daily_backup(url_of(backed_up), tmp_path / "backups")
    (tmp_path / "backups").unlink()
    assert make_daily_backup(url_of(backed_up), tmp_path / "backups")


@sqlite_only
def test_one_with_faults_is_kept_apart_and_does_not_count(backed_up: Flask, tmp_path: Path) -> None:
    fill(backed_up)
    with create_engine(url_of(backed_up), poolclass=NullPool).begin() as connection:
        connection.execute(text("UPDATE tally SET won = 77"))
    with pytest.raises(Refusal, match="I9 Totals equal a recount"):
        make_daily_backup(url_of(backed_up), tmp_path / "backups")
    assert [name.partition("-")[0] for name in names(tmp_path / "backups")] == ["faulty"]
    assert "No backup was made" in backed_up.test_client().get("/readyz?deep").text


# In a real run


@pytest.mark.slow
@postgres_only
def test_a_pg_dump_that_hangs_is_ended_and_leaves_nothing(
    make_app: MakeApp, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, folder, hangs = make_app(), tmp_path / "backups", tmp_path / "pg_dump"
    hangs.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/hanging\nexec sleep 3600\n")
    hangs.chmod(0o755)
    settings = {"DATABASE_URL": database, "NOUGHTS_INSTANCE": str(tmp_path), "NOUGHTS_BACKUPS": str(folder)}
    for name, value in (settings | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}).items():
        monkeypatch.setenv(name, value)
    backups, note = DailyCommand("daily-backup"), tmp_path / "hanging"
    backups.run_if_due()
    process = backups._process
    assert process
    until(lambda: note.exists() and note.read_text().endswith("\n"), tmp_path / "log")
    backups._ends_at = 0
    backups.run_if_due()
    assert process.wait(30) == NOT_NOW
    backups.run_if_due()
    until(lambda: not is_running(int(note.read_text())), tmp_path / "log")
    assert (names(folder), rows_of(app, "daily_backup")) == ([], [])


@pytest.mark.slow
def test_a_running_site_makes_one_that_can_be_restored(database: str, tmp_path: Path) -> None:
    if database and not shutil.which("pg_dump"):
        pytest.skip("this machine has no pg_dump")
    folder = tmp_path / "backups"
    folder.mkdir(mode=0o700)
    with live_server(tmp_path, DATABASE_URL=database, NOUGHTS_BACKUPS=str(folder)) as server:
        until(lambda: "The backup of today is in" in server.log.read_text(), server.log)
        assert "just now" in LiveBrowser(server).get("/readyz?deep").text
        LiveBrowser(server).sign_up("player7")
        supervisor = server.process
        assert supervisor
        until(lambda: len(pools_of(supervisor)) == 1, server.log)  # who made the backup has the file open no longer
    (file,) = folder.iterdir()
    restore(server.database, file, tmp_path, force=True)
    assert check(server.database) == []
    with create_engine(server.database, poolclass=NullPool).connect() as connection:
        assert connection.scalar(text('SELECT count(*) FROM "user"')) == 0
