"""Statements that are compiled once: they say what SQLAlchemy would, on both databases."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from flask import Flask
from sqlalchemy import Boolean, Executable, Insert, bindparam, insert, select, update

from tests.conftest import sqlite_only
from webapp.accounts.models import User
from webapp.database import insert_or_update, reading, writing
from webapp.games.models import Game
from webapp.games.states import Status
from webapp.prepared import Prepared

MOMENT = datetime(2026, 9, 1, 8, 30, tzinfo=UTC)
SWITCHES = [column.key for column in User.__table__.c if isinstance(column.type, Boolean)]
COLUMNS = ("name", "name_key", "created_at", "last_seen_at", *SWITCHES)
ADD = Prepared(insert(User).values({name: bindparam(name) for name in COLUMNS}))
NAMED = Prepared(
    select(User.name, User.must_change_password, User.created_at, User.deleted_at)
    .where(User.name_key == bindparam("key"))
    .order_by(User.id)
)
RENAME = Prepared(update(User).where(User.name_key == bindparam("key")).values(name=bindparam("new_name")))


@pytest.fixture(autouse=True)
def ann(app: Flask) -> Iterator[None]:
    with app.app_context():
        with writing() as connection:
            values = {"created_at": MOMENT, "last_seen_at": MOMENT, **dict.fromkeys(SWITCHES, True)}
            assert ADD.run(connection, name="Ann", name_key="ann", **values) == 1
        yield


def test_rows_have_names_and_the_types_of_their_columns() -> None:
    with reading() as connection:
        (row,) = NAMED.rows(connection, key="ann")
        plain = connection.execute(select(User.name, User.must_change_password, User.created_at, User.deleted_at)).one()
    assert row == tuple(plain) == ("Ann", True, MOMENT, None)
    assert (row.name, row.created_at.tzinfo) == ("Ann", UTC)


def test_it_runs_again_with_other_values() -> None:
    with reading() as connection:
        assert [len(NAMED.rows(connection, key=key)) for key in ("bob", "ann", "bob")] == [0, 1, 0]


def test_it_tells_how_many_rows_it_met() -> None:
    with writing() as connection:
        assert RENAME.run(connection, key="ann", new_name="Anna") == 1
        assert RENAME.run(connection, key="bob", new_name="Bobby") == 0
    with reading() as connection:
        assert NAMED.rows(connection, key="ann")[0].name == "Anna"


def test_a_statement_that_each_database_has_by_itself_is_made_when_it_is_first_run() -> None:
    def adding() -> Executable:
        row = {name: bindparam(f"new_{name}") for name in COLUMNS}
        new = insert_or_update(User).values(row)
        once_more: Insert = new.on_conflict_do_update(index_elements=[User.name_key], set_={"name": new.excluded.name})
        return once_more.returning(User.name, User.created_at)

    add = Prepared(adding)
    values = {"new_created_at": MOMENT, "new_last_seen_at": MOMENT, **{f"new_{switch}": True for switch in SWITCHES}}
    with writing() as connection:
        for name in ("Bob", "BOB"):
            (row,) = add.rows(connection, new_name=name, new_name_key="bob", **values)
            assert (row.name, row.created_at) == (name, MOMENT)
    with reading() as connection:
        assert [row.name for row in NAMED.rows(connection, key="bob")] == ["BOB"]


def test_a_value_is_never_part_of_the_statement() -> None:
    with reading() as connection:
        assert NAMED.rows(connection, key="' OR '1' = '1") == []


def test_a_value_that_is_missing_is_an_error_and_no_null() -> None:
    with reading() as connection, pytest.raises(Exception, match="key"):
        NAMED.rows(connection)


@sqlite_only
def test_sqlite_plans_a_statement_once_though_a_constant_of_it_decides_which_index_will_do() -> None:
    mine = Prepared(select(Game.id).where(Game.status == Status.OPEN, Game.opened_by == bindparam("me")))
    planned: list[int] = []

    def authorize(action: int, *_: object) -> int:
        """SQLite asks for each part of a statement when it plans it."""
        planned.append(action)
        return sqlite3.SQLITE_OK

    with reading() as connection:
        driver = connection.connection.driver_connection
        driver.set_authorizer(authorize)  # type: ignore[union-attr]
        try:
            assert mine.rows(connection, me=1) == []
            once = len(planned)
            assert mine.rows(connection, me=2) == []
        finally:
            driver.set_authorizer(None)  # type: ignore[union-attr]
    assert once == len(planned) > 0


def test_a_constant_is_written_as_its_column_wants_it() -> None:
    open_games = Prepared(select(Game.id).where(Game.status == Status.OPEN, Game.created_at > MOMENT))
    with reading() as connection:
        assert open_games.rows(connection) == []
