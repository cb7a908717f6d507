"""The commands as a host types them, through run.py, in a copy of the project."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.fresh_copy import SITE, copy_into, lend_environment, surroundings


@pytest.fixture
def site(tmp_path: Path, empty_database: Path) -> Path:
    """It has been up before, and has its tables."""
    (tmp_path / "instance").mkdir(mode=0o700)
    shutil.copy(empty_database, tmp_path / "instance")
    return lend_environment(copy_into(tmp_path, SITE))


def run(site: Path, *words: str) -> str:
    """What the command says; it must end well."""
    done = subprocess.run(
        [sys.executable, "run.py", *words], cwd=site, env=surroundings(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.slow
def test_a_database_that_nobody_can_open_any_more_is_replaced_by_its_backup(site: Path) -> None:
    """Every other command refuses such a database, so this one must not ask it first."""
    run(site, "create-user", "ann")
    run(site, "backup", "monday.db")
    with closing(sqlite3.connect(site / "instance" / "noughts.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    run(site, "restore", "monday.db", "--force")
    (site / "instance" / "noughts.db").write_text("no database any more")
    run(site, "restore", "monday.db", "--force")
    assert "nothing is wrong" in run(site, "check-database")
    assert "ann logs in with the password" in run(site, "reset-password", "ann")
