"""The site under a path of its host: every address on a page begins with it."""

import re

import pytest

from tests.conftest import Browser, MakeApp, sqlite_only

pytestmark = sqlite_only


@pytest.fixture
def mounted(make_app: MakeApp) -> Browser:
    client = make_app(NOUGHTS_PREFIX="/tools/noughts").test_client()
    assert isinstance(client, Browser)
    return client


@pytest.mark.parametrize("in_front", ["", "/tools/noughts"], ids=["taken off by the proxy", "left in the path"])
def test_every_address_on_a_page_begins_with_the_prefix(mounted: Browser, in_front: str) -> None:
    started = mounted.post(f"{in_front}/games", data={"csrf_token": mounted.csrf_token(f"{in_front}/"), "cell": "0"})
    assert started.location.startswith("/tools/noughts/games/")
    for path in ("/", "/lobby", "/labs", "/log-in", "/history", started.location.removeprefix("/tools/noughts")):
        answer = mounted.get(in_front + path)
        found = re.findall(r'(?:href|src|action|data-[a-z]+)="(/[^"]*)"', answer.text)
        assert answer.status_code == 200 and found
        assert [address for address in found if not address.startswith("/tools/noughts/")] == [], path
        for address in (address for address in found if "/static/" in address):
            with mounted.get(address) as file:
                assert file.status_code == 200


def test_a_path_that_only_looks_like_the_prefix_is_not_there(mounted: Browser) -> None:
    assert mounted.get("/tools/noughtsandmore").status_code == 404
