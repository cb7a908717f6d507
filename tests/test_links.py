"""Links that people pass on: others must be able to open them."""

import pytest

from tests.conftest import Browser, MakeApp
from webapp.config import BadSetting, read_settings
from webapp.links import command_for_network, is_only_here

ROOM = "http://192.168.1.5:8000"


def link_of(client: Browser, host: str) -> tuple[str, str]:
    """What the link of a private game begins with on a page asked for under this name, and the whole page."""
    address = client.send("/games", opponent="anyone", visibility="private").location
    client.set_cookie("noughts", client.session_cookie(), domain=host.partition(":")[0])
    page = client.get(address, base_url=f"http://{host}").text
    return page.split('id="link" value="')[1].split('"')[0].removesuffix(address), page


def test_a_host_who_browses_this_machine_passes_on_the_address_of_the_room(make_app: MakeApp) -> None:
    client = make_app(NOUGHTS_ADDRESS=ROOM).test_client()
    client.sign_up()
    for host in ("127.0.0.1:8000", "localhost:8000"):
        link, page = link_of(client, host)
        assert link == ROOM
        assert "Only this computer" not in page


def test_whoever_came_by_an_address_passes_on_that_one(make_app: MakeApp) -> None:
    client = make_app(NOUGHTS_ADDRESS=ROOM).test_client()
    client.sign_up()
    for host in ("192.168.7.7:8000", "noughts.example"):
        assert link_of(client, host)[0] == f"http://{host}"


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:8101"])
def test_where_nobody_else_can_open_the_link_the_page_says_so(make_app: MakeApp, address: str) -> None:
    client = make_app(NOUGHTS_ADDRESS=address).test_client()
    client.sign_up()
    link, page = link_of(client, "127.0.0.1:8101")
    assert link == "http://127.0.0.1:8101"
    assert "Only this computer can open this link" in page
    assert f"<code>{command_for_network(link)}</code>" in page


def test_only_addresses_of_this_machine_itself_are_only_here() -> None:
    here = ["http://127.0.0.1:8000/", "http://127.1.2.3", "http://localhost:8000", "http://site.localhost", "http://[::1]/"]
    elsewhere = [ROOM, "https://noughts.example", "http://10.0.0.1", "http://[fe80::1]:8000", "http://localhost.example"]
    assert [link for link in here + elsewhere if is_only_here(link)] == here


def test_the_command_for_the_room_keeps_the_port() -> None:
    command = "python3 run.py --host 0.0.0.0"
    assert command_for_network("http://127.0.0.1:8000") == command_for_network("http://localhost") == command
    assert command_for_network("http://127.0.0.1:8101/join") == f"{command} --port 8101"


def test_an_address_that_no_link_can_begin_with_is_refused() -> None:
    for wrong in ("192.168.1.5:8000", "ftp://192.168.1.5", f"{ROOM}/path", "http://", "javascript:1", "http://a b"):
        with pytest.raises(BadSetting, match="NOUGHTS_ADDRESS"):
            read_settings({"NOUGHTS_ADDRESS": wrong})
    assert read_settings({"NOUGHTS_ADDRESS": f"{ROOM}/"}).address == ROOM
