"""Somebody deletes, moves or replaces the files of the database under the running site: no move goes into nothing."""

import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import Browser, sqlite_only
from tests.live_server import LiveBrowser, live_server
from tests.meanwhile import all_at_once
from tests.tables import rows_of
from webapp.operations.invariants import check

SENTENCE = "deleted or replaced while the site ran"


def remove(folder: Path) -> None:
    for file in folder.glob("noughts.db*"):
        file.unlink()


def remove_the_newest_changes(folder: Path) -> None:
    """They lie in a file of their own, which looks as if nobody needed it."""
    (folder / "noughts.db-wal").unlink()


def put_another_there(folder: Path) -> None:
    shutil.copy(folder / "noughts.db", folder / "copy")
    (folder / "copy").replace(folder / "noughts.db")


@sqlite_only
@pytest.mark.parametrize("harm", [remove, remove_the_newest_changes, put_another_there])
def test_whoever_needs_the_database_is_told_and_so_is_the_host(
    harm: Callable[[Path], None], app: Flask, client: Browser, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client.sign_up()
    address = client.start(cell=0, level="perfect")
    fields = {"csrf_token": client.csrf_token(address), "ply": 2, "cell": 8}
    assert client.get("/readyz").text == "ok\n"
    harm(tmp_path)
    for answer in (client.post(f"{address}/moves", data=fields), client.get(address), client.get("/lobby")):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
        assert "Ask the person who runs this site" in answer.text
        assert str(tmp_path) not in answer.text
    ready = client.get("/readyz")
    assert (ready.status_code, ready.mimetype) == (503, "text/plain")
    assert SENTENCE in ready.text
    assert str(tmp_path) not in ready.text
    assert re.search(f"{tmp_path}/noughts.db(-wal)? was {SENTENCE}", caplog.text)
    assert client.get("/healthz").status_code == 200
    assert harm is not remove or not list(tmp_path.glob("noughts.db")), "an empty one in its place would hide the loss"


@sqlite_only
def test_a_file_that_comes_back_is_used_again(app: Flask, client: Browser, tmp_path: Path) -> None:
    address = client.start(cell=0, level="perfect")
    fields = {"csrf_token": client.csrf_token(address), "ply": 2, "cell": 8}
    (tmp_path / "noughts.db").rename(tmp_path / "elsewhere")
    assert client.post(f"{address}/moves", data=fields).status_code == 503
    (tmp_path / "elsewhere").rename(tmp_path / "noughts.db")
    assert client.post(f"{address}/moves", data=fields).status_code == 303
    assert len(rows_of(app, "move")) == 4
    assert check(tmp_path / "noughts.db") == []


@pytest.mark.slow
@pytest.mark.parametrize("harm", [remove, put_another_there])
def test_no_worker_acknowledges_a_move_into_a_file_that_is_gone(
    harm: Callable[[Path], None], empty_database: Path, tmp_path: Path
) -> None:
    shutil.copy(empty_database, tmp_path / "noughts.db")
    with live_server(tmp_path) as server:
        players = [LiveBrowser(server) for _ in range(8)]
        games = [player.start_game(cell=0, level="perfect") for player in players]
        moves = [
            partial(player.post, f"{game}/moves", {"csrf_token": player.get(game).csrf_token, "ply": 2, "cell": 8})
            for player, game in zip(players, games, strict=True)
        ]
        harm(tmp_path)
        assert {answer.status for answer in all_at_once(moves * 3)} == {503}
        assert LiveBrowser(server).get("/readyz").status == 503
    assert SENTENCE in server.log.read_text()
