"""The browser for the journeys: the machine's own Chromium; every journey with scripts on and off."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect
from werkzeug.serving import make_server

from tests.browser import FLAGS, find_browser
from tests.conftest import MakeApp
from tests.live_server import LiveServer, live_server

expect.set_options(timeout=30_000)  # milliseconds; what comes in time costs nothing more


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    browser = find_browser()
    if browser is None:
        pytest.skip("no Chromium was found")
    # A process for each page instead of each site and each blank page before it: a fifth less to do.
    fewer = ["--renderer-process-limit=1", "--disable-site-isolation-trials"]
    return {**browser_type_launch_args, "executable_path": browser, "args": [*FLAGS, *fewer]}


@pytest.fixture(params=[True, False], ids=["scripts-on", "scripts-off"])
def scripts(request: pytest.FixtureRequest) -> bool:
    """Whether the page may run scripts. A journey for one way only: @pytest.mark.parametrize("scripts",
    [True], indirect=True)."""
    return bool(request.param)


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], scripts: bool) -> dict[str, Any]:
    """Without motion, which costs time to draw; test_live.py has it, and test_look.py looks at it."""
    return {**browser_context_args, "java_script_enabled": scripts, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def server(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """The real server, one for all journeys. One worker and a seed: Beginner plays the same way each time."""
    folder = tmp_path_factory.mktemp("journeys")
    shutil.copy(empty_database, folder / "noughts.db")
    with live_server(folder, workers=1, NOUGHTS_SEED="1") as server:
        yield server


@pytest.fixture(scope="session")
def base_url(server: LiveServer) -> str:
    return server.url


@pytest.fixture
def site(app: Flask) -> Iterator[str]:
    """The address of this test's own app, for journeys that set its clock or its settings."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, args=[0.02])  # seconds until it sees that it is to end
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def database_kind() -> str:
    """What a browser shows does not depend on the database: one is enough."""
    return "SQLite"


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """Not one that is kept: a browser that is closed may leave a request under way."""
    return make_app()
