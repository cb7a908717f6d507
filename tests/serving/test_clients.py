"""Whose turn a request takes: nothing that anybody can make up gives them another one."""

from typing import Any

import pytest

from tests.agents.programs import make_program
from tests.conftest import MakeApp, sqlite_only
from webapp.serving import clients as module
from webapp.serving.clients import TELL_KNOWN, Clients
from webapp.serving.turns import Client

HERE, ANN = "203.0.113.7", 7


def client(clients: Clients, peer: str = HERE, **headers: str) -> Client:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return clients.client_of({"headers": named, "client": (peer, 4711)})


def test_only_what_the_site_has_told_of_tells_whose_it_is() -> None:
    clients = Clients("__Host-noughts")
    assert client(clients, cookie="__Host-noughts=ann") == (HERE, None)
    clients.tell_known("ann", ANN)
    for cookie in ("__Host-noughts=ann", "other=1; __Host-noughts=ann; more=2", "other=1;__Host-noughts=ann"):
        assert client(clients, cookie=cookie) == (HERE, ANN), cookie
    for cookie in ("x__Host-noughts=ann", "__Host-noughts=bob", '__Host-noughts="ann"', "noughts=ann", "\x80"):
        assert client(clients, cookie=cookie) == (HERE, None), cookie
    assert client(clients, authorization="Bearer ann") == (HERE, ANN)
    assert client(clients, authorization="Basic ann") == (HERE, None)


def test_those_told_lately_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KNOWN", 2)
    clients = Clients("noughts")
    for secret in ("ann", "bob", "ann", "cy"):
        clients.tell_known(secret, len(secret))
    assert [client(clients, cookie=f"noughts={one}").user for one in ("ann", "bob", "cy")] == [3, None, 2]


def test_the_network_is_the_one_that_the_hosts_own_proxies_tell() -> None:
    told = "192.0.2.66, 2001:db8:1:2::7, 192.0.2.1"
    for proxies, network in ((0, HERE), (1, "192.0.2.1"), (2, "2001:db8:1:2::/64"), (4, HERE)):
        assert client(Clients("noughts", proxies), x_forwarded_for=told).network == network, proxies
    assert client(Clients("noughts", 1), x_forwarded_for='"x, 192.0.2.1').network == "192.0.2.1"
    assert client(Clients("noughts", 1)).network == HERE
    assert Clients("noughts").client_of({"headers": [], "client": None}).network == "?"


@sqlite_only
def test_the_site_tells_of_people_and_programs_and_of_no_visitor(make_app: MakeApp) -> None:
    app = make_app()
    told: dict[str, int] = {}
    browser: Any = app.test_client()
    browser.environ_base[TELL_KNOWN] = told.__setitem__
    for path in ("/", "/log-in"):
        browser.get(path, headers={"Cookie": "noughts=" + "a" * 43})
    assert not told
    browser.start(cell=4)
    browser.get("/")
    assert [*told] == [browser.get_cookie("noughts").value]
    told.clear()
    program = make_program(app)
    asking: Any = app.test_client(use_cookies=False)
    asking.environ_base[TELL_KNOWN] = told.__setitem__
    for token in (program.token, "x" * len(program.token)):
        asking.get("/api/v1/agent", headers={"Authorization": f"Bearer {token}"})
    assert [*told] == [program.token]


@sqlite_only
@pytest.mark.slow
def test_who_logs_in_again_and_again_is_one_with_all_cookies_and_programs(make_app: MakeApp) -> None:
    app = make_app()
    told: dict[str, int] = {}
    program = make_program(app)
    browser: Any = app.test_client()
    browser.environ_base[TELL_KNOWN] = told.__setitem__
    for _ in range(2):
        browser.log_in("owner7")
        browser.get("/")
        browser.send("/log-out")
    asking: Any = app.test_client(use_cookies=False)
    asking.environ_base[TELL_KNOWN] = told.__setitem__
    asking.get("/api/v1/agent", headers={"Authorization": f"Bearer {program.token}"})
    assert len(told) == 3 and len({*told.values()}) == 1
