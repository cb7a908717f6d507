"""The browser for the journeys: the machine's own Chromium; every journey with scripts on and off."""

from typing import Any

import pytest

import run

FLAGS = [
    "--no-sandbox",  # Chromium refuses to start as root with its sandbox, and containers are root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    browser = run.find_browser()
    if browser is None:
        pytest.skip("no Chromium was found")
    return {**browser_type_launch_args, "executable_path": browser, "args": FLAGS}


@pytest.fixture(params=[True, False], ids=["scripts-on", "scripts-off"])
def scripts(request: pytest.FixtureRequest) -> bool:
    """Whether the page may run scripts. A journey for one way only: @pytest.mark.parametrize("scripts",
    [True], indirect=True)."""
    return bool(request.param)


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], scripts: bool) -> dict[str, Any]:
    return {**browser_context_args, "java_script_enabled": scripts}
