"""One script of a thousand mixed actions leaves the same rows in SQLite and in PostgreSQL, and gets the same answers.

What is random by nature (tokens, hashes, measured time) is left out, and ids are told by their rank: PostgreSQL
uses up a number for a row that was refused, SQLite does not.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from tests.conftest import DATABASES, SETTINGS, Browser, SetClock
from webapp import create_app
from webapp.extensions import db
from webapp.privacy.services import purge_guests
from webapp.sessions import purge_sessions

ACTIONS = 1000
NAMES = ["ada", "Ada", "grace", "alan", "donald", "edsger", "barbara", "x", "admin", "claude-shannon"]
PASSWORDS = ["correct horse", "correct horse", "wrong battery", "short"]
LEVELS = ["beginner", "casual", "perfect", "grandmaster"]
RANDOM_COLUMNS = {"token_hash", "password_hash", "microseconds"}
RANKED = {"user_id": "user", "opponent_id": "user", "game_id": "game"}


class Actor:
    """Somebody at a browser who does things by lot: right ones, wrong ones, and the same one twice."""

    def __init__(self, app: Flask, random: Random, number: int) -> None:
        self.browser: Browser = app.test_client()  # type: ignore[assignment]
        self.random, self.number = random, number
        self.games: list[str] = []
        self.keys = (f"key-{number}-{count:06}" for count in range(10**6))

    def act(self) -> tuple[str, int, str]:
        verbs = [self.sign_up, self.log_in, self.log_out, self.delete_account, self.start, self.move, self.resign,
                 self.play_again]  # fmt: skip
        [verb] = self.random.choices(verbs, [3, 3, 2, 1, 14, 60, 4, 6])
        answer = verb()
        return verb.__name__, answer.status_code, answer.location or ""

    def sign_up(self) -> TestResponse:
        return self.browser.sign_up(self.random.choice(NAMES), self.random.choice(PASSWORDS))

    def log_in(self) -> TestResponse:
        return self.browser.log_in(self.random.choice(NAMES), self.random.choice(PASSWORDS))

    def log_out(self) -> TestResponse:
        return self.browser.send("/log-out")

    def delete_account(self) -> TestResponse:
        return self.browser.send("/account/delete", password=self.random.choice(PASSWORDS))

    def start(self) -> TestResponse:
        fields: dict[str, Any] = {"level": self.random.choice(LEVELS), "mark": self.random.choice(["X", "O", "random"])}
        if fields["mark"] == "X":
            fields["cell"] = self.random.randrange(10)
        times = self.random.choice([1, 1, 2]) if fields["mark"] != "random" else 1
        key = next(self.keys)
        answers = [self.browser.send("/games", key=key, **fields) for _ in range(times)]
        if answers[0].status_code == 303 and "/games/" in answers[0].location:
            self.games.append(answers[0].location)
        return answers[-1]

    def move(self) -> TestResponse:
        """Mostly a free cell of the newest game; now and then any cell, an older game or an older page."""
        if not self.games:
            return self.start()
        address = self.games[-1] if self.random.random() < 0.9 else self.random.choice(self.games)
        page = self.browser.get(address).text
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        free = re.findall(r'name="cell" value="(\d)"', page)
        ply = re.search(r'name="ply" value="(\d)"', page)
        is_right = free and self.random.random() < 0.85
        cell = self.random.choice(free) if is_right else self.random.choice(["0", "4", "8", "9", "-1", "", "1.5"])
        sent = int(ply[1]) if ply and is_right else self.random.randrange(10)
        fields = {"csrf_token": token[1] if token else "", "cell": cell, "ply": sent}
        return self.browser.post(f"{address}/moves", data=fields)

    def resign(self) -> TestResponse:
        return self.browser.send(f"{self.games[-1]}/resign") if self.games else self.start()

    def play_again(self) -> TestResponse:
        if not self.games:
            return self.start()
        answer = self.browser.send(f"{self.games[-1]}/rematch", key=next(self.keys))
        if answer.status_code == 303 and "/games/" in answer.location:
            self.games.append(answer.location)
        return answer


def run_script(app: Flask, set_clock: SetClock) -> list[tuple[str, int, str]]:
    random = Random(28)
    actors = [Actor(app, random, number) for number in range(6)]
    answers = []
    for number in range(ACTIONS):
        set_clock.pass_time(seconds=random.choice([1, 5, 90]))
        answers.append(random.choice(actors).act())
        if number % 400 == 399:  # a holiday: sessions and guests grow old
            set_clock.pass_time(days=15)
            with app.app_context():
                purge_sessions()
                purge_guests()
    return answers


def rows_of(app: Flask) -> dict[str, list[list[Any]]]:
    """Every row of every table, in an order and with ids that both databases share."""
    with app.app_context():
        tables = {
            table.name: [dict(row._mapping) for row in db.session.execute(select(table))]
            for table in db.metadata.sorted_tables
        }
    ranks = {name: {key: rank for rank, key in enumerate(sorted(row["id"] for row in tables[name]))}
             for name in ("user", "game")}  # fmt: skip
    for name, rows in tables.items():
        tables[name] = sorted([list(_told(name, row, ranks)) for row in rows], key=str)  # type: ignore[misc]
    return tables  # type: ignore[return-value]


def _told(table: str, row: dict[str, Any], ranks: dict[str, dict[int, int]]) -> Iterator[Any]:
    for column, value in row.items():
        if column == "id":
            yield ranks[table][value] if table in ranks else None
        elif column in RANKED:
            yield value if value is None else ranks[RANKED[column]][value]
        elif column == "key":
            yield re.sub(r"[0-9a-f]{64}|(?<=confirm )\d+", "...", value)
        elif column not in RANDOM_COLUMNS:
            yield value


def test_a_thousand_mixed_actions_leave_the_same_rows_on_both_databases(
    new_database: Callable[[str], str], tmp_path: Path, set_clock: SetClock
) -> None:
    results, start = {}, set_clock.moment
    for kind in DATABASES:
        settings = {"NOUGHTS_INSTANCE": str(tmp_path), "DATABASE_URL": new_database(kind)}
        app = create_app({**SETTINGS, **settings, "TESTING": True})
        app.test_client_class = Browser
        set_clock.moment = start
        results[kind] = run_script(app, set_clock), rows_of(app)
        with app.app_context():
            db.engine.dispose()
    (answers, rows), (other_answers, other_rows) = results.values()
    assert len(answers) == ACTIONS
    assert answers == other_answers
    assert rows == other_rows
    assert min(len(rows[table]) for table in ("user", "session", "game", "seat", "move", "tally")) > 3
    assert {status for _, status, _ in answers} >= {303, 400, 403, 404, 409}
