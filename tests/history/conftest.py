"""A player with an account, logged in."""

import pytest

from tests.conftest import Browser


@pytest.fixture
def player7(client: Browser) -> Browser:
    assert client.sign_up("player7").status_code == 303
    return client
