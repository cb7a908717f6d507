"""Backup and restore as a host does them, with people who play before, meanwhile and afterwards."""

import hashlib
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from flask import Flask
from sqlalchemy import NullPool, create_engine, func, select, text

from tests.classrooms.rooms import Room, cards_on
from tests.conftest import Browser, DatabaseIn, MakeApp, SetClock, sqlite_only
from tests.live_server import LiveServer
from tests.operations.answer_checks import check_beside
from tests.operations.full_database import PLAYING, fill
from tests.operations.players import Crowd
from webapp.accounts.models import User, UserSession
from webapp.classrooms.set_up import new_set_up_token
from webapp.extensions import db, settings_of
from webapp.games.models import Game, Move
from webapp.operations import host_commands
from webapp.operations.backup import back_up, restore
from webapp.operations.checksum import LENGTH as TRAILER
from webapp.operations.invariants import check

pytestmark = pytest.mark.direct  # what is restored must be nobody's meanwhile, and a pooler lets go after minutes
Run = Callable[..., str]


def command(app: Flask, words: tuple[str | Path, ...], code: int) -> str:
    host_commands.init_app(app)
    with app.app_context():
        db.engine.dispose()  # a command runs in a process of its own, which holds no connection yet
        done = app.test_cli_runner().invoke(args=[str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def run(app: Flask) -> Run:
    """Runs a command of the site; gives what it says."""
    return lambda *words: command(app, words, 0)


@pytest.fixture
def refused(app: Flask) -> Run:
    """Runs a command that must not work; gives what it says."""
    return lambda *words: command(app, words, 1)


@pytest.fixture(scope="session")
def full_file(tmp_path_factory: pytest.TempPathFactory, database_in: DatabaseIn, build_app: MakeApp) -> Path:
    """A full SQLite database, played once and then copied."""
    folder = tmp_path_factory.mktemp("full")
    app = build_app(folder, database_in("SQLite", folder))
    fill(app)
    with app.app_context():
        db.engine.dispose()  # what still stands in the write-ahead log is in the file then
    return folder / "noughts.db"


@pytest.fixture
def full(app: Flask, request: pytest.FixtureRequest) -> Flask:
    if "postgresql" not in url_of(app):
        shutil.copy(request.getfixturevalue("full_file"), settings_of(app).instance / "noughts.db")
        return app
    if not (shutil.which("pg_dump") and shutil.which("pg_restore")):
        pytest.skip("this machine has no pg_dump or no pg_restore")
    fill(app)
    return app


def count(app: Flask, table: type) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(table)) or 0


def change(app: Flask, *statements: str) -> None:
    with create_engine(url_of(app), poolclass=NullPool).begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


def play_on(browser: Browser, address: str) -> int:
    """Play the first free cell of the game; gives the answer's status."""
    page = browser.get(address)
    cell, ply = page.text.partition('name="cell" value="')[2][0], page.text.partition('name="ply" value="')[2][0]
    return browser.send(f"{address}/moves", cell=cell, ply=ply).status_code


def url_of(app: Flask) -> str:
    return str(app.config["SQLALCHEMY_DATABASE_URI"])


def test_after_a_restore_people_log_in_again_and_play_on(
    full: Flask, run: Run, client: Browser, tmp_path: Path
) -> None:
    client.log_in()
    games, moves = count(full, Game), count(full, Move)
    assert run("backup", tmp_path / "monday").startswith("The backup is in")
    client.start(cell=0)
    assert play_on(client, f"/games/{PLAYING}") == 303
    assert run("restore", tmp_path / "monday", "--force").startswith("What was there before is kept in")
    assert (count(full, Game), count(full, Move), count(full, UserSession)) == (games, moves, 0)
    assert client.get("/account").status_code == 303  # the session of before the restore is worth nothing
    client.log_in()
    assert play_on(client, f"/games/{PLAYING}") == 303
    assert count(full, Move) == moves + 2
    assert check(url_of(full)) == []


def test_a_session_ended_after_the_backup_stays_ended(
    full: Flask, run: Run, client: Browser, tmp_path: Path
) -> None:
    client.log_in()
    run("backup", tmp_path / "monday")
    stolen = client.get_cookie("noughts")
    client.send("/log-out", page="/account")
    run("restore", tmp_path / "monday", "--force")
    assert stolen
    client.set_cookie("noughts", stolen.value)
    assert client.get("/account").status_code == 303


def test_a_code_or_a_set_up_link_of_before_the_backup_opens_nothing_after_a_restore(
    full: Flask, run: Run, client: Browser, tmp_path: Path
) -> None:
    """They may have been used since."""
    room = Room(full)
    [(name, _)] = room.add("Anna")
    [(_, code)] = cards_on(room.browser.send(f"{room.path}/log-in-codes").text)
    with full.app_context():
        link = f"/set-up/{new_set_up_token()}"
    assert client.get(link).status_code == 200
    run("backup", tmp_path / "monday")
    run("restore", tmp_path / "monday", "--force")
    assert client.log_in(name, code).status_code == 403
    assert client.get(link).status_code == 404


def test_what_was_there_before_can_be_restored_too(
    full: Flask, run: Run, client: Browser, tmp_path: Path
) -> None:
    run("backup", tmp_path / "monday")
    client.start(cell=0)
    games = count(full, Game)
    run("restore", tmp_path / "monday", "--force")
    assert count(full, Game) == games - 1
    (kept,) = (tmp_path / "backups").iterdir()
    run("restore", kept, "--force")
    assert count(full, Game) == games


def test_only_the_owner_can_read_a_backup_and_nothing_else_is_left(full: Flask, run: Run, tmp_path: Path) -> None:
    run("backup", tmp_path / "backup-folder" / "monday")
    (file,) = (tmp_path / "backup-folder").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_backup_is_replaced_only_by_force(full: Flask, run: Run, refused: Run, tmp_path: Path) -> None:
    (tmp_path / "monday").write_text("precious")
    assert refused("backup", tmp_path / "monday").startswith("Error: ")
    assert (tmp_path / "monday").read_text() == "precious"
    run("backup", tmp_path / "monday", "--force")
    run("restore", tmp_path / "monday", "--force")


def test_users_and_games_are_replaced_only_by_force(full: Flask, run: Run, refused: Run, tmp_path: Path) -> None:
    run("backup", tmp_path / "monday")
    users = count(full, User)
    assert "With --force the backup replaces them" in refused("restore", tmp_path / "monday")
    assert count(full, User) == users
    assert not (tmp_path / "backups").exists()


def test_an_empty_database_needs_no_force(
    full: Flask, run: Run, tmp_path: Path
) -> None:
    run("backup", tmp_path / "monday")
    users = count(full, User)
    change(full, *(f'DELETE FROM "{table.name}"' for table in reversed(db.metadata.sorted_tables)))
    assert run("restore", tmp_path / "monday").startswith("Restored from")
    assert count(full, User) == users


def test_a_running_site_is_not_restored_under(
    full: Flask, run: Run, refused: Run, client: Browser, tmp_path: Path
) -> None:
    run("backup", tmp_path / "monday")
    games = count(full, Game)
    with create_engine(url_of(full), poolclass=NullPool).connect() as worker:
        worker.execute(select(Game.id))
        assert "Noughts is running on this database" in refused("restore", tmp_path / "monday", "--force")
    assert count(full, Game) == games
    assert client.start(cell=0)


BREAKAGES = [
    ("UPDATE move SET cell = 12 WHERE ply = 0", "I6 The board is the replay"),
    ("UPDATE tally SET won = 7", "I9 Totals equal a recount"),
]
OTHERS = [
    ("UPDATE alembic_version SET version_num = '9999'", "made by a newer version of Noughts"),
    ("DROP TABLE alembic_version", "is no backup of Noughts"),
    ("UPDATE alembic_version SET version_num = 'copying'", "is a copy that copy-database never finished"),
]


@pytest.mark.parametrize(("statement", "sentence"), BREAKAGES + OTHERS)
def test_a_backup_that_is_not_sound_changes_nothing(
    statement: str, sentence: str, full: Flask, run: Run, refused: Run, tmp_path: Path
) -> None:
    change(full, statement)
    run("backup", tmp_path / "monday")
    sessions = count(full, UserSession)
    assert sentence in refused("restore", tmp_path / "monday", "--force")
    assert count(full, UserSession) == sessions
    assert not (tmp_path / "backups").exists()


@pytest.mark.parametrize(("statement", "sentence"), BREAKAGES)
def test_a_backup_tells_what_the_check_found_and_can_be_restored_despite_it(
    statement: str, sentence: str, full: Flask, run: Run, refused: Run, tmp_path: Path
) -> None:
    assert "nothing is wrong in it" in run("backup", tmp_path / "sunday")
    change(full, statement)
    told = run("backup", tmp_path / "monday")
    assert sentence in told
    assert "nothing is wrong" not in told
    run("restore", tmp_path / "sunday", "--force")
    assert "--despite-findings" in refused("restore", tmp_path / "monday", "--force")
    assert check(url_of(full)) == []
    told = run("restore", tmp_path / "monday", "--force", "--despite-findings")
    assert sentence in told
    assert told.splitlines()[-1].startswith("Restored from")
    assert sentence in refused("check-database")


def test_a_database_that_does_not_answer_or_is_not_all_there_is_not_called_faulty(full: Flask, refused: Run) -> None:
    assert "The database cannot be used: " in refused("check-database", "postgresql://nobody@127.0.0.1:1/none")
    change(full, "UPDATE alembic_version SET version_num = 'copying'")
    assert refused("check-database").startswith("Error: The database is a copy that was never finished")


def test_a_file_in_a_folder_that_one_may_not_look_into_is_refused_in_words(
    full: Flask, refused: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)  # root may look everywhere
    assert "could not be written to" in refused("backup", tmp_path / "monday")


@pytest.mark.parametrize("statement", [statement for statement, _ in OTHERS])
def test_what_is_no_backup_of_this_version_is_restored_despite_nothing(
    statement: str, full: Flask, run: Run, refused: Run, tmp_path: Path
) -> None:
    change(full, statement)
    run("backup", tmp_path / "monday")
    assert refused("restore", tmp_path / "monday", "--force", "--despite-findings").startswith("Error: ")


@pytest.mark.parametrize("name", ["csrf_token", '"password": "x"'])
def test_nothing_that_people_type_spoils_a_backup(
    name: str, full: Flask, run: Run, client: Browser, tmp_path: Path
) -> None:
    client.log_in()
    assert client.send("/games", page="/lobby", opponent=name, mark="X", visibility="public").status_code == 303
    assert "nothing is wrong in it" in run("backup", tmp_path / "monday")
    run("check-database")
    run("restore", tmp_path / "monday", "--force")


def test_no_clock_spoils_a_backup(full: Flask, run: Run, client: Browser, set_clock: SetClock, tmp_path: Path) -> None:
    """As when the machine's clock ran ahead and was put right in the middle of a game."""
    client.log_in()
    played, resigned = client.start(cell=4, level="perfect"), client.start(cell=4)
    while "data-over" not in client.get(played).text:
        set_clock.pass_time(seconds=-30)
        play_on(client, played)
    set_clock.pass_time(hours=-2)
    assert client.send(f"{resigned}/resign").status_code == 303
    assert "nothing is wrong in it" in run("backup", tmp_path / "monday")
    with full.app_context():
        last = select(func.max(Move.made_at)).where(Move.game_id == Game.id).scalar_subquery()
        too_early = select(func.count()).where(Game.ended_at < last)
        assert db.session.scalar(too_early) == 0


def test_a_single_bit_that_flips_is_noticed_wherever_it_is(
    full: Flask, run: Run, refused: Run, tmp_path: Path
) -> None:
    run("backup", tmp_path / "monday")
    content = (tmp_path / "monday").read_bytes()
    games = count(full, Game)
    random = Random(7)
    for place in [0, 100, len(content) // 2, *random.sample(range(len(content) - TRAILER), 4), len(content) - 5]:
        flipped = bytearray(content)
        flipped[place] ^= 1 << random.randrange(8)
        (tmp_path / "flipped").write_bytes(flipped)
        said = refused("restore", tmp_path / "flipped", "--force")
        assert "its checksum is wrong" in said, place
    assert count(full, Game) == games
    run("restore", tmp_path / "monday", "--force")


def test_a_backup_with_a_flipped_bit_may_be_all_there_is(full: Flask, run: Run, refused: Run, tmp_path: Path) -> None:
    run("backup", tmp_path / "monday")
    content = (tmp_path / "monday").read_bytes()
    old, new = (b"player7", b"player6")
    damaged = content.replace(old, new) if old in content else content[:-2] + b"\0\n"
    (tmp_path / "monday").write_bytes(damaged)
    assert "checksum is wrong" in refused("check-database", tmp_path / "monday")
    assert "checksum is wrong" in run("restore", tmp_path / "monday", "--force", "--despite-findings")
    assert count(full, User) == 2


def test_a_backup_of_a_version_that_wrote_no_checksum_is_restored(full: Flask, run: Run, tmp_path: Path) -> None:
    run("backup", tmp_path / "monday")
    (tmp_path / "monday").write_bytes((tmp_path / "monday").read_bytes()[:-TRAILER])
    assert "has no checksum" in run("restore", tmp_path / "monday", "--force")


def test_a_backup_can_be_read_without_noughts(full: Flask, run: Run, tmp_path: Path, request: Any) -> None:
    run("backup", tmp_path / "monday")
    content = (tmp_path / "monday").read_bytes()
    told = content[-TRAILER:].decode().split()[-1]
    assert hashlib.sha256(content[:-TRAILER]).hexdigest() == told
    if "sqlite" in url_of(full):
        with closing(sqlite3.connect(tmp_path / "monday")) as plain:
            assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert plain.execute("SELECT count(*) FROM game").fetchone() == (count(full, Game),)
    else:
        server, _ = request.getfixturevalue("postgres")
        name = server.create()
        subprocess.run(["pg_restore", "--dbname", server.url(name), "--no-owner", tmp_path / "monday"], check=True)
        with psycopg.connect(server.url(name)) as plain:
            assert plain.execute("SELECT count(*) FROM game").fetchone() == (count(full, Game),)
        server.drop(name)


def test_a_backup_holds_no_sessions(full: Flask, run: Run, client: Browser, tmp_path: Path) -> None:
    client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (a browser of its own kind)"
    client.log_in()
    assert count(full, UserSession) > 0
    run("backup", tmp_path / "monday")
    assert b"a browser of its own kind" not in (tmp_path / "monday").read_bytes()


def test_nobody_who_guessed_the_name_of_a_draft_is_written_to(full: Flask, run: Run, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "monday.part").symlink_to(tmp_path / "precious")
    run("backup", tmp_path / "monday")
    assert (tmp_path / "precious").read_text() == "precious"
    assert {path.name for path in tmp_path.glob("monday*")} == {"monday", "monday.part"}


@sqlite_only
@pytest.mark.parametrize(
    ("old", "new"),
    [(b"nodes", b"nodez"), (b"drawn INTEGER", b"drawz INTEGER"), (b"CREATE TABLE tally", b"CREATE TABLE t\xffme")],
)
def test_a_damaged_file_of_before_is_refused_in_words(
    old: bytes, new: bytes, full: Flask, run: Run, refused: Run, tmp_path: Path
) -> None:
    run("backup", tmp_path / "monday")
    content = (tmp_path / "monday").read_bytes()[:-TRAILER]
    assert old in content
    (tmp_path / "monday").write_bytes(content.replace(old, new))
    assert "Error: " in refused("check-database", tmp_path / "monday")
    assert "Error: " in refused("restore", tmp_path / "monday", "--force")


def test_the_backup_of_another_kind_of_database_is_named(full: Flask, run: Run, refused: Run, tmp_path: Path) -> None:
    run("backup", tmp_path / "monday")
    is_sqlite = "sqlite" in url_of(full)
    other = b"PGDMP" + bytes(999) if is_sqlite else b"SQLite format 3\0" + bytes(999)
    (tmp_path / "monday").write_bytes(other)
    said = refused("restore", tmp_path / "monday", "--force")
    assert f"is a backup of {'PostgreSQL' if is_sqlite else 'SQLite'}" in said


def test_a_folder_that_cannot_be_written_to_is_said_in_words(full: Flask, refused: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    said = refused("backup", tmp_path / "file" / "monday")
    assert "could not be written" in said
    assert "Errno" not in said


@pytest.mark.parametrize("content", [b"", b"my shopping list", b"SQLite format 3\0 and then nonsense" * 999])
def test_a_file_that_is_no_backup_changes_nothing(
    content: bytes, full: Flask, run: Run, refused: Run, tmp_path: Path
) -> None:
    (tmp_path / "monday").write_bytes(content)
    users = count(full, User)
    assert refused("restore", tmp_path / "monday", "--force").startswith("Error: ")
    assert (count(full, User), (tmp_path / "monday").read_bytes()) == (users, content)


@sqlite_only
def test_a_damaged_database_is_replaced_and_kept(
    full: Flask, run: Run, refused: Run, make_app: MakeApp, tmp_path: Path
) -> None:
    run("backup", tmp_path / "monday")
    damaged = b"nothing that SQLite knows" * 999
    (tmp_path / "noughts.db").write_bytes(damaged)
    assert "With --force" in refused("restore", tmp_path / "monday")
    run("restore", tmp_path / "monday", "--force")
    assert [path.read_bytes() for path in (tmp_path / "backups").iterdir()] == [damaged]
    client: Browser = make_app().test_client()  # type: ignore[assignment]
    assert client.log_in().status_code == 303
    assert play_on(client, f"/games/{PLAYING}") == 303


@pytest.mark.slow
@sqlite_only
def test_the_oldest_of_the_backups_made_by_themselves_go(full: Flask, run: Run, tmp_path: Path) -> None:
    run("backup", tmp_path / "backups" / "my-own")
    for _ in range(7):
        run("restore", tmp_path / "backups" / "my-own", "--force")
    kept = sorted(path.name for path in (tmp_path / "backups").iterdir())
    assert len(kept) == 6
    assert kept[-1] == "my-own"


def test_the_check_speaks_to_a_host(full: Flask, run: Run, refused: Run, tmp_path: Path) -> None:
    assert run("check-database") == "The database was checked, and nothing is wrong in it.\n"
    change(full, "UPDATE tally SET won = 7")
    assert "I9 Totals equal a recount" in refused("check-database")


def test_the_check_takes_a_backup(full: Flask, run: Run, tmp_path: Path) -> None:
    run("backup", tmp_path / "monday")
    run("check-database", tmp_path / "monday")


def test_a_backup_made_while_people_play_holds_what_was_answered(server: LiveServer, tmp_path: Path) -> None:
    if "postgresql" in server.database and not shutil.which("pg_dump"):
        pytest.skip("this machine has no pg_dump")
    with Crowd(server, 4) as crowd:
        crowd.wait_for_moves(20)
        answered = list(crowd.log)
        back_up(server.database, tmp_path / "monday")
        crowd.wait_for_moves(10)
    server.kill()
    restore(server.database, tmp_path / "monday", tmp_path, force=True)
    assert check_beside(server.database, answered) == []
    server.start()
    with Crowd(server, 1) as newcomer:
        newcomer.wait_for_moves(10)
    assert check_beside(server.database, [*answered, *newcomer.log]) == []
