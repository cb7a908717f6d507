"""Whether a database is as new as the code, and whether a site can run on it at all."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from webapp.config import ROOT, BadSetting
from webapp.schema import COPYING, check_writable, known_revisions, revision_of, state_of


def test_the_state_of_a_database_is_told_by_its_revision() -> None:
    assert state_of(None) == "behind"
    assert state_of(known_revisions()[-1]) == "current"
    assert {state_of(revision) for revision in known_revisions()[:-1]} == {"behind"}
    assert state_of("9999") == "newer"
    assert state_of(COPYING) == "copying"


def test_the_revision_of_a_file_is_read_without_making_one(tmp_path: Path) -> None:
    file = tmp_path / "noughts.db"
    assert revision_of(f"sqlite:///{file}") is None and not file.exists()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE something (id)")
        assert revision_of(f"sqlite:///{file}") is None
        connection.execute("CREATE TABLE alembic_version (version_num)")
        assert revision_of(f"sqlite:///{file}") is None
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
        connection.commit()
    assert revision_of(f"sqlite:///{file}") == "0001"


def test_what_is_something_else_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("To the host, and longer than the head of a database is. " * 9)
    with closing(sqlite3.connect(tmp_path / "other")) as connection:
        connection.execute("CREATE TABLE alembic_version (another_column)")
    for name, trouble in {"letter": "not a database", "other": "no such column"}.items():
        with pytest.raises(sqlite3.DatabaseError, match=trouble):
            revision_of(f"sqlite:///{tmp_path / name}")


def test_a_database_that_can_only_be_read_is_refused_before_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'noughts.db'}"
    check_writable(url)  # not there yet
    (tmp_path / "noughts.db").touch()
    check_writable(url)
    monkeypatch.setattr(os, "access", lambda _, mode: mode == os.R_OK)  # root may do everything
    with pytest.raises(BadSetting, match=r"noughts.db can be read but not written to"):
        check_writable(url)
    check_writable("postgresql+psycopg://db/noughts")


def test_a_start_without_its_postgresql_says_why_in_its_last_line() -> None:
    environment = {**os.environ, "DATABASE_URL": "postgresql://noughts@127.0.0.1:9/noughts"}
    done = subprocess.run(
        [sys.executable, "-m", "webapp.schema"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert "refused" in done.stderr.splitlines()[-1], done.stderr
