"""One script of a thousand mixed actions leaves the same rows in SQLite and in PostgreSQL, and gets the same answers.

What is random by nature (tokens, hashes, measured time) is left out, and ids are told by their rank: PostgreSQL
uses up a number for a row that was refused, SQLite does not.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from tests.conftest import DATABASES, Browser, MakeApp, SetClock
from webapp.accounts import presence
from webapp.accounts.sessions import purge_sessions
from webapp.extensions import db
from webapp.privacy.services import purge_guests

ACTIONS = 1000
NAMES = ["ada", "grace", "alan", "donald", "Ada", "x", "admin", "claude-shannon"]  # the first are the actors' own
PASSWORDS = ["correct horse", "correct horse", "correct horse", "wrong battery", "short"]
LEVELS = ["beginner", "casual", "perfect", "grandmaster"]
RANDOM_COLUMNS = {"token_hash", "password_hash", "microseconds"}
RANKED = dict.fromkeys(["user_id", "opponent_id", "opened_by", "challenged_id", "to_move_id", "called_id"], "user")
RANKED |= dict.fromkeys(["game_id", "rematch_of"], "game")


class Actor:
    """Somebody at a browser who does things by lot: right ones, wrong ones, and the same one twice."""

    def __init__(self, app: Flask, random: Random, number: int, opened: list[str]) -> None:
        self.browser: Browser = app.test_client()  # type: ignore[assignment]
        self.random, self.opened = random, opened  # the games between people that anybody has opened
        self.name = NAMES[number]
        self.games: list[str] = []
        self.ids = (f"new-{number}-{count:06}" for count in range(10**6))

    def act(self) -> tuple[str, int, str]:
        verbs = {
            self.sign_up: 4, self.log_in: 3, self.log_out: 1, self.delete_account: 1,
            self.start: 5, self.open: 7, self.join: 4, self.move: 60,
            self.take_back: 3, self.settle: 6, self.resign: 2, self.play_again: 6,
        }  # fmt: skip
        [verb] = self.random.choices(list(verbs), list(verbs.values()))
        answer = verb()
        return verb.__name__, answer.status_code, answer.location or ""

    def sign_up(self) -> TestResponse:
        return self.browser.sign_up(self.random.choice([self.name, *NAMES]), self.random.choice(PASSWORDS))

    def log_in(self) -> TestResponse:
        return self.browser.log_in(self.random.choice([self.name, self.name, *NAMES]), self.random.choice(PASSWORDS))

    def log_out(self) -> TestResponse:
        return self.browser.send("/log-out")

    def delete_account(self) -> TestResponse:
        return self.browser.send("/account/delete", password=self.random.choice(PASSWORDS))

    def start(self) -> TestResponse:
        fields: dict[str, Any] = {"level": self.random.choice(LEVELS), "mark": self.random.choice(["X", "O", "random"])}
        if fields["mark"] == "X":
            fields["cell"] = self.random.randrange(10)
        fields["coach"] = self.random.choice(["yes", "no"])
        times = self.random.choice([1, 1, 2]) if fields["mark"] != "random" else 1
        public_id = next(self.ids)
        answers = [self.browser.send("/games", public_id=public_id, **fields) for _ in range(times)]
        self.note(answers[0])
        return answers[-1]

    def note(self, answer: TestResponse) -> TestResponse:
        """Remember the game that an answer leads to."""
        if answer.status_code == 303 and "/games/" in answer.location:
            self.games.append(answer.location)
        return answer

    def open(self) -> TestResponse:
        opponent = self.random.choice(["anyone", "anyone", *NAMES])
        fields = {"mark": self.random.choice(["X", "O", "random"])}
        fields["visibility"] = self.random.choice(["public", "private"])
        answer = self.note(self.browser.send("/games", opponent=opponent, public_id=next(self.ids), **fields))
        if self.games and answer.location == self.games[-1]:
            self.opened.append(answer.location)
        return answer

    def join(self) -> TestResponse:
        if not self.opened:
            return self.open()
        return self.note(self.browser.send(f"{self.random.choice(self.opened[-2:])}/join"))

    def settle(self) -> TestResponse:
        """What two people settle between them, whether it is time for it or not."""
        verb, fields = self.random.choice([
            ("draw", {"draw": "offer"}), ("draw", {"draw": "accept"}), ("draw", {"draw": "decline"}), ("abort", {}),
            ("claim", {"claim": "win"}), ("withdraw", {}), ("decline", {"reason": "later"}),
        ])  # fmt: skip
        return self.browser.send(f"{self.games[-1]}/{verb}", **fields) if self.games else self.open()

    def move(self) -> TestResponse:
        """Mostly a free cell of a new game; now and then any cell, or that of an older page."""
        if not self.games:
            return self.start()
        address = self.random.choice(self.games[-3:])
        page = self.browser.get(address).text
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        free = re.findall(r'name="cell" value="(\d)"', page)
        ply = re.search(r'name="ply" value="(\d)"', page)
        if not free and self.random.random() < 0.6:
            return self.join()
        is_right = free and self.random.random() < 0.95
        cell = self.random.choice(free) if is_right else self.random.choice(["0", "4", "8", "9", "-1", "", "1.5"])
        sent = int(ply[1]) if ply and is_right else self.random.randrange(10)
        fields = {"csrf_token": token[1] if token else "", "cell": cell, "ply": sent}
        return self.browser.post(f"{address}/moves", data=fields)

    def take_back(self) -> TestResponse:
        """Mostly in time; now and then by a form from before, or where nothing can be taken back."""
        for address in self.games[:-6:-1]:
            if version := re.search(r'name="version" value="(\d+)"', self.browser.get(address).text):
                sent = int(version[1]) - self.random.choice([0, 0, 0, 1])
                return self.browser.send(f"{address}/take-back", version=sent)
        return self.browser.send(f"{self.games[-1]}/take-back", version=0) if self.games else self.start()

    def resign(self) -> TestResponse:
        return self.browser.send(f"{self.games[-1]}/resign") if self.games else self.start()

    def play_again(self) -> TestResponse:
        if not self.games:
            return self.start()
        return self.note(self.browser.send(f"{self.games[-1]}/rematch", public_id=next(self.ids)))


def run_script(app: Flask, set_clock: SetClock) -> list[tuple[str, int, str]]:
    random = Random(47)
    opened: list[str] = []
    actors = [Actor(app, random, number, opened) for number in range(4)]
    answers = []
    presence._written.clear()  # what this process remembers of the other database's people
    for number in range(ACTIONS):
        set_clock.pass_time(seconds=random.choice([1, 5, 90]))
        answers.append(random.choice(actors).act())
        if number in (300, 600):  # a holiday: guests grow old, then sessions too
            set_clock.pass_time(days=8 if number == 300 else 15)
            with app.app_context():
                purge_sessions()
                purge_guests()
            actors[0].browser.get("/lobby")  # where what is overdue is settled, whoever looks
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
        elif column in ("key", "data"):
            yield re.sub(r"[0-9a-f]{64}|(?<=confirm )\d+", "...", value)
        elif column not in RANDOM_COLUMNS:
            yield value


@pytest.mark.slow
@pytest.mark.long
def test_a_thousand_mixed_actions_leave_the_same_rows_on_both_databases(
    new_database: Callable[[str], str], tmp_path: Path, build_app: MakeApp, set_clock: SetClock
) -> None:
    results, start = {}, set_clock.moment
    for kind in DATABASES:
        app = build_app(tmp_path, new_database(kind))
        set_clock.moment = start
        results[kind] = run_script(app, set_clock), rows_of(app)
        with app.app_context():
            db.engine.dispose()
    (answers, rows), (other_answers, other_rows) = results.values()
    assert len(answers) == ACTIONS
    assert answers == other_answers
    assert rows == other_rows
    filled = ("user", "session", "game", "seat", "move", "taken_back", "tally", "mistake")
    assert min(len(rows[table]) for table in filled) > 3
    assert {status for _, status, _ in answers} >= {303, 400, 403, 404, 409}
    assert {"line", "full", "resigned", "abandoned", "withdrawn"} <= set(chain(*rows["game"]))
