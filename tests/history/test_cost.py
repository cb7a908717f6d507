"""The history costs the same however many games there are: counted in the database's own steps, not in seconds."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from flask import Flask
from sqlalchemy import insert, select, text

from tests.conftest import Browser, own_database, sqlite_only
from tests.history.playing import play_many, user_id_of
from webapp.extensions import Model, db
from webapp.games.models import Game, Move, Seat
from webapp.games.totals import totals_of
from webapp.history import queries
from webapp.history.forms import Choice, Edge

FEW, MANY = 1_200, 6_000  # the few fill every page, whatever is chosen


def multiply_games(count: int, *parts: type[Model]) -> None:
    """Add copies of the played games, with these parts of theirs, until there are so many; some stay unfinished."""
    games, *of_games = ([dict(row) for row in db.session.execute(select(table.__table__)).mappings()]
                        for table in (Game, *parts))  # fmt: skip
    played, new = games[:24], range(len(games) + 1, count + 1)
    sources = {number: played[number % len(played)] for number in new}
    copies = [source | {"id": number, "public_id": f"copy{number:08}"} for number, source in sources.items()]
    db.session.execute(insert(Game.__table__), copies)
    for table, rows in zip(parts, of_games, strict=True):
        of_game = {game["id"]: [row for row in rows if row["game_id"] == game["id"]] for game in played}
        copies = [row | {"game_id": number} for number in new for row in of_game[sources[number]["id"]]]
        db.session.execute(insert(table.__table__), copies)
    db.session.execute(text("UPDATE seat SET result = NULL WHERE game_id % 7 = 0"))
    db.session.execute(text("UPDATE seat SET coached = true WHERE game_id % 5 = 0"))
    db.session.execute(text("ANALYZE"))
    db.session.commit()


def steps_of(question: Callable[[], object]) -> int:
    """How many instructions SQLite's machine runs for a question."""
    counted = [0]

    def count() -> int:
        counted[0] += 1
        return 0

    driver = db.session.connection().connection.driver_connection
    assert driver is not None
    driver.set_progress_handler(count, 10)
    question()
    driver.set_progress_handler(None, 10)
    db.session.rollback()
    return counted[0]


def costs(user_id: int, edge: Edge) -> dict[str, int]:
    against = {one.key: one for one in totals_of(user_id).against}
    measured = {
        "totals": steps_of(lambda: totals_of(user_id)),
        "picture": steps_of(lambda: queries.last_games(user_id)),
    }
    chosen = product((None, "casual"), (None, "lost"), (None, "O"), (None, "yes"), (None, "yes"), (None, edge))
    for opponent, result, mark, mistakes, coach, begin in chosen:
        choice, who = Choice(opponent, result, mark, mistakes, coach), against.get(opponent)
        measured[f"page {choice} {begin}"] = steps_of(lambda: queries.page_of(user_id, choice, who, begin))  # noqa: B023
    return measured


@pytest.mark.slow
@sqlite_only
@own_database
def test_every_question_takes_as_many_steps_with_many_games_as_with_few(app: Flask, player7: Browser) -> None:
    play_many(app, "player7", 24)
    with app.app_context():
        user_id = user_id_of("player7")
        multiply_games(FEW, Seat, Move)
        edge = Edge("copy00001100", towards_newer=False)
        few = costs(user_id, edge)
        multiply_games(MANY, Seat, Move)
        many = costs(user_id, edge)
    assert {name for name in few if many[name] > 1.3 * few[name]} == set()


CHOICES = [Choice(), Choice(result="lost"), Choice("casual", "lost"), Choice("casual", mark="O")]
CHOICES += [replace(choice, mistakes="yes") for choice in CHOICES]
CHOICES += [replace(choice, coach="yes") for choice in CHOICES]


def plan_of(user_id: int, choice: Choice) -> str:
    """How the database goes about finding the page."""
    against = choice.opponent and "level"
    chosen = queries._Filter(choice.mark, choice.result, against, bool(choice.mistakes), bool(choice.coach))
    found = queries._newest(chosen, False)
    values = {"user": user_id, "against": choice.opponent, "beside": "copy00001500", "limit": 26}
    statement = select(found.c.game_id).params({name: value for name, value in values.items() if value})
    sql = str(statement.compile(db.engine, compile_kwargs={"literal_binds": True}))
    explain = "EXPLAIN QUERY PLAN " if db.engine.dialect.name == "sqlite" else "EXPLAIN "
    return "\n".join(str(row) for row in db.session.execute(text(explain + sql)))


@pytest.mark.slow
@own_database
def test_every_page_walks_in_an_index(app: Flask, player7: Browser) -> None:
    play_many(app, "player7", 6)
    with app.app_context():
        multiply_games(2_000, Seat)
        for choice in CHOICES:
            plan = plan_of(user_id_of("player7"), choice)
            kind = "_mistaken" * bool(choice.mistakes) + "_coached" * bool(choice.coach)
            name = f"ix_seat{kind}_against_level" if choice.opponent else f"ix_seat{kind or '_finished'}"
            assert re.search(rf"{name}\b", plan), plan
            assert "Seq Scan on seat" not in plan and "SCAN seat" not in plan, plan
