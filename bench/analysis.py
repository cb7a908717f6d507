"""What an analysis costs beside a game page, and the verdicts at the end of a game: `python3 run.py bench analysis`."""

import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from bench._table import Table
from bench.site import new_site, side_by_side, token_on
from webapp.games import changes
from webapp.tictactoe import Position

ROUNDS = 400
FINISHED = 600  # games, each way


def main() -> int:
    table = Table("python3 run.py bench analysis")
    with tempfile.TemporaryDirectory() as folder:
        app = new_site(Path(folder) / "site")
        for prepare in app.extensions["noughts_preparations"]:  # as a server does before its first page
            prepare()
        for name in app.jinja_env.list_templates():
            app.jinja_env.get_template(name)
        site = app.test_client()
        game = site.post("/games", data={"csrf_token": token_on(site.get("/").text), "cell": 0}).location
        for what, addresses in {
            "an analysis page of any position, each asked for once": positions(),
            "a step anywhere in alpha-beta from the empty board": steps(),
        }.items():
            # In time of this process: the longer of the two is the likelier to be interrupted by others.
            ratio = side_by_side(asking(site, addresses), lambda: site.get(game), ROUNDS, time.process_time)
            table.add(f"{what} : a game page", ratio, "<=", 2)
        table.add("finishing a game with its verdicts : without them", finishing(site), "<=", 1.15)
    table.write()
    return 0


def finishing(site: Any) -> float:
    """The last move of a game that Perfect wins after a mistake of its opponent, once judged and once not."""
    token = token_on(site.get("/").text)
    games = iter([new_game(site, token) for _ in range(2 * FINISHED + 10)])

    def finish() -> None:
        answer = site.post(f"{next(games)}/moves", data={"csrf_token": token, "ply": 4, "cell": 3})
        assert answer.status_code == 303, answer.text

    def finish_unjudged() -> None:
        with mock.patch.object(changes, "judged_sides_of", lambda game, change: {}):
            finish()

    return side_by_side(finish, finish_unjudged, FINISHED)


def new_game(site: Any, token: str) -> str:
    """X and O have moved twice; X has thrown the draw away unless the last cell is the top right."""
    address = str(site.post("/games", data={"csrf_token": token, "level": "perfect", "cell": 0}).location)
    site.post(f"{address}/moves", data={"csrf_token": token, "ply": 2, "cell": 1})
    return address


def asking(site: Any, addresses: list[str]) -> Callable[[], None]:
    """Ask for the next one each time."""
    coming = cycle(addresses)

    def ask() -> None:
        answer = site.get(next(coming))
        assert answer.status_code == 200, answer.text

    return ask


def positions() -> list[str]:
    """Unfinished positions of 3x3, drawn from all of them; no two alike."""
    found, front = {Position.start()}, {Position.start()}
    while front:
        front = {position.play(cell) for position in front for cell in position.legal_cells}
        found |= front
    unfinished = sorted((position.text, position.to_move) for position in found if not position.is_over)
    chosen = Random(13).sample(unfinished, ROUNDS)
    return [f"/analysis?position={text}&to_move={side}" for text, side in chosen]


def steps() -> list[str]:
    """Visits all over the walk of 18,297; no two alike."""
    return [f"/analysis/tree?search=alpha-beta&step={number}" for number in Random(13).sample(range(18_297), ROUNDS)]


if __name__ == "__main__":
    sys.exit(main())
