"""Whose turn a request takes: nothing that anybody can make up gives them another one."""

from typing import Any

import pytest

from tests.agents.programs import make_program
from tests.conftest import MakeApp, sqlite_only
from webapp.serving import clients as module
from webapp.serving.clients import TELL_KNOWN, Clients
from webapp.serving.turns import Client

HERE = "203.0.113.7"


def client(clients: Clients, peer: str = HERE, **headers: str) -> Client:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return clients.client_of({"headers": named, "client": (peer, 4711)})


def test_only_what_the_site_has_told_of_counts_as_a_session() -> None:
    clients = Clients("__Host-noughts")
    assert client(clients, cookie="__Host-noughts=ann") == (HERE, "")
    clients.tell_known("ann")
    for cookie in ("__Host-noughts=ann", "other=1; __Host-noughts=ann; more=2", "other=1;__Host-noughts=ann"):
        assert client(clients, cookie=cookie) == (HERE, "ann"), cookie
    for cookie in ("x__Host-noughts=ann", "__Host-noughts=bob", '__Host-noughts="ann"', "noughts=ann", "\x80"):
        assert client(clients, cookie=cookie) == (HERE, ""), cookie
    assert client(clients, authorization="Bearer ann") == (HERE, "ann")
    assert client(clients, authorization="Basic ann") == (HERE, "")


def test_those_told_lately_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KNOWN", 2)
    clients = Clients("noughts")
    for secret in ("ann", "bob", "ann", "cy"):
        clients.tell_known(secret)
    assert [client(clients, cookie=f"noughts={one}").session for one in ("ann", "bob", "cy")] == ["ann", "", "cy"]


def test_the_network_is_the_one_that_the_hosts_own_proxies_tell() -> None:
    told = "192.0.2.66, 2001:db8:1:2::7, 192.0.2.1"
    for proxies, network in ((0, HERE), (1, "192.0.2.1"), (2, "2001:db8:1:2::/64"), (4, HERE)):
        assert client(Clients("noughts", proxies), x_forwarded_for=told).network == network, proxies
    assert client(Clients("noughts", 1)).network == HERE
    assert Clients("noughts").client_of({"headers": [], "client": None}).network == "?"


@sqlite_only
def test_the_site_tells_of_people_and_programs_and_of_no_visitor(make_app: MakeApp) -> None:
    app = make_app()
    told: list[str] = []
    browser: Any = app.test_client()
    browser.environ_base[TELL_KNOWN] = told.append
    for path in ("/", "/log-in"):
        browser.get(path, headers={"Cookie": "noughts=" + "a" * 43})
    assert told == []
    browser.start(cell=4)
    browser.get("/")
    assert {*told} == {browser.get_cookie("noughts").value}
    told.clear()
    program = make_program(app)
    asking: Any = app.test_client(use_cookies=False)
    asking.environ_base[TELL_KNOWN] = told.append
    for token in (program.token, "x" * len(program.token)):
        asking.get("/api/v1/agent", headers={"Authorization": f"Bearer {token}"})
    assert told == [program.token]
