"""The real server over HTTP: what the other tests in this folder stand on."""

from tests.live_server import LiveBrowser, LiveServer


def test_a_game_goes_on_after_the_server_was_killed_and_started_again(server: LiveServer) -> None:
    browser = LiveBrowser(server)
    assert browser.sign_up().status == 303
    address = browser.start_game(level="beginner", cell=0)
    server.kill()
    server.start()
    page = browser.get(address)
    cell = page.free_cells[0]
    fields = {"csrf_token": page.csrf_token, "ply": page.value_of("ply"), "cell": cell}
    assert browser.post(f"{address}/moves", fields).status == 303
    assert cell not in browser.get(address).free_cells
