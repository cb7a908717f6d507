"""Which games are on whose lists, and what version a game's page has."""

from flask import Flask
from sqlalchemy import Connection, Select, select, text

from tests.conftest import Browser, Pair, sqlite_only
from tests.two_players import begin_game, play_cells
from webapp.database import reading
from webapp.games.lists import LISTED, Listed, lists_of, open_to_all, unfinished_of
from webapp.games.models import Game
from webapp.games.queries import game_seen_by
from webapp.games.unfinished import _COUNT


def ids(app: Flask, *lists: Listed) -> list[set[str]]:
    """The ends of the addresses of the games that are listed."""
    with app.app_context(), reading() as connection:
        listed = [select(Game.public_id).where(Game.id.in_(select(one.subquery().c.id))) for one in lists]
        return [set(connection.scalars(one)) for one in listed]


def end(address: str) -> str:
    return address.rsplit("/")[-1]


def test_a_game_moves_from_list_to_list_as_it_goes_on(app: Flask, pair: Pair) -> None:
    ann, bob = pair
    game = str(ann.send("/games", opponent="anyone", mark="X").location)
    assert ids(app, open_to_all(), *lists_of(1)) == [{end(game)}, set(), {end(game)}, set(), set()]
    assert ids(app, *lists_of(2)) == [set()] * 4
    bob.send(f"{game}/join")
    # Ann has X, so it is her turn.
    assert ids(app, open_to_all(), *lists_of(1)) == [set(), {end(game)}, set(), set(), {end(game)}]
    assert ids(app, *lists_of(2)) == [{end(game)}, set(), set(), set()]
    play_cells(ann, bob, game, 0, 4, 1, 5, 2)
    assert ids(app, open_to_all(), *lists_of(1), *lists_of(2)) == [set()] * 9


def test_a_challenge_and_a_private_game_are_open_to_nobody_else(app: Flask, pair: Pair) -> None:
    ann, bob = pair
    challenge = str(ann.send("/games", opponent="bob").location)
    private = str(bob.send("/games", opponent="anyone", visibility="private").location)
    assert ids(app, open_to_all()) == [set()]
    assert ids(app, *lists_of(2)) == [set(), {end(private)}, {end(challenge)}, set()]


def test_of_many_unfinished_games_the_newest_are_listed(app: Flask, client: Browser) -> None:
    client.sign_up()
    games = [end(client.start(level="casual", cell=0)) for _ in range(3)]
    assert ids(app, unfinished_of(1, limit=2)) == [set(games[1:])]
    assert LISTED >= 3
    assert ids(app, unfinished_of(1)) == [set(games)]


def test_a_page_has_another_version_after_a_move_and_with_each_step_of_a_rematch(app: Flask, pair: Pair) -> None:
    ann, bob = pair
    game = begin_game(ann, bob)

    def version() -> str:
        with app.app_context():
            return game_seen_by(1, end(game)).page_version

    versions = [version()]
    ann.send(f"{game}/moves", cell=0, ply=0)
    versions.append(version())
    bob.send(f"{game}/resign")
    versions.append(version())
    for one in (ann, bob):
        one.send(f"{game}/rematch")
        versions.append(version())
    assert len(set(versions)) == 5
    assert f'data-version="{versions[-1]}"' in ann.get(game).text


@sqlite_only
def test_unfinished_games_are_found_without_a_look_at_the_finished_ones(app: Flask) -> None:
    """SQLite is never told how many rows there are of what kind: an account of many years must not be slow for that."""
    counts = [prepared._statement for prepared in _COUNT.values()]
    with app.app_context(), reading() as connection:
        for asked in (unfinished_of(1), *counts):
            plan = connection.execute(text(f"EXPLAIN QUERY PLAN {written_out(asked, connection)}")).all()
            assert any("ix_seat_unfinished" in step[3] for step in plan), plan


def written_out(statement: Select, connection: Connection) -> str:
    asked = statement.params(user_id=1) if "user_id" in statement.compile().params else statement
    return str(asked.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True}))
