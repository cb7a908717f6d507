"""A classroom whose students were added from a list, and what its pages show."""

import re
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.factories import logged_in, make_classroom
from tests.tables import rows_of
from webapp.accounts.queries import account_named
from webapp.classrooms.roles import Role

NAMES = "O'Brien, Zoë\n李 小龙\nمحمد علي\n"


def cards_on(page: str) -> list[tuple[str, str]]:
    """User name and password of each card."""
    secrets = re.findall(r'login-card-secret">([^<]+)<', page)
    return list(zip(secrets[::2], secrets[1::2], strict=True))


class Room:
    """A classroom and its instructor's browser."""

    def __init__(self, app: Flask, instructor: str = "teacher7") -> None:
        self.app, self.public_id = app, make_classroom(app, instructor)
        self.path = f"/classrooms/{self.public_id}"
        self.browser = logged_in(app, instructor)

    def roster(self, **fields: Any) -> TestResponse:
        return self.browser.send(f"{self.path}/roster", **fields)

    def add(self, names: str = NAMES) -> list[tuple[str, str]]:
        answer = self.roster(names=names, confirm="yes")
        assert answer.status_code == 200, answer.text
        return cards_on(answer.text)

    def id_of(self, name: str) -> int:
        with self.app.app_context():
            return account_named(name)

    def change(self, how: str, *user_ids: int, **fields: Any) -> TestResponse:
        return self.browser.send(f"{self.path}/students/{how}", student=list(user_ids), **fields)

    def remove(self, *user_ids: int) -> None:
        assert self.change("remove", *user_ids, confirm="yes").status_code == 303


def students(app: Flask) -> list[dict[str, Any]]:
    return [row for row in rows_of(app, "enrolment") if row["role"] == Role.STUDENT]
