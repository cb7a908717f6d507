"""The two ways to talk to a database, on both kinds: what a unit keeps, gives up and lets others see."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Connection, Select, event, insert, select, text
from sqlalchemy.exc import IntegrityError

from tests.conftest import postgres_only, sqlite_only
from webapp.accounts.models import User
from webapp.database import (
    UNREACHABLE,
    CommitUnanswered,
    RowsAsJson,
    from_json,
    reading,
    release_connection,
    writing,
)
from webapp.extensions import db
from webapp.prepared import Prepared

ADD = insert(User).values(name="ann", name_key="ann")


@pytest.fixture(autouse=True)
def context(app: Flask) -> Iterator[None]:
    with app.app_context():
        yield


def names(app: Flask) -> list[str | None]:
    """As another request sees them."""
    with app.app_context(), reading() as connection:
        return list(connection.scalars(select(User.name)))


def test_what_a_unit_wrote_is_seen_by_others_when_it_ends(app: Flask) -> None:
    with writing() as connection:
        connection.execute(ADD)
        assert names(app) == []
    assert names(app) == ["ann"]


def test_a_unit_that_fails_leaves_nothing_and_the_next_one_works(app: Flask) -> None:
    with pytest.raises(ZeroDivisionError), writing() as connection:
        connection.execute(ADD)
        raise ZeroDivisionError
    assert names(app) == []
    with writing() as connection:
        connection.execute(ADD)
    assert names(app) == ["ann"]


def test_what_the_database_refuses_ends_the_unit(app: Flask) -> None:
    with pytest.raises(IntegrityError), writing() as connection:
        connection.execute(ADD)
        connection.execute(ADD)
    assert names(app) == []


def test_a_unit_within_a_unit_joins_it(app: Flask) -> None:
    with pytest.raises(ZeroDivisionError), writing() as outer:
        with writing() as inner:
            inner.execute(ADD)
        assert inner is outer and names(app) == []
        raise ZeroDivisionError
    assert names(app) == []


def test_a_connection_is_not_released_within_a_unit_which_is_rolled_back_then(app: Flask) -> None:
    with pytest.raises(RuntimeError, match="within a unit"), writing() as connection:
        connection.execute(ADD)
        release_connection()
    assert names(app) == []
    release_connection()


def test_a_statement_sees_what_was_committed_last(app: Flask) -> None:
    with reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM throttle")) == 0
        with app.app_context(), writing() as other:
            other.execute(ADD)
        assert connection.scalars(select(User.name)).all() == ["ann"]


def test_the_rows_of_a_subquery_come_as_one_value_with_times_that_read_as_ever(app: Flask) -> None:
    with writing() as connection:
        connection.execute(insert(User), [{"name": "ann", "name_key": "ann"}, {"name": "bob", "name_key": None}])
    rows = select(RowsAsJson(User.name, User.name_key, User.is_instructor, User.created_at).label("rows"))
    for run in (reading_one, prepared_one):
        [[_, key, _, ann_began], [*bob, bob_began]] = sorted(run(rows), key=lambda row: str(row[0]))
        assert (key, bob[:2]) == ("ann", ["bob", None])
        with reading() as connection:
            stored = list(connection.scalars(select(User.created_at).order_by(User.name)))
        assert [from_json(ann_began), from_json(bob_began)] == stored
        assert not run(rows.where(User.name == "nobody"))


def reading_one(statement: Select[Any]) -> Any:
    with reading() as connection:
        return connection.scalar(statement)


def prepared_one(statement: Select[Any]) -> Any:
    with reading() as connection:
        [row] = Prepared(statement).rows(connection)
        return row[0]


def test_a_request_takes_one_connection_from_the_pool() -> None:
    taken: list[object] = []
    event.listen(db.engine, "checkout", lambda *connection: taken.append(connection))
    with reading(), writing(), reading():
        assert len(taken) == 1
    with reading():
        assert len(taken) == 1
    release_connection()
    with reading():
        assert len(taken) == 2


@postgres_only
def test_a_connection_that_was_lost_is_given_back_without_a_traceback(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    with reading() as connection:
        end_process_behind(connection)
    with pytest.raises(UNREACHABLE):
        Prepared(select(User.name)).rows(connection)
    release_connection()
    assert "Traceback" not in caplog.text
    assert names(app) == []


@sqlite_only
def test_a_connection_keeps_half_a_megabyte_for_itself_so_that_a_workers_memory_stays_flat(app: Flask) -> None:
    with reading() as connection:
        assert connection.scalar(text("PRAGMA cache_size")) == -512


def end_process_behind(connection: Connection) -> None:
    process = connection.scalar(text("SELECT pg_backend_pid()"))
    with db.engine.connect() as other:
        other.execute(text("SELECT pg_terminate_backend(:process)"), {"process": process})


@postgres_only
def test_a_unit_whose_connection_was_lost_says_that_and_the_next_one_has_another(app: Flask) -> None:
    with pytest.raises(UNREACHABLE), writing() as connection:
        end_process_behind(connection)
        connection.execute(select(User.name))
    release_connection()
    with writing() as connection:
        assert connection.execute(select(User.name)).all() == []


@postgres_only
def test_a_request_goes_on_with_another_connection_when_it_could_do_without_what_failed(app: Flask) -> None:
    """As when it is noted that somebody is here: the page matters more."""
    with pytest.raises(UNREACHABLE), writing() as connection:
        end_process_behind(connection)
        connection.execute(select(User.name))
    with reading() as connection:
        assert Prepared(select(User.name)).rows(connection) == []


@postgres_only
def test_so_it_does_wherever_the_loss_was_met(app: Flask) -> None:
    """SQLAlchemy sees it of its own statements only: not of these, nor of how a unit begins and ends."""
    ask = Prepared(select(User.name))

    def in_reading() -> None:
        with reading() as connection:
            end_process_behind(connection)
            ask.rows(connection)

    def at_begin() -> None:
        with reading() as connection:
            end_process_behind(connection)
        with writing():
            pass

    def in_unit() -> None:
        with writing() as connection:
            end_process_behind(connection)
            ask.rows(connection)

    def at_commit() -> None:
        with writing() as connection:
            end_process_behind(connection)

    for met in (in_reading, at_begin, in_unit, at_commit):
        with pytest.raises(UNREACHABLE):
            met()
        with reading() as connection:
            assert ask.rows(connection) == [], met.__name__


@postgres_only
def test_a_unit_that_lost_its_connection_does_not_go_on_outside_of_its_transaction(app: Flask) -> None:
    with pytest.raises(UNREACHABLE), writing() as connection:
        end_process_behind(connection)
        with pytest.raises(UNREACHABLE):
            connection.execute(select(User.name))
        with reading() as connection:
            Prepared(select(User.name)).rows(connection)


@postgres_only
def test_a_commit_that_is_not_answered_may_have_happened_and_that_is_said(app: Flask) -> None:
    with pytest.raises(CommitUnanswered) as lost, writing() as connection:
        end_process_behind(connection)
    release_connection()
    for path, what_to_do in (("/", "reload the page"), ("/api/of-a-program", "Sent again, an answer counts once")):
        with app.test_request_context(path, method="POST"):
            app.preprocess_request()
            answer = app.handle_user_exception(lost.value)
        assert answer.status_code == 503 and answer.headers["Retry-After"]
        told = answer.get_data(as_text=True)
        assert "may be saved or not" in told and "nothing was changed" not in told
        assert what_to_do in told, told
