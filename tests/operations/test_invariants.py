"""The checker of the invariants finds nothing in a sound database, and each breakage made by hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from tests.conftest import DATABASES, DatabaseIn, MakeApp
from tests.operations.answer_checks import broken_beside, check_beside
from tests.operations.full_database import COACHED, DRAWN, PEOPLE, PLAYING, RESIGNED, fill
from webapp.extensions import db
from webapp.operations.broken import PROMISES
from webapp.operations.invariants import broken_in, check, snapshot

Log = list[dict[str, Any]]


@pytest.fixture(scope="module", params=DATABASES)
def full(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    database_in: DatabaseIn,
    build_app: MakeApp,
) -> Iterator[str]:
    """The URL of a filled database. A test that breaks it does so in a transaction that never commits."""
    folder = tmp_path_factory.mktemp("full")
    app = build_app(folder, database_in(request.param, folder))
    fill(app)
    yield str(app.config["SQLALCHEMY_DATABASE_URI"])
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def connection(full: str, request: pytest.FixtureRequest) -> Iterator[Connection]:
    with snapshot(full) as connection:
        kind = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.dialect.name]
        request.node.user_properties.append(("database", kind))
        yield connection


def change(connection: Connection, script: str) -> None:
    """Run the statements with the foreign keys asleep; {drawn} and the like stand for a game."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL session_replication_role = replica"))
    games = {"drawn": DRAWN, "playing": PLAYING, "resigned": RESIGNED, "people": PEOPLE, "coached": COACHED}
    ids = {public_id: key for key, public_id in connection.execute(text("SELECT id, public_id FROM game"))}
    names = {name: f"game_id = {ids[public_id]}" for name, public_id in games.items()}
    names["last"] = f"ply = (SELECT max(ply) FROM move WHERE {names['playing']}) AND {names['playing']}"
    for table in ("move", "seat"):  # a copy of a table has none of its constraints
        copy = f"CREATE TABLE copy AS SELECT * FROM {table}"
        names[f"loose_{table}"] = f"{copy}; DROP TABLE {table}; ALTER TABLE copy RENAME TO {table}"
    for statement in script.format_map(names).split(";"):
        connection.execute(text(statement.replace(":", "\\:")))


def promises_broken(connection: Connection, log: Log | None = None) -> set[str]:
    return {broken.promise for broken in [*broken_in(connection), *broken_beside(connection, log or [])]}


def move(game: str, ply: int, cell: int, status: int | None = 303, client: int = 1) -> dict[str, Any]:
    entry = {"client": client, "did": "move", "game": game, "mark": "XO"[ply % 2]}
    return entry | {"ply": ply, "cell": cell, "status": status}


def look(game: str, plies: int, over: bool) -> dict[str, Any]:
    return {"client": 1, "did": "look", "game": game, "plies": plies, "over": over}


def take_back(game: str, version: int, status: int | None = 303) -> dict[str, Any]:
    return {"client": 1, "did": "take back", "game": game, "version": version, "status": status}


def resignation(game: str, mark: str, status: int) -> dict[str, Any]:
    return {"client": 1, "did": "resign", "game": game, "mark": mark, "status": status}


def test_a_sound_database_beside_true_answers_breaks_nothing(full: str) -> None:
    true: Log = [
        move(PLAYING, 0, 4), move(PLAYING, 0, 4), move(PLAYING, 0, 3, status=409), look(PLAYING, 2, False),
        move(PLAYING, 2, 4, status=400), move(PLAYING, 2, 0, status=None), move(DRAWN, 0, 0, status=None),
        look(DRAWN, 9, True), resignation(DRAWN, "X", 409), resignation(RESIGNED, "O", 303),
        {"client": 1, "did": "tell", "secret": "correct horse"},
        move(COACHED, 0, 0), move(COACHED, 2, 1), look(COACHED, 4, False), take_back(COACHED, 3),
        move(COACHED, 2, 1, status=409), take_back(COACHED, 3), take_back(COACHED, 3, status=409),
        look(COACHED, 2, False), take_back(COACHED, 4, status=None), move(COACHED, 0, 2), move(COACHED, 2, 6),
        look(COACHED, 4, True),
    ]  # fmt: skip
    assert check_beside(full, true) == []


TOKEN = "Nl1Dj2zUyTnGvmOqSa0bX3c4e5f6g7h8i9j0kLmNoPq"
SQL = [
    ("I2", "{loose_move}; INSERT INTO move SELECT game_id, 0, 8 - cell, made_at, NULL, NULL FROM move WHERE {last}"),
    ("I3", "{loose_move}; INSERT INTO move SELECT game_id, 2, 4, made_at, NULL, NULL FROM move WHERE {last}"),
    ("I4", "UPDATE move SET ply = ply + 2 WHERE {last}"),
    ("I4", "DELETE FROM move WHERE {drawn} AND ply = 4"),
    ("I5", "UPDATE move SET nodes = 7 WHERE {drawn} AND ply = 2"),
    ("I5", "UPDATE move SET nodes = NULL WHERE {drawn} AND ply = 3"),
    ("I5", "UPDATE seat SET level = 'casual', user_id = NULL WHERE {people} AND mark = 'O'"),
    ("I6", "UPDATE move SET cell = 9 WHERE {drawn} AND ply = 0"),
    ("I6", "UPDATE game SET rows = 0"),
    ("I6", "UPDATE taken_back SET cell = 9 WHERE {coached} AND ply = 0"),
    ("I6", "UPDATE taken_back SET cell = 0 WHERE {coached} AND ply = 2"),
    ("I6", "UPDATE taken_back SET version = 99 WHERE {coached} AND ply < 2"),
    ("I6", "DELETE FROM taken_back WHERE {coached} AND ply = 3"),
    ("I6", "DELETE FROM taken_back WHERE {coached} AND ply < 2; DELETE FROM move WHERE {coached}"),
    ("I6", "UPDATE taken_back SET game_id = (SELECT id FROM game WHERE public_id = 'drawn-game-1')"),
    ("I6", "UPDATE game SET coached = true WHERE public_id = 'people-game-'"),
    ("I5", "UPDATE taken_back SET nodes = 7 WHERE {coached} AND ply = 2"),
    ("I7", "INSERT INTO move SELECT game_id, 5, 8, made_at, NULL, NULL FROM move WHERE {people} AND ply = 4"),
    ("I8", "UPDATE game SET winner = 'O' WHERE reason = 'line'"),
    ("I8", "UPDATE game SET winner = 'X' WHERE reason = 'full'"),
    ("I8", "UPDATE game SET reason = 'resigned' WHERE reason = 'full'"),
    ("I8", "UPDATE game SET reason = 'line' WHERE reason = 'resigned'"),
    ("I8", "UPDATE game SET winner = NULL WHERE reason = 'resigned'"),
    ("I8", "UPDATE game SET winner = 'X' WHERE status = 'playing'"),
    ("I8", "UPDATE game SET status = 'aborted' WHERE reason = 'full'"),
    ("I8", "UPDATE game SET status = 'finished' WHERE status = 'playing'"),
    ("I8", "UPDATE game SET status = 'open' WHERE status = 'playing'"),
    ("I8", "UPDATE seat SET result = 'won' WHERE {drawn} AND mark = 'X'"),
    ("I8", "UPDATE seat SET result = 'won' WHERE {playing}"),
    ("I8", "UPDATE seat SET opponent_level = 'casual' WHERE {drawn} AND mark = 'X'"),
    ("I8", "UPDATE seat SET opponent_id = user_id WHERE {people}"),
    ("I8", "UPDATE seat SET coached = true WHERE {drawn} AND mark = 'X'"),
    ("I8", "UPDATE game SET reason = 'abandoned', winner = NULL WHERE reason = 'resigned'"),
    ("I9", "UPDATE tally SET drawn = drawn + 1 WHERE level = 'perfect'"),
    ("I9", "DELETE FROM tally WHERE level = 'casual'"),
    ("I9", "UPDATE tally SET level = 'beginner' WHERE level = 'casual'"),
    ("I9", "UPDATE tally SET lost = 0 WHERE opponent_id IS NOT NULL"),
    ("I9", "UPDATE tally SET coached = NOT coached WHERE level = 'casual'"),
    ("I9", "UPDATE game SET coached = false"),
    ("I13", "DELETE FROM move WHERE {last}"),
    ("I14", "UPDATE seat SET result = 'lost' WHERE level = 'perfect'"),
    ("I14", "UPDATE game SET winner = 'X' WHERE reason = 'full'"),
    ("I15", "DELETE FROM seat WHERE {playing} AND mark = 'O'"),
    ("I15", "UPDATE game SET status = 'open' WHERE status = 'playing'"),
    ("I15", "UPDATE game SET status = 'playing' WHERE status = 'open'"),
    ("I15", "{loose_seat}; UPDATE seat SET user_id = 1 WHERE {people}"),
    ("I15", "{loose_seat}; INSERT INTO seat SELECT * FROM seat WHERE {people} AND mark = 'O'"),
    ("I18", "UPDATE game SET ended_at = NULL WHERE status = 'finished'"),
    ("I18", "UPDATE game SET ended_at = created_at WHERE status = 'playing'"),
    ("I18", "UPDATE game SET due_at = created_at WHERE status = 'finished'"),
    ("I19", "DELETE FROM game WHERE status = 'playing'"),
    ("I19", "DELETE FROM \"user\" WHERE name_key = 'player8'"),
    ("I20", f"UPDATE session SET token_hash = '{TOKEN}'"),
    ("I20", f"UPDATE session SET data = '{{{{\"token\": \"{TOKEN}\"}}}}'"),
    ("I20", "UPDATE known_browser SET token_hash = 'short'"),
    ("I20", f"INSERT INTO set_up_token (token_hash, created_at) VALUES ('{TOKEN}', '2026-01-01')"),
    ("I20", "UPDATE \"user\" SET password_hash = 'correct horse'"),
    ("I22", "UPDATE \"user\" SET name = 'somebody7' WHERE name_key IS NOT NULL"),
    ("I32", "UPDATE game SET to_move_id = 1 WHERE status = 'playing'"),
    ("I32", "UPDATE game SET called_id = 1 WHERE status = 'open'"),
    ("I32", "UPDATE game SET called_id = 1 WHERE status = 'finished'"),
    ("I32", "UPDATE seat SET decisions = NULL, kept = NULL WHERE {drawn} AND mark = 'X'"),
    ("I32", "UPDATE seat SET kept = kept - 1 WHERE {drawn} AND mark = 'X'"),
    ("I32", "UPDATE seat SET decisions = 0, kept = 0 WHERE {playing}"),
    ("I32", "UPDATE tally SET kept = kept + 1 WHERE level = 'perfect'"),
    ("I32", "DELETE FROM mistake"),
    ("I32", "UPDATE mistake SET cell = cell + 1"),
    ("I32", "UPDATE mistake SET user_id = 1"),
    ("I32", "INSERT INTO mistake SELECT game_id, 8, user_id, shape, position, to_move, cell, 0, -1 FROM mistake"),
    ("I32", "UPDATE \"user\" SET deleted_at = created_at WHERE name_key = 'player8'"),
    ("I33", "UPDATE \"user\" SET deleted_at = created_at; DELETE FROM game WHERE status = 'open'"),
    ("I33", "UPDATE \"user\" SET deleted_at = created_at WHERE name_key = 'player8'; DELETE FROM tally"),
    ("I33", "UPDATE \"user\" SET deleted_at = created_at WHERE name_key = 'player7'; DELETE FROM tally;"
            "UPDATE game SET challenged_id = 1 WHERE status = 'open'"),
    ("I33", "UPDATE \"user\" SET deleted_at = created_at WHERE name_key = 'player7'; DELETE FROM tally;"
            "UPDATE game SET status = 'playing' WHERE reason = 'line'"),
]  # fmt: skip


@pytest.mark.parametrize(("promise", "script"), SQL)
def test_a_database_broken_by_hand_is_found(promise: str, script: str, connection: Connection) -> None:
    change(connection, script)
    assert promise in promises_broken(connection)


LOGS: list[tuple[str, Log]] = [
    ("I1", [move(PLAYING, 0, 0)]),
    ("I1", [move(PLAYING, 8, 1)]),
    ("I1", [move(PLAYING, 0, 4) | {"mark": "O"}]),
    ("I1", [move("never-stored", 0, 4)]),
    ("I1", [look("never-stored", 0, False)]),
    ("I1", [take_back(COACHED, 5)]),
    ("I1", [take_back(DRAWN, 3)]),
    ("I10", [move(PLAYING, 0, 4), move(PLAYING, 0, 3)]),
    ("I10", [move(COACHED, 0, 0), take_back(COACHED, 4, status=409), move(COACHED, 0, 2)]),
    ("I16", [look(COACHED, 4, False), take_back(COACHED, 9, status=409), look(COACHED, 2, False)]),
    ("I10", [move(PLAYING, 0, 4), move(PLAYING, 0, 4, status=409)]),
    ("I11", [move(PLAYING, 0, 4, status=409)]),
    ("I11", [move(PLAYING, 0, 4, status=503)]),
    ("I16", [move(PLAYING, 0, 4), look(PLAYING, 0, False)]),
    ("I16", [look(PLAYING, 2, False), look(PLAYING, 1, False)]),
    ("I17", [look(PLAYING, 2, True)]),
    ("I17", [look(DRAWN, 8, True)]),
    ("I18", [resignation(PLAYING, "X", 303)]),
    ("I18", [resignation(RESIGNED, "X", 303)]),
    ("I18", [resignation(DRAWN, "X", 303)]),
    ("I20", [{"client": 1, "did": "tell", "secret": "player8"}]),
]


@pytest.mark.parametrize(("promise", "log"), LOGS)
def test_a_database_that_belies_an_answer_is_found(promise: str, log: Log, connection: Connection) -> None:
    assert promise in promises_broken(connection, log)


LOST: list[Log] = [[move(PLAYING, 0, 4, status=None)], [move(PLAYING, 0, 4, status=503) | {"is_unknown": True}]]


@pytest.mark.parametrize("log", LOST)
def test_half_of_a_move_whose_answer_was_lost_is_found(log: Log, connection: Connection) -> None:
    change(connection, "DELETE FROM move WHERE {last}")
    assert "I12" in promises_broken(connection, log)


def test_what_the_site_said_it_does_not_know_may_have_happened_or_not(connection: Connection) -> None:
    happened: Log = [move(PLAYING, 0, 4, status=503), look(COACHED, 4, False), take_back(COACHED, 3, status=503)]
    did_not: Log = [move(PLAYING, 2, 0, status=503), take_back(COACHED, 9, status=503)]
    unknown = [entry | {"is_unknown": True} if "status" in entry else entry for entry in happened + did_not]
    assert promises_broken(connection, [*unknown, look(COACHED, 2, False)]) == set()


def test_every_promise_was_broken_once() -> None:
    assert {promise for promise, _ in SQL + LOGS} | {"I12"} == set(PROMISES)


def test_a_secret_in_a_log_file_is_found_and_not_repeated(full: str, tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text("POST /log-in name=player7&password=correct+horse")
    log = [{"client": 1, "did": "tell", "secret": "correct+horse"}]
    assert [str(broken) for broken in check_beside(full, log, [tmp_path / "server.log"])] == [
        "I20 No session id, token or password can be read: server.log holds a secret of a client."
    ]


@pytest.mark.parametrize("content", [b"", b"no database at all, only some text"])
def test_a_file_that_is_no_database_of_ours_is_found(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(content)
    assert [broken.promise for broken in check(tmp_path / "other.db")] == ["I19"]


def test_a_missing_file_is_found_and_not_made(tmp_path: Path) -> None:
    assert [broken.promise for broken in check(tmp_path / "missing.db")] == ["I19"]
    assert list(tmp_path.iterdir()) == []
