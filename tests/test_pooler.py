"""PostgreSQL through pgbouncer in transaction mode: nothing of ours needs a session of the server for itself."""

from collections.abc import Iterator

import psycopg
import pytest
from flask import Flask

from tests.conftest import POOLED, Pair, SetClock, postgres_only
from tests.two_players import begin_game
from webapp.accounts import presence
from webapp.config import database_url, direct_url, is_pooled, plain_url, read_settings
from webapp.extensions import settings_of
from webapp.operations.commands import database
from webapp.operations.invariants import check

pooled_only = pytest.mark.parametrize("database_kind", [POOLED], indirect=True)


@pooled_only
def test_people_play_through_a_pooler(app: Flask, pair: Pair) -> None:
    """More often than a driver waits before it prepares a statement, which the next session would not know."""
    assert is_pooled(settings_of(app))
    for _ in range(8):
        address = begin_game(*pair, 0, 3, 1, 4, 2)
        assert [player.get(address).status_code for player in pair] == [200, 200]
    assert pair[0].get("/history").status_code == pair[0].get("/lobby").status_code == 200
    assert "8 won" in " ".join(pair[0].get("/history").text.split())
    assert check(direct_url(settings_of(app))) == []


@pooled_only
def test_commands_on_the_whole_database_go_past_the_pooler(app: Flask) -> None:
    with app.app_context():
        assert database() == direct_url(settings_of(app)) != database_url(settings_of(app))


@pytest.fixture
def notified(app: Flask) -> Iterator[psycopg.Connection]:
    with psycopg.connect(plain_url(direct_url(settings_of(app))), autocommit=True) as connection:
        connection.execute("LISTEN noughts")
        yield connection


def count_of(connection: psycopg.Connection) -> int:
    connection.execute("SELECT 1")  # after which all that was sent before has come
    return len(list(connection.notifies(timeout=0)))


@postgres_only
def test_that_somebody_is_here_notifies_nobody(
    app: Flask, pair: Pair, notified: psycopg.Connection, set_clock: SetClock
) -> None:
    """To notify takes a lock that all databases of the server share. A move is worth it; a page that is open is not."""
    address = begin_game(*pair)
    count_of(notified)
    for _ in range(3):
        set_clock.pass_time(minutes=2)  # so that session and presence are written again
        assert pair[0].get(address).status_code == pair[0].get("/lobby").status_code == 200
        with app.app_context():
            presence.note([1, 2], by_stream=True)
    assert count_of(notified) == 0
    assert pair[0].send(f"{address}/moves", cell=0, ply=0).status_code == 303
    assert count_of(notified) == 1


def test_the_address_past_the_pooler_is_the_databases_own_where_there_is_none() -> None:
    through, past = "postgresql://noughts@localhost:6432/noughts", "postgres://noughts@localhost:5432/noughts"
    assert direct_url(read_settings({"DATABASE_URL": through})) == "postgresql+psycopg://noughts@localhost:6432/noughts"
    both = read_settings({"DATABASE_URL": through, "NOUGHTS_LISTEN_URL": past})
    assert (is_pooled(both), direct_url(both)) == (True, "postgresql+psycopg://noughts@localhost:5432/noughts")
    only = read_settings({"NOUGHTS_LISTEN_URL": past})
    assert not is_pooled(only) and direct_url(only).startswith("sqlite:///")
