"""Migrations on a full database: nothing is lost on the way, and what was there before is kept."""

import shutil
import subprocess
import sys
from pathlib import Path

import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import select

from tests.conftest import SETTINGS, Browser, sqlite_only
from tests.factories import member_of
from tests.operations.full_database import fill
from tests.two_players import begin_game, open_game
from webapp import create_app
from webapp.config import ROOT
from webapp.extensions import db
from webapp.games.models import Game, Seat
from webapp.operations.backup import back_up, restore
from webapp.operations.invariants import check
from webapp.schema import known_revisions, revision_of

REBUILD = '''"""rebuild both tables that others hang on"""

import sqlalchemy as sa
from alembic import op

revision = "9000"
down_revision = "{newest}"


def upgrade() -> None:
    for table in ("game", "user"):
        with op.batch_alter_table(table, recreate="always") as batch_op:
            batch_op.add_column(sa.Column("shade", sa.String(10), nullable=True))
'''
PROTECTION = 'connection.exec_driver_sql("PRAGMA foreign_keys = OFF")'


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """The migrations, and after them one that builds the tables of games and users anew."""
    folder = shutil.copytree(ROOT / "migrations", tmp_path / "migrations")
    (folder / "versions" / "9000_rebuild_tables.py").write_text(REBUILD.format(newest=known_revisions()[-1]))
    return folder


def replace(path: Path, old: str, new: str) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def rows_in(app: Flask) -> dict[str, int]:
    with app.app_context(), db.engine.connect() as connection:
        tables = [table for table in db.metadata.tables if table != "alembic_version"]
        return {table: connection.exec_driver_sql(f'SELECT count(*) FROM "{table}"').scalar_one() for table in tables}


def migrate(app: Flask, migrations: Path) -> None:
    flask_migrate.Migrate(app, db, directory=str(migrations))
    with app.app_context():
        flask_migrate.upgrade()


@sqlite_only
def test_a_migration_that_rebuilds_tables_loses_no_row(app: Flask, migrations: Path) -> None:
    fill(app)
    before = rows_in(app)
    assert all(before[table] > 0 for table in ("user", "game", "seat", "move", "tally", "session", "known_browser"))
    migrate(app, migrations)
    with app.app_context(), db.engine.connect() as connection:
        assert connection.exec_driver_sql('SELECT count(shade), count(*) FROM "user"').one()[0] == 0
    assert rows_in(app) == before
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []
    assert app.test_client().get("/").status_code == 200


@sqlite_only
def test_without_the_protection_the_same_migration_takes_the_children_along(app: Flask, migrations: Path) -> None:
    """So that the test above is known to be able to fail."""
    fill(app)
    replace(migrations / "env.py", PROTECTION, "pass")
    replace(migrations / "versions" / "9000_rebuild_tables.py", '("game", "user")', '("game",)')  # users are held fast
    migrate(app, migrations)
    after = rows_in(app)
    assert after["game"] > 0 == after["move"] == after["seat"]


@pytest.fixture
def newer_version(migrations: Path, tmp_path: Path) -> Path:
    """The folder of a version of Noughts that has one migration more than this one."""
    shutil.copytree(ROOT / "webapp", tmp_path / "webapp")
    (tmp_path / "static").symlink_to(ROOT / "static")
    return migrations.parent


def start_upgrade(version: Path, instance: Path) -> subprocess.CompletedProcess[str]:
    environment = {"NOUGHTS_INSTANCE": str(instance), "DATABASE_URL": "", "PATH": ""}
    words = [sys.executable, "-m", "webapp.upgrade"]
    return subprocess.run(words, cwd=version, env=environment, capture_output=True, text=True)


@pytest.fixture
def full_instance(empty_database: Path, tmp_path: Path) -> Path:
    instance = tmp_path / "instance"
    instance.mkdir()
    shutil.copy(empty_database, instance / "noughts.db")
    app = create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(instance)})
    app.test_client_class = Browser
    fill(app)
    with app.app_context():
        db.engine.dispose()
    return instance


@pytest.mark.slow
def test_a_database_is_backed_up_before_it_is_upgraded(newer_version: Path, full_instance: Path) -> None:
    done = start_upgrade(newer_version, full_instance)
    assert done.returncode == 0, done.stderr
    (kept,) = (full_instance / "backups").iterdir()
    assert f"from before is in {kept}" in done.stdout
    assert revision_of(f"sqlite:///{kept}") == known_revisions()[-1]
    assert check(kept) == []
    assert revision_of(f"sqlite:///{full_instance}/noughts.db") == "9000"
    assert check(full_instance / "noughts.db") == []


@pytest.mark.slow
def test_an_upgrade_with_nothing_to_do_makes_no_backup(newer_version: Path, full_instance: Path) -> None:
    start_upgrade(newer_version, full_instance)
    assert start_upgrade(newer_version, full_instance).returncode == 0
    assert len(list((full_instance / "backups").iterdir())) == 1


@pytest.mark.slow
def test_a_new_database_needs_no_backup(newer_version: Path, tmp_path: Path) -> None:
    assert start_upgrade(newer_version, tmp_path / "new").returncode == 0
    assert not (tmp_path / "new" / "backups").exists()


@pytest.mark.slow
def test_a_database_that_cannot_be_backed_up_is_not_upgraded(newer_version: Path, full_instance: Path) -> None:
    (full_instance / "backups").write_text("a file where the folder should be")
    done = start_upgrade(newer_version, full_instance)
    assert done.returncode == 1
    assert "The database was not changed" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert revision_of(f"sqlite:///{full_instance}/noughts.db") == known_revisions()[-1]


@sqlite_only
def test_a_backup_of_the_oldest_version_is_checked_restored_and_brought_up_to_date(app: Flask, tmp_path: Path) -> None:
    fill(app)
    url = str(app.config["SQLALCHEMY_DATABASE_URI"])
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.downgrade(revision=known_revisions()[0])
        back_up(url, tmp_path / "old")
        flask_migrate.upgrade()
        db.engine.dispose()
        restore(url, tmp_path / "old", tmp_path, force=True)
        assert revision_of(url) == known_revisions()[0]
        flask_migrate.upgrade()
    assert check(url) == []


def test_who_is_waited_for_is_told_of_games_from_before(app: Flask) -> None:
    ann, bob, eve = (member_of(app, name) for name in ("ann", "bob", "eve"))
    ann.start(cell=4)
    begin_game(ann, bob, 0)
    begin_game(ann, bob)
    bob.send(f"{open_game(ann, mark='O')}/join")
    eve.send("/games", opponent="ann")
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.downgrade(revision="0003")
        flask_migrate.upgrade()
        waits = db.session.execute(select(Game.to_move_id, Game.called_id).order_by(Game.id)).all()
        began = db.session.scalars(select(Game.turn_began_at).where(Game.to_move_id.is_not(None))).all()
    assert waits == [(None, None), (2, None), (1, None), (2, 1), (None, 1)]
    assert len(began) == 3 and all(began)
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_seats_of_cancelled_games_from_before_are_void(app: Flask) -> None:
    ann, bob = (member_of(app, name) for name in ("ann", "bob"))
    for verb in ("abort", "resign"):
        address = ann.send("/games", opponent="anyone", mark="X").location
        bob.send(f"{address}/join")
        if verb == "resign":
            ann.send(f"{address}/moves", cell=0, ply=0)
            bob.send(f"{address}/moves", cell=4, ply=1)
        assert ann.send(f"{address}/{verb}").status_code == 303
    url = str(app.config["SQLALCHEMY_DATABASE_URI"])
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.downgrade(revision="0004")
        results = select(Seat.result, Seat.opponent_id).order_by(Seat.game_id, Seat.mark)
        assert [row.result for row in db.session.execute(results)] == [None, None, "won", "lost"]
        db.session.rollback()
        assert check(url) == [], "a backup from before is none the worse"
        flask_migrate.upgrade()
        assert db.session.execute(results).all() == [("void", 1), ("void", 2), ("won", 1), ("lost", 2)]
    assert check(url) == []
