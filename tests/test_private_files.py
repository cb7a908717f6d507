"""Others on the same machine cannot read the database, nor look into the folder that it lies in."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import SETTINGS, Browser
from tests.databases import migrate
from webapp import create_app
from webapp.compiled_templates import FOLDER
from webapp.extensions import db

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows keeps files by other means")


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}


def start_and_play(folder: Path) -> None:
    app = create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(folder), "NOUGHTS_SECRET_KEY": ""})
    app.test_client_class = Browser
    with app.app_context():
        browser = app.test_client()
        browser.get(browser.start(cell=0))  # type: ignore[attr-defined]
        told = modes(folder)
        assert told.pop(FOLDER) == 0o700
        assert set(told) == {folder.name, "secret_key", *(f"noughts.db{end}" for end in ("", "-wal", "-shm", "-queue"))}
        assert told.pop(folder.name) == 0o700
        assert set(told.values()) == {0o600}
        db.engine.dispose()


def test_a_new_site_keeps_its_files_private(tmp_path: Path) -> None:
    migrate(create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(tmp_path / "instance")}))
    start_and_play(tmp_path / "instance")


def test_the_files_of_a_site_from_before_are_made_private_at_its_start(empty_database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "instance"
    folder.mkdir()
    shutil.copy(empty_database, folder / "noughts.db")
    with closing(sqlite3.connect(folder / "noughts.db")) as other:
        other.execute("SELECT * FROM game").fetchone()  # so that all its files are there
        for path in (folder, *folder.iterdir()):
            path.chmod(0o755 if path == folder else 0o644)
        assert modes(folder)["noughts.db-wal"] == 0o644
        start_and_play(folder)


def test_a_folder_that_serves_something_else_too_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "other-program").mkdir()
    tmp_path.chmod(0o755)
    create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(tmp_path)})
    assert modes(tmp_path)[tmp_path.name] == 0o755
