"""Where the site is: what is said of it, and what links for others begin with."""

import socket
import sys

import pytest

from webapp.launcher import addresses
from webapp.launcher.addresses import address_behind_proxy, address_for_others, greeting, url


def test_the_addresses_for_the_room_are_this_machine_s_own_but_not_those_that_only_it_can_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        own = addresses.interface_addresses(probe) if sys.platform == "linux" else ["127.0.0.1"]
    assert "127.0.0.1" in own, "every machine has this one"
    assert "127.0.0.1" not in addresses.network_addresses()
    for address in [*own, *addresses.network_addresses()]:
        with socket.create_server((address, 0)):
            pass
    found = ["127.0.0.1", "192.0.2.7", "127.0.1.1", "192.0.2.7"]
    monkeypatch.setattr(addresses, "interface_addresses", lambda _: found)
    assert [address for address in addresses.network_addresses() if address not in own] == ["192.0.2.7"]


def test_links_for_others_begin_with_an_address_of_the_room() -> None:
    room = addresses.network_addresses()
    assert address_for_others("0.0.0.0", 8000) == (url(room[0], 8000) if room else "")
    assert address_for_others("192.168.1.5", 8000) == "http://192.168.1.5:8000"
    assert address_for_others("127.0.0.1", 8000) == "http://127.0.0.1:8000"


def test_behind_a_proxy_links_begin_with_the_name_that_people_open() -> None:
    proxied = {"NOUGHTS_PROXIES": "1", "NOUGHTS_HTTPS": "on", "NOUGHTS_HOSTS": "127.0.0.1, Noughts.school.example"}
    assert address_behind_proxy(proxied) == "https://noughts.school.example"
    assert address_behind_proxy(proxied | {"NOUGHTS_HTTPS": "off"}) == "http://noughts.school.example"
    for name, value in (("PROXIES", "0"), ("PROXIES", ""), ("HOSTS", ""), ("HOSTS", ".school.example")):
        assert address_behind_proxy(proxied | {f"NOUGHTS_{name}": value}) == "", (name, value)


def test_the_greeting_names_an_address_to_open() -> None:
    assert "http://127.0.0.1:8000 " in greeting("127.0.0.1", 8000)[0]
    assert "http://[::1]:8000 " in greeting("::1", 8000)[0]
    assert "http://127.0.0.1:8000 on this machine" in greeting("0.0.0.0", 8000)[0]


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (["192.0.2.7"], "For everyone in the room it is at http://192.0.2.7:8000."),
        (["192.0.2.7", "198.51.100.9"], "it is at http://192.0.2.7:8000 or http://198.51.100.9:8000."),
        ([], "Phones cannot reach it: this machine is not on a network."),
    ],
)
def test_the_greeting_names_every_address_for_the_room(
    found: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "network_addresses", lambda: found)
    assert sentence in greeting("0.0.0.0", 8000)[1]
