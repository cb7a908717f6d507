"""Many posts at once on the real server with two workers: one effect each, no accident."""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.live_server import LiveBrowser, LiveServer, live_server

GAMES, POSTS = 100, 8


@pytest.fixture
def server(empty_database: Path, tmp_path: Path) -> Iterator[LiveServer]:
    shutil.copy(empty_database, tmp_path / "noughts.db")
    with live_server(tmp_path, NOUGHTS_GUESSES_PER_ACCOUNT="1000", NOUGHTS_UNFINISHED_GAMES="1000") as server:
        yield server


def test_eight_posts_for_one_ply_make_one_move_in_each_of_a_hundred_games(server: LiveServer, tmp_path: Path) -> None:
    """Each game stands at X in a corner, O in the centre; eight posts ask for four different cells at once."""
    browser = LiveBrowser(server)
    browser.sign_up()
    token = browser.get("/").csrf_token
    addresses = [browser.post("/games", {"csrf_token": token, "cell": 0}).location for _ in range(GAMES)]
    with ThreadPoolExecutor(POSTS) as threads:
        for address in addresses:
            forms = [{"csrf_token": token, "ply": 2, "cell": (1, 2, 3, 5)[number % 4]} for number in range(POSTS)]
            answers = list(threads.map(lambda form, path=f"{address}/moves": browser.post(path, form).status, forms))
            # The cell that won was asked for twice: once played, once found done already.
            assert Counter(answers) == {303: 2, 409: 6}
    with sqlite3.connect(tmp_path / "noughts.db") as database:
        moves = "SELECT count(*), max(ply), count(DISTINCT ply) FROM move GROUP BY game_id"
        assert database.execute(moves).fetchall() == [(4, 3, 4)] * GAMES


def test_resigning_against_moving_leaves_one_result(server: LiveServer, tmp_path: Path) -> None:
    """X can win at once while the same player resigns in another tab: whoever comes second is told so."""
    browser = LiveBrowser(server)
    browser.sign_up()
    token = browser.get("/").csrf_token

    def post(path: str, **fields: object) -> int:
        return browser.post(path, {"csrf_token": token, **fields}).status

    with ThreadPoolExecutor(2) as threads:
        for _ in range(30):
            address = browser.post("/games", {"csrf_token": token, "cell": 0, "level": "beginner"}).location
            while len(browser.get(address).free_cells) > 1:
                page = browser.get(address)
                if not page.free_cells:
                    break
                move = threads.submit(post, f"{address}/moves", ply=page.value_of("ply"), cell=page.free_cells[0])
                resignation = threads.submit(post, f"{address}/resign")
                assert {move.result(), resignation.result()} <= {303, 409}
    with sqlite3.connect(tmp_path / "noughts.db") as database:
        results = Counter(database.execute("SELECT result FROM seat WHERE user_id IS NOT NULL").fetchall())
        tally = database.execute("SELECT sum(won), sum(lost), sum(drawn) FROM tally").fetchone()
    assert tally == tuple(results.get((result,), 0) for result in ("won", "lost", "drawn"))
    assert sum(tally) == 30
