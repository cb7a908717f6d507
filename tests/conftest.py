"""What every test starts from: an app on an empty database, and browsers that speak to it.

A test that asks for an app runs twice: on SQLite and on a real PostgreSQL. CONTRIBUTING.md says what is cheap.
"""

import asyncio
import gc
import re
import shutil
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from itsdangerous import URLSafeTimedSerializer
from werkzeug.test import TestResponse

from tests.databases import KeptApp, migrate
from tests.live_server import LiveServer
from tests.ordering import longest_first
from tests.pooler import past_pooler, running_pooler, through_pooler
from tests.postgres import CannotStart, PostgresServer, running_postgres
from tests.shared_templates import share_compiled_templates
from tests.two_players import two_players
from webapp import clock, create_app
from webapp.accounts import passwords, session_interface
from webapp.accounts.tokens import new_token
from webapp.extensions import db

SETTINGS = {"DATABASE_URL": "", "NOUGHTS_SECRET_KEY": "a key for tests only", "NOUGHTS_SEED": 1}
DATABASES = ("SQLite", "PostgreSQL")
sqlite_only = pytest.mark.parametrize("database_kind", DATABASES[:1], indirect=True)
POOLED = "pgbouncer"  # PostgreSQL through a pooler in transaction mode
pooled_too = pytest.mark.parametrize("database_kind", [*DATABASES, POOLED], indirect=True)
postgres_only = pytest.mark.parametrize("database_kind", DATABASES[1:], indirect=True)
own_database = pytest.mark.usefixtures("database")  # for a test that does more than fill the tables


NOT_QUICK = {"browser", "postgres", "server", "servers", "site_tree"}  # they start programs that take a second and more
SAMPLE = 25
SPARED = 5  # a quick run takes each fifth of what others take whole
EXAMPLES = {"quick": 15, "usual": 80, "whole": 300}  # that Hypothesis tries


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="without browser, PostgreSQL and what takes over a second")
    parser.addoption("--pooled", action="store_true", help="everything on PostgreSQL through pgbouncer")
    parser.addoption("--whole", action="store_true", help=f"long searches on every position, not on each {SAMPLE}th")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes over a second, or starts several programs; --quick leaves it out")
    config.addinivalue_line("markers", "long: takes over ten seconds; several workers begin with these")
    config.addinivalue_line("markers", "direct: needs a database to which no pooler is connected")
    pace = next((pace for pace in ("quick", "whole") if config.getoption(pace)), "usual")
    # A busy machine is no failure; and what a client of ours leaves in an app does no harm to the next example.
    patient = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}
    hypothesis_settings.register_profile(pace, max_examples=EXAMPLES[pace], **patient)
    hypothesis_settings.load_profile(pace)
    LiveServer.forks = sys.platform == "linux"
    # What runs in the background is started deaf to Ctrl-C and hands that on: here Ctrl-C is under test.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: to look through it for garbage again and again took a sixth of the time."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
    return result


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What drives a browser is not even imported for a quick run."""
    return True if config.getoption("quick") and collection_path.name == "journeys" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    is_wanted = is_quick if config.getoption("quick") else can_be_pooled if config.getoption("pooled") else None
    if is_wanted:
        kept = [item for item in items if is_wanted(item)]
        config.hook.pytest_deselected(items=[item for item in items if not is_wanted(item)])
        items[:] = kept
    elif hasattr(config, "workerinput"):  # one of several
        items.sort(key=is_quick)
        workers = int(config.workerinput["workercount"])
        items[:] = longest_first(items, workers, lambda item: item.get_closest_marker("long") is not None)


def is_quick(item: pytest.Item) -> bool:
    assert isinstance(item, pytest.Function)
    chosen = item.callspec.params.values() if hasattr(item, "callspec") else []
    on_postgres = any(value in ("PostgreSQL", POOLED) for value in chosen)
    return not (on_postgres or item.get_closest_marker("slow") or NOT_QUICK.intersection(item.fixturenames))


def can_be_pooled(item: pytest.Item) -> bool:
    return item.get_closest_marker("direct") is None


Sampled = Callable[[Sequence[Any]], Sequence[Any]]


@pytest.fixture(scope="session")
def sampled(request: pytest.FixtureRequest) -> Sampled:
    """Every so many of a long list: what is wrong with a search shows on a few positions. With --whole all of it."""
    step = 1 if request.config.getoption("whole") else SAMPLE * SPARED if request.config.getoption("quick") else SAMPLE
    return lambda items: items[::step]


@pytest.fixture(scope="session")
def sampled_if_quick(request: pytest.FixtureRequest) -> Sampled:
    """For what is quick enough to be tried on every position, but not as quick as all that."""
    return lambda items: items[:: SPARED if request.config.getoption("quick") else 1]


REAL_HASHER, REAL_HASH_OF_NOBODY = passwords._hasher, passwords._nobodys_hash
QUICK = {"time_cost": 1, "memory_cost": 8, "parallelism": 1}


@pytest.fixture(scope="session", autouse=True)
def quick_hashes() -> Iterator[None]:
    """To hash a password takes twenty milliseconds, on purpose; the test of that asks for `real_hashes`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(**QUICK))
        patch.setattr(passwords, "_nobodys_hash", passwords.hash_password("nobody's password"))
        yield


@pytest.fixture
def real_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", REAL_HASHER)
    monkeypatch.setattr(passwords, "_nobodys_hash", REAL_HASH_OF_NOBODY)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database as the migrations make it; each test gets a copy."""
    folder = tmp_path_factory.mktemp("empty")
    migrate(create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(folder)}))
    return folder / "noughts.db"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PostgresServer, str]]:
    """A PostgreSQL server of our own, and the name of an empty database in it; each test gets a copy."""
    try:
        with running_postgres() as server:
            template = server.create()
            folder = str(tmp_path_factory.mktemp("postgres"))
            migrate(create_app({**SETTINGS, "NOUGHTS_INSTANCE": folder, "DATABASE_URL": server.url(template)}))
            yield server, template
    except CannotStart as reason:
        pytest.skip(f"PostgreSQL could not be started: {reason}")


@pytest.fixture(scope="session")
def pooler(postgres: tuple[PostgresServer, str]) -> Iterator[None]:
    """In front of that server, for all of its databases."""
    try:
        with running_pooler(postgres[0]):
            yield
    except CannotStart as reason:
        pytest.skip(str(reason))


DatabaseIn = Callable[[str, Path], str]


@pytest.fixture(scope="session")
def database_in(request: pytest.FixtureRequest) -> DatabaseIn:
    """Makes a database of the kind named, for an app with this instance folder; gives its DATABASE_URL."""

    def make(kind: str, folder: Path) -> str:
        if kind == "SQLite":
            shutil.copy(request.getfixturevalue("empty_database"), folder / "noughts.db")
            return ""
        server, template = request.getfixturevalue("postgres")
        name = server.create(template)
        if kind == POOLED or request.config.getoption("pooled"):
            request.getfixturevalue("pooler")
            return through_pooler(server.url(name))
        return str(server.url(name))

    return make


@pytest.fixture
def new_database(
    request: pytest.FixtureRequest, database_in: DatabaseIn, tmp_path: Path
) -> Iterator[Callable[[str], str]]:
    """Makes this test's databases, and drops them afterwards."""
    with ExitStack() as drops:

        def new(kind: str) -> str:
            url = database_in(kind, tmp_path)
            if url:
                drops.callback(request.getfixturevalue("postgres")[0].drop, url)
            return url

        yield new


@pytest.fixture(params=DATABASES)
def database_kind(request: pytest.FixtureRequest) -> str:
    """A test that has to do with a database runs on one kind after the other."""
    request.node.user_properties.append(("database", request.param))
    return str(request.param)


@pytest.fixture
def database(database_kind: str, new_database: Callable[[str], str]) -> str:
    """The DATABASE_URL of a database of this test's own."""
    return new_database(database_kind)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say on which databases the tests ran, with xdist too."""
    ran = [report for outcome in ("passed", "failed") for report in terminalreporter.stats.get(outcome, [])]
    counts = Counter(dict(report.user_properties).get("database") for report in ran if report.when == "call")
    told = [f"{kind} {counts[kind]} tests" for kind in (*DATABASES, POOLED)]
    terminalreporter.write_line(f"databases: {', '.join(told)}")
    if not terminalreporter.config.getoption("whole"):
        terminalreporter.write_line(f"long searches: on each {SAMPLE}th position; --whole tries them all")


MakeApp = Callable[..., Flask]


@pytest.fixture(scope="session")
def build_app() -> MakeApp:
    def build(folder: Path, database: str, **settings: Any) -> Flask:
        own = {"NOUGHTS_INSTANCE": str(folder), "DATABASE_URL": database, "TESTING": True}
        own["NOUGHTS_LISTEN_URL"] = past_pooler(database)
        share_compiled_templates(folder)
        app = create_app({**SETTINGS, **own, **settings})
        app.test_client_class = Browser
        return app

    return build


@pytest.fixture
def make_app(database: str, tmp_path: Path, build_app: MakeApp) -> Iterator[MakeApp]:
    """Makes an app on this test's database, with settings of its own: make_app(NOUGHTS_GUESTS=False)."""
    made: list[Flask] = []

    def make(**settings: Any) -> Flask:
        made.append(build_app(tmp_path, database, **settings))
        return made[-1]

    yield make
    for app in made:
        with app.app_context():
            db.engine.dispose()


@pytest.fixture(scope="session")
def kept_apps(
    tmp_path_factory: pytest.TempPathFactory, database_in: DatabaseIn, build_app: MakeApp
) -> Iterator[Callable[..., KeptApp]]:
    """One app for each kind of database and choice of settings: to build it takes longer than most tests."""
    made: dict[tuple[Any, ...], KeptApp] = {}

    def kept(kind: str, **settings: Any) -> KeptApp:
        key = (kind, *settings.items())
        if key not in made or made[key].is_spoilt:
            folder = tmp_path_factory.mktemp("kept")
            made[key] = KeptApp(build_app(folder, database_in(kind, folder), **settings))
        return made[key]

    yield kept
    for one in made.values():
        one.close()


@pytest.fixture
def app(request: pytest.FixtureRequest, database_kind: str, kept_apps: Callable[..., KeptApp]) -> Iterator[Flask]:
    """An app on an empty database; both are kept for the next test, unless this one asks for its own database."""
    if {"database", "make_app"} & set(request.fixturenames):
        yield request.getfixturevalue("make_app")()
    else:
        with kept_apps(database_kind).lent() as app:
            yield app


A_FORM = "/log-in?next=privacy.delete_account"  # the cheapest page with a form, whether one is logged in or not
COOKIE = "noughts"


class Browser(FlaskClient):
    """A client that does what a browser with scripts off does: it sends back the token that forms hold."""

    _token, _cookie = "", ""  # the token last sent, and the session that it belongs to

    def open(self, *arguments: Any, **named: Any) -> TestResponse:
        """No page shows an object where a word was meant."""
        answer = super().open(*arguments, **named)
        if answer.mimetype == "text/html":
            assert not re.search(r"[a-z]View\(|object at 0x|&lt;[A-Z]\w+\.[A-Z]", answer.text), answer.text
        return answer

    def csrf_token(self, path: str = "") -> str:
        """As it stands on this page; without one it is made as every page makes it, which costs a quarter as much."""
        if not path and self.application.config["SESSION_COOKIE_NAME"] == COOKIE:
            return self._made_token()
        return self._token_on(path or A_FORM)

    def _made_token(self) -> str:
        if not self.session_cookie():
            self.set_cookie(COOKIE, new_token())
        self._cookie = self.session_cookie()
        with self.application.app_context():
            signer = URLSafeTimedSerializer(str(self.application.secret_key), salt="wtf-csrf-token")
            self._token = str(signer.dumps(session_interface._csrf_token(self._cookie)))
        return self._token

    def _token_on(self, path: str) -> str:
        found = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', self.get(path, follow_redirects=True).text)
        assert found, f"no form on {path}"
        self._token, self._cookie = found[1], self.session_cookie()
        return found[1]

    def session_cookie(self) -> str:
        cookie = self.get_cookie(self.application.config["SESSION_COOKIE_NAME"])
        return cookie.value if cookie else ""

    def send(self, path: str, page: str = "", **fields: Any) -> TestResponse:
        """Post a form; `page`, if there is one, is asked for its token only if this session has had none before."""
        is_known = self._token and self._cookie == self.session_cookie()
        return self.post(path, data={"csrf_token": self._token if is_known else self.csrf_token(page), **fields})

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


Pair = tuple[Browser, Browser]


@pytest.fixture
def pair(browser_of: Callable[[], Browser]) -> Pair:
    return two_players(browser_of)


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


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """The event loop of a worker, in a thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
