"""What every test starts from: an app on a database file of its own, and browsers that speak to it."""

import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import flask_migrate
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from webapp import clock, create_app
from webapp.config import ROOT
from webapp.extensions import db

SETTINGS = {"DATABASE_URL": "", "NOUGHTS_SECRET_KEY": "a key for tests only", "NOUGHTS_SEED": 1}


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as the migrations make it; each test gets a copy."""
    folder = tmp_path_factory.mktemp("empty")
    app = create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(folder)})
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.upgrade()
        db.engine.dispose()
    return folder / "noughts.db"


MakeApp = Callable[..., Flask]


@pytest.fixture
def make_app(empty_database: Path, tmp_path: Path) -> Iterator[MakeApp]:
    """Makes an app on this test's database, with settings of its own: make_app(NOUGHTS_GUESTS=False)."""
    shutil.copy(empty_database, tmp_path / "noughts.db")
    made: list[Flask] = []

    def make(**settings: Any) -> Flask:
        made.append(create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(tmp_path), "TESTING": True, **settings}))
        made[-1].test_client_class = Browser
        return made[-1]

    yield make
    for app in made:
        with app.app_context():
            db.engine.dispose()


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    return make_app()


class Browser(FlaskClient):
    """A client that does what a browser with scripts off does: it sends back the form that the page held."""

    def csrf_token(self, path: str = "/log-in") -> str:
        found = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', self.get(path).text)
        assert found, f"no form on {path}"
        return found[1]

    def send(self, path: str, page: str = "/log-in", **fields: Any) -> TestResponse:
        return self.post(path, data={"csrf_token": self.csrf_token(page), **fields})

    def sign_up(self, name: str = "player7", password: str = "correct horse") -> TestResponse:
        return self.send("/sign-up", name=name, password=password)

    def log_in(self, name: str = "player7", password: str = "correct horse") -> TestResponse:
        return self.send("/log-in", name=name, password=password)

    def start(self, **fields: Any) -> str:
        """Start a game against the computer; gives its address."""
        answer = self.send("/games", opponent="computer", **fields)
        assert answer.status_code == 303, answer.text
        return str(answer.location)


@pytest.fixture
def browser_of(app: Flask) -> Callable[[], Browser]:
    """Makes one more browser: each has cookies of its own."""
    return lambda: app.test_client()  # type: ignore[return-value]


@pytest.fixture
def client(browser_of: Callable[[], Browser]) -> Browser:
    return browser_of()


class SetClock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def pass_time(self, **spans: float) -> None:
        self.moment += timedelta(**spans)


@pytest.fixture
def set_clock() -> Iterator[SetClock]:
    set_clock = SetClock()
    clock.set_source(set_clock)
    yield set_clock
    clock.set_source(None)
