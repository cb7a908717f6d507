"""A program that plays, as tests need one: it has a token, and asks the API."""

import time
from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.factories import make_user
from webapp.accounts.queries import account_named
from webapp.agents.models import Accepts
from webapp.agents.services import change_settings, make_agent
from webapp.errors import NotThere


class Program:
    def __init__(self, app: Flask, agent_id: int, name: str, token: str) -> None:
        self.app, self.agent_id, self.name, self.token = app, agent_id, name, token

    def ask(self, method: str, path: str, body: Any = None) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}"}
        answer: TestResponse = self.app.test_client(use_cookies=False).open(
            f"/api/v1{path}", method=method, json=body, headers=headers
        )
        return answer

    def next(self, answer: dict[str, Any] | None = None, wait: float = 0) -> dict[str, Any]:
        """Without waiting, unless it is asked for."""
        given = self.ask("POST", "/agent/next", {"wait": wait, **({"answer": answer} if answer else {})})
        assert given.status_code == 200, given.text
        told: dict[str, Any] = given.json
        return told

    def job(self) -> dict[str, Any]:
        found: dict[str, Any] = self.next()["job"]
        assert found
        return found

    def play(self, cell: int | None = None, **more: Any) -> dict[str, Any]:
        """Answer the job that there is, with the first legal cell if none is given."""
        job = self.job()
        cell = job["legal"][0] if cell is None else cell
        return self.next({"game": job["game"], "ply": job["ply"], "cell": cell, **more})

    def start(self, opponent: str = "perfect", mark: str = "X") -> str:
        given = self.ask("POST", "/games", {"opponent": opponent, "mark": mark})
        assert given.status_code == 201, given.text
        return str(given.json["game"])

    def game(self, public_id: str) -> dict[str, Any]:
        told: dict[str, Any] = self.ask("GET", f"/games/{public_id}").json
        return told


def make_program(app: Flask, owner: str = "owner7", name: str = "robot7", accepts: Accepts = Accepts.ANYONE,
                 at_once: int = 5) -> Program:  # fmt: skip
    """An agent of this account, which is made if it is not there."""
    with app.app_context():
        try:
            owner_id = account_named(owner)
        except NotThere:
            owner_id = make_user(app, owner)
        made = make_agent(owner_id, name)
        change_settings(owner_id, made.agent_id, accepts, at_once, "")
    return Program(app, made.agent_id, made.name, made.token)


def wait_until(is_so: Callable[[], object]) -> None:
    """What happens in another thread."""
    ends_at = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < ends_at, "it never happened"
        time.sleep(0.005)
