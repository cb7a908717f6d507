"""What an analysis costs beside the page of a game, as ratios in one run. `python3 run.py bench analysis`."""

import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from bench._table import Table
from bench.site import new_site, side_by_side, token_on
from webapp.tictactoe import Position

ROUNDS = 400


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
    table.write()
    return 0


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
