"""What tests of decisions need in place of an app."""

from collections.abc import Iterator

import pytest
from flask import Flask

from webapp.config import read_settings
from webapp.extensions import SETTINGS
from webapp.measured import MEASURED, Measured


@pytest.fixture
def settings_alone() -> Iterator[None]:
    """The default settings, and neither an app nor a database behind them."""
    app = Flask("settings")
    app.extensions[SETTINGS] = read_settings({})
    app.extensions[MEASURED] = Measured()
    with app.app_context():
        yield
