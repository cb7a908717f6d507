"""Games that ended before verdicts were kept are judged by a migration, which can be killed and goes on."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import insert, select, text, update

from tests.conftest import MakeApp, own_database
from tests.operations.full_database import fill
from tests.tables import Rows, all_rows
from webapp.config import ROOT
from webapp.extensions import db
from webapp.games.models import Game, Move, Seat, Tally
from webapp.operations.invariants import check
from webapp.operations.verdict_checks import JUDGED_SINCE
from webapp.schema import known_revisions, revision_of

# The revision without the columns, and the one that has them and is about to fill them in.
BEFORE, HALFWAY = known_revisions()[known_revisions().index(JUDGED_SINCE) - 2 :][:2]
# Of each finished game: just more than one batch; and so many that a kill after the first batch comes in time.
COPIES, MANY_COPIES = 260, 600


def play_and_copy(app: Flask, times: int) -> int:
    """A few finished games and very many copies of them, with totals that tell of them all. Gives how many."""
    fill(app)
    with app.app_context():
        games = [row for row in rows(Game) if row["status"] == "finished"]
        for table in (Game, Seat, Move):
            of_games = games if table is Game else [row for row in rows(table) if row["game_id"] in ids(games)]
            copies = [copy(row, number) for number in range(1, times) for row in of_games]
            db.session.execute(insert(table.__table__), copies)
        counts = (Tally.won, Tally.lost, Tally.drawn)
        db.session.execute(update(Tally).values({column.key: column * times for column in counts}))
        db.session.commit()
    return len(games) * times


def rows(table: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in db.session.execute(select(table.__table__)).mappings()]


def ids(games: list[dict[str, Any]]) -> set[int]:
    return {game["id"] for game in games}


def copy(row: dict[str, Any], number: int) -> dict[str, Any]:
    if "game_id" in row:
        return row | {"game_id": row["game_id"] + 100 * number}
    return row | {"id": row["id"] + 100 * number, "public_id": f"copy{row['id']}-{number}"}


def migrate(app: Flask, step: Callable[..., None], revision: str) -> None:
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        step(revision=revision)
        db.engine.dispose()


def judged_seats(app: Flask) -> int:
    with app.app_context():
        return int(db.session.scalar(text("SELECT count(*) FROM seat WHERE decisions IS NOT NULL")) or 0)


@pytest.mark.slow
@own_database
def test_who_is_interrupted_goes_on_where_it_stopped(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    count = play_and_copy(app, COPIES)
    url = str(app.config["SQLALCHEMY_DATABASE_URI"])
    migrate(app, flask_migrate.downgrade, BEFORE)
    assert check(url) == [], "a database from before is none the worse"

    def interrupt(_progress: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(click, "echo", interrupt)
        with suppress(KeyboardInterrupt):
            migrate(app, flask_migrate.upgrade, "head")
    assert revision_of(url) == HALFWAY
    assert judged_seats(app) == 2 * 1000
    assert check(url) == [], "one that is judged in part is none the worse either"
    migrate(app, flask_migrate.upgrade, "head")
    assert judged_seats(app) == 2 * count > 2 * 1000
    assert check(url) == []


def kill_during_upgrade(instance: Path, after: str) -> None:
    """Kill -9 as soon as it has told of this progress."""
    with start_upgrade(instance) as process:
        assert process.stdout
        for line in process.stdout:
            if after in line:
                os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL


def start_upgrade(instance: Path) -> subprocess.Popen[str]:
    environment = {"NOUGHTS_INSTANCE": str(instance), "DATABASE_URL": "", "PATH": ""}
    words = [sys.executable, "-m", "webapp.upgrade"]
    return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.long
@pytest.mark.slow
def test_an_upgrade_that_is_killed_on_the_way_ends_as_one_that_was_not(
    empty_database: Path, tmp_path: Path, build_app: MakeApp, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(empty_database, tmp_path / "noughts.db")
    app = build_app(tmp_path, "")
    count = play_and_copy(app, MANY_COPIES)
    migrate(app, flask_migrate.downgrade, BEFORE)
    whole = tmp_path / "whole"
    whole.mkdir()
    shutil.copy(tmp_path / "noughts.db", whole)

    kill_during_upgrade(tmp_path, after=f"1,000 of {count:,} done")
    assert revision_of(f"sqlite:///{tmp_path}/noughts.db") == HALFWAY
    left, app_of_whole = count - 1000, build_app(whole, "")
    with start_upgrade(tmp_path) as process:
        assert process.stdout and f"{left:,} of {left:,} done" in process.stdout.read()
    assert process.returncode == 0
    migrate(app_of_whole, flask_migrate.upgrade, "head")
    assert f"{count:,} of {count:,} done" in capsys.readouterr().out
    assert rows_in(app) == rows_in(app_of_whole)
    assert check(tmp_path / "noughts.db") == []


def rows_in(app: Flask) -> Rows:
    found = all_rows(app)
    with app.app_context():
        db.engine.dispose()
    return found
