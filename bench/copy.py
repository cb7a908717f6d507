"""Moves a database of 10^6 games to PostgreSQL and back, beside a small one. `python3 run.py bench copy`.

`python -m bench.copy --games 10000` is the same with fewer games; what it finds is shown and not written down.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from bench._table import Table
from bench.site import fill, new_site
from tests.postgres import running_postgres
from webapp.accounts.services import sign_up
from webapp.config import ROOT
from webapp.extensions import db
from webapp.operations.copying import checksum
from webapp.operations.invariants import snapshot

SMALL, MOST = 500, 10**6
COPY = "import sys; from wsgi import app; from webapp.operations.copying import copy_database as copy\n"
COPY += "with app.app_context(): copy(*sys.argv[1:], lambda words: None)"


class Cost(NamedTuple):
    rows: int
    seconds: float  # of the processor
    memory: float  # the most that was held, in MiB


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.copy")
    parser.add_argument("--games", type=int, default=MOST)
    many = parser.parse_args(words).games
    table = Table("python3 run.py bench copy")
    with tempfile.TemporaryDirectory() as folder, running_postgres() as server:
        sizes = (SMALL, max(SMALL, many // 10), many)
        costs = [moved_and_back(Path(folder), games, server.url(server.create())) for games in sizes]
        for way, (small, few, more) in zip(("to PostgreSQL", "to SQLite"), zip(*costs, strict=True), strict=True):
            growth = for_each_row(small, more) / for_each_row(small, few) if few.rows > small.rows else 1.0
            table.add(f"copy {way}: CPU for each row, {many:,} games : {few.rows // 9:,}", growth, "<=", 1.3)
            told = f"{more.memory:.0f} MiB; {for_each_row(small, more) * 1e6:.0f} s of CPU for a million rows"
            table.add(f"copy {way}: memory, {many:,} games : {SMALL:,}", more.memory / small.memory, "<=", 1.5, told)
    if many == MOST:
        table.write()
    return 0


def for_each_row(small: Cost, more: Cost) -> float:
    """Without what every copy takes to begin."""
    return (more.seconds - small.seconds) / (more.rows - small.rows)


def moved_and_back(folder: Path, games: int, target: str) -> tuple[Cost, Cost]:
    home = folder / f"games-{games}"
    app = new_site(home)
    with app.app_context():
        sign_up("player7", "correct horse")
        db.engine.dispose()
    fill(home / "noughts.db", games)
    source, back = f"sqlite:///{home / 'noughts.db'}", f"sqlite:///{home / 'back.db'}"
    rows = sum(count for count, _ in sums(source).values())
    costs = copied(source, target, rows, home), copied(target, back, rows, home)
    assert sums(back) == sums(source)
    for file in home.glob("*.db*"):
        file.unlink()
    return costs


def copied(source: str, target: str, rows: int, home: Path) -> Cost:
    """In a process of its own, whose processor time and memory the system tells at its end."""
    environment = os.environ | {"NOUGHTS_INSTANCE": str(home), "DATABASE_URL": ""}
    child = subprocess.Popen([sys.executable, "-c", COPY, source, target], cwd=ROOT, env=environment)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, "the copy failed"
    return Cost(rows, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def sums(url: str) -> dict[str, tuple[int, str]]:
    with snapshot(url) as connection:
        return {table.name: checksum(connection, table) for table in db.metadata.sorted_tables}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
