"""Reads a whole database, of either kind and any revision, and reports every promise that does not hold.

The database alone shows I2 to I9, I13 to I15, I18, I19, I22, I32, I33 and the form of what I20 speaks of. Whether the
answers given were true (I1, I10, I11, I12, I16, I17, the rest of I18 and I20) shows only beside a client's log of them:
see tests/operations/answer_checks.py. Marks and boards are not stored, so I5 and I6 can be broken only through who
moved and through moves that cannot be replayed.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, NullPool, create_engine, inspect, text
from sqlalchemy.exc import DatabaseError

from webapp.config import database_url, read_settings
from webapp.operations.broken import Broken
from webapp.operations.classroom_checks import ClassroomRecount
from webapp.operations.competition_checks import broken_pairings, broken_without_game
from webapp.operations.game_checks import WholeGame, broken_in_game, waits_for_the_deleted
from webapp.operations.practice_checks import broken_practice
from webapp.operations.storage_checks import broken_names, broken_storage, broken_tokens
from webapp.operations.tally_checks import Recount
from webapp.operations.verdict_checks import broken_verdicts, is_judged_by

Row = Mapping[str, Any]
Look = Callable[[Connection], object]


def check(database: str | Path) -> list[Broken]:
    """Everything that is broken in the database (a file or a URL)."""
    try:
        with snapshot(database) as connection:
            return findings(connection)
    except DatabaseError as error:
        return [Broken("I19", f"it cannot be read ({error.orig})")]


def findings(connection: Connection) -> list[Broken]:
    found: list[Broken] = []
    try:
        for broken in broken_in(connection):
            found.append(broken)  # one by one: those before an accident are kept
    except Exception as error:  # a damaged file can hold anything, a column without its name or bytes that are no text
        reason = getattr(error, "orig", error)
        found.append(Broken("I19", f"it cannot be read to its end ({type(reason).__name__}: {reason})"))
    return found


@contextmanager
def snapshot(database: str | Path) -> Iterator[Connection]:
    """A connection that sees one moment of the database while others go on writing. It makes no new file."""
    url, is_file = str(database), "://" not in str(database) or str(database).startswith("sqlite")
    options: dict[str, Any] = {}
    if is_file:
        url = f"sqlite:///{Path(url.removeprefix('sqlite:///')).resolve().as_uri()}?mode=rw&uri=true"
    else:
        url, options["isolation_level"] = database_url(read_settings({"DATABASE_URL": url})), "REPEATABLE READ"
        options["connect_args"] = {"prepare_threshold": None}  # it may lead through a pooler
    with create_engine(url, poolclass=NullPool, **options).connect() as connection:
        if is_file:
            connection.exec_driver_sql("BEGIN")  # by itself the driver begins only when something is written
        yield connection


def broken_in(connection: Connection) -> Iterator[Broken]:
    yield from broken_storage(connection)
    recount = Recount()
    deleted = {user["id"] for user in _rows(connection, 'SELECT id FROM "user" WHERE deleted_at IS NOT NULL')}
    all_are_judged = is_judged_by(_revision(connection))
    classrooms, counted = ClassroomRecount(), _counted_games(connection)
    pairings, entries = _pairings(connection)
    for game in whole_games(connection):
        yield from broken_in_game(game)
        yield from broken_pairings(game, pairings.of(game.row["id"]), entries)
        yield from classrooms.add(game, counted.of(game.row["id"]) if counted else ())
        yield from waits_for_the_deleted(game, deleted)
        yield from broken_verdicts(game, deleted, all_are_judged)
        recount.add(game)
    yield from recount.broken_tallies(_rows(connection, "SELECT * FROM tally"), deleted)
    for pairing in _later_rows(connection, "competition_game", "SELECT * FROM competition_game"):
        yield from broken_without_game(pairing)
    if inspect(connection).has_table("practice_answer"):  # a backup of an older version has none
        yield from broken_practice(_rows(connection, "SELECT * FROM practice_answer"), deleted)
    if counted:
        yield from classrooms.broken_tallies(_rows(connection, "SELECT * FROM classroom_tally"))
    yield from broken_tokens(connection)
    yield from broken_names(connection)


def _counted_games(connection: Connection) -> "_RowsOfGames | None":
    """None in a backup of a version that had no classrooms."""
    if not inspect(connection).has_table("counted_game"):
        return None
    statement = "SELECT * FROM counted_game ORDER BY game_id, classroom_id, user_id"
    return _RowsOfGames(_rows(connection, statement))


def _pairings(connection: Connection) -> "tuple[_RowsOfGames, dict[int, Row]]":
    """Of competitions, by game; and who entered, by id."""
    of_games = "SELECT * FROM competition_game WHERE game_id IS NOT NULL ORDER BY game_id"
    entries = _later_rows(connection, "competition_entry", "SELECT * FROM competition_entry")
    pairings = _RowsOfGames(_later_rows(connection, "competition_game", of_games))
    return pairings, {entry["id"]: entry for entry in entries}


def whole_games(connection: Connection) -> Iterator[WholeGame]:
    """Every game with what hangs on it, read side by side in the order of ids: any number fits in memory."""
    seats = _RowsOfGames(_rows(connection, "SELECT * FROM seat ORDER BY game_id, mark"))
    moves = _RowsOfGames(_rows(connection, "SELECT * FROM move ORDER BY game_id, ply"))
    mistakes = _RowsOfGames(_later_rows(connection, "mistake", "SELECT * FROM mistake ORDER BY game_id, ply"))
    agents = _agents(connection)
    take_backs = "SELECT * FROM taken_back ORDER BY game_id, version, ply"
    taken_back = _RowsOfGames(_later_rows(connection, "taken_back", take_backs))
    for game in _rows(connection, "SELECT * FROM game ORDER BY id"):
        yield WholeGame(game, agents, *(rows.of(game["id"]) for rows in (seats, moves, mistakes, taken_back)))


def _agents(connection: Connection) -> set[int]:
    return {int(agent["user_id"]) for agent in _later_rows(connection, "agent", "SELECT user_id FROM agent")}


class _RowsOfGames:
    """Rows sorted by game, handed out game by game."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self.groups = groupby(rows, key=lambda row: int(row["game_id"]))
        self.game_id, self.rows = -1, list[Row]()

    def of(self, game_id: int) -> list[Row]:
        while self.game_id < game_id:
            following = next(self.groups, None)
            if following is None:
                return []
            self.game_id, self.rows = following[0], list(following[1])
        return self.rows if self.game_id == game_id else []


def _later_rows(connection: Connection, table: str, statement: str) -> Iterator[Row]:
    """None in a database from before they were kept."""
    return _rows(connection, statement) if inspect(connection).has_table(table) else iter(())


def _revision(connection: Connection) -> str:
    return str(connection.scalar(text("SELECT version_num FROM alembic_version")))


def _rows(connection: Connection, statement: str) -> Iterator[Row]:
    found = connection.execute(text(statement), execution_options={"yield_per": 1000})
    yield from (row._asdict() for row in found)
