"""Analysis stores nothing, so one database is enough."""

import pytest


@pytest.fixture
def database_kind() -> str:
    return "SQLite"
