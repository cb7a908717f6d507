"""What a move, a page, the history and a rush of log-ins cost, as ratios in one run. `python3 run.py bench site`."""

import http.client
import logging
import os
import re
import resource
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import flask_migrate
from flask import Flask, redirect, request
from flask.testing import FlaskClient

from bench._table import Table
from tests.live_server import LiveBrowser, LiveServer, live_server
from webapp import create_app
from webapp.accounts.passwords import hash_password
from webapp.config import ROOT
from webapp.extensions import db
from webapp.serving.metrics_folder import metrics_folder

ROUNDS = 300


def main() -> int:
    table = Table("python3 run.py bench site")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        compare_in_process(home / "in-process", table)
        compare_metrics(home, table)
        compare_over_http(home / "http", table)
        compare_sizes(home, table)
        rush(home / "rush", table)
    table.write()
    return 0


def new_site(folder: Path, **more: str) -> Flask:
    folder.mkdir()
    settings = {"DATABASE_URL": "", "NOUGHTS_SECRET_KEY": "for the bench only", "NOUGHTS_SEED": 1}
    settings["NOUGHTS_INSTANCE"] = str(folder)
    limits = dict.fromkeys(("GUESTS_PER_ADDRESS", "UNFINISHED_GAMES", "STARTED_GAMES"), 10**6)
    app = create_app({**settings, **{f"NOUGHTS_{name}": most for name, most in limits.items()}, **more})
    logging.getLogger("noughts.requests").setLevel(logging.ERROR)
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.upgrade()
    return app


def bare_site(folder: Path) -> Flask:
    """The floor: Flask and one row, written as durably as ours, and nothing else."""
    app = Flask("bare")
    app.logger.disabled = True  # a rush locks it out of its database, and it says so each time
    local = threading.local()

    def connection() -> sqlite3.Connection:
        if not hasattr(local, "connection"):
            local.connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
            local.connection.execute("PRAGMA journal_mode = WAL")
            local.connection.execute("PRAGMA synchronous = FULL")
            local.connection.execute("CREATE TABLE IF NOT EXISTS move (game_id, ply, cell)")
        return local.connection

    @app.get("/hello")
    def hello() -> str:
        return "hello"

    @app.post("/row")
    def row() -> Any:
        connection().execute("INSERT INTO move VALUES (1, ?, ?)", (request.form["ply"], request.form["cell"]))
        return redirect("/hello", 303)

    return app


def side_by_side(
    work: Callable[[], object],
    base: Callable[[], object],
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """How many times longer `work` takes: the median of each, taken in turns so that both meet the same noise."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(10):
        base()
    for _ in range(rounds):
        for which, run in enumerate((work, base)):
            started = clock()
            run()
            times[which].append(clock() - started)
    return statistics.median(times[0]) / statistics.median(times[1])


def token_on(page: str) -> str:
    found = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', page)
    assert found, "no form on the page"
    return found[1]


def compare_in_process(folder: Path, table: Table) -> None:
    print("In one process")
    site, bare = new_site(folder).test_client(), bare_site(folder).test_client()
    first = site.post("/games", data={"csrf_token": token_on(site.get("/").text), "cell": 0})
    ratio = side_by_side(mover(site), lambda: bare.post("/row", data={"ply": 2, "cell": 8}))
    table.add("a move (session, user, token, two moves written) : a bare post", ratio, "<=", 2)
    ratio = side_by_side(lambda: site.get(first.location), lambda: bare.get("/hello"))
    table.add("a game page : a bare hello", ratio, "<=", 5)
    ratio = side_by_side(sign_up_and_log_in(site.application), lambda: hash_password("correct horse"), rounds=40)
    table.add("a log-in : one argon2 hash with its parameters", ratio, "<=", 1.3)


def compare_metrics(home: Path, table: Table) -> None:
    """In CPU time, with what the workers share on the disk, as when they are served."""
    print("With /metrics and without")
    with metrics_folder(True):
        measured = new_site(home / "measured", NOUGHTS_METRICS="127.0.0.1").test_client()
        plain = new_site(home / "plain").test_client()
        ratio = side_by_side(mover(measured), mover(plain), clock=time.process_time)
        table.add("a move with metrics : without", ratio, "<=", 1.05)
        ratio = side_by_side(lambda: measured.get("/lobby"), lambda: plain.get("/lobby"), clock=time.process_time)
        table.add("a page with metrics : without", ratio, "<=", 1.05)


def mover(site: FlaskClient) -> Callable[[], None]:
    """Plays one move in a new game each time."""
    site.post("/games", data={"csrf_token": token_on(site.get("/").text), "cell": 0})
    token = token_on(site.get("/").text)
    games = [site.post("/games", data={"csrf_token": token, "cell": 0}).location for _ in range(ROUNDS + 10)]

    def move() -> None:
        answer = site.post(f"{games.pop()}/moves", data={"csrf_token": token, "ply": 2, "cell": 8})
        assert answer.status_code == 303, answer.text

    return move


def sign_up_and_log_in(app: Flask) -> Callable[[], None]:
    """Each time in a browser that is logged out, with its token at hand: the post alone is measured."""
    form = {"name": "player7", "password": "correct horse"}
    owner = app.test_client()
    owner.post("/sign-up", data={**form, "csrf_token": token_on(owner.get("/sign-up").text)})
    browsers = [app.test_client() for _ in range(40)]
    tokens = [token_on(browser.get("/log-in").text) for browser in browsers]
    logged_out = iter(zip(browsers, tokens, strict=True))

    def log_in() -> None:
        browser, token = next(logged_out)
        answer = browser.post("/log-in", data={**form, "csrf_token": token})
        assert answer.status_code == 303, answer.text

    return log_in


def compare_over_http(folder: Path, table: Table) -> None:
    print("Over HTTP, one worker each")
    new_site(folder)
    settings = {"NOUGHTS_SEED": "1", "NOUGHTS_UNFINISHED_GAMES": "1000"}
    with bare_server(folder, workers=1) as port, live_server(folder, workers=1, **settings) as server:
        table.add("a move : a bare post, by HTTP", http_ratio(server, port), "<=", 2)


@contextmanager
def bare_server(folder: Path, workers: int) -> Iterator[int]:
    """The floor over HTTP: the bare site, served as ours is. Gives its port."""
    (folder / "bare_app.py").write_text(
        f"from pathlib import Path\nfrom bench.site import bare_site\napp = bare_site(Path({str(folder)!r}))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NOUGHTS_WORKERS": str(workers)}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        words = ["--app", "bare_app:app", "--fd", str(listener.fileno())]
        process = subprocess.Popen(
            [sys.executable, "-m", "webapp.serving", *words],
            cwd=folder, env=environment, pass_fds=[listener.fileno()],
        )  # fmt: skip
        try:
            yield listener.getsockname()[1]
        finally:
            process.terminate()
            process.wait(10)


def http_ratio(server: LiveServer, port: int) -> float:
    browser = LiveBrowser(server)
    browser.start_game(cell=0)
    token = browser.get("/").csrf_token
    games = iter([browser.post("/games", {"csrf_token": token, "cell": 0}).location for _ in range(ROUNDS + 1)])
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies}
    ours, bare = (http.client.HTTPConnection("127.0.0.1", each, timeout=30) for each in (server.port, port))
    time.sleep(1)

    def post(connection: http.client.HTTPConnection, path: str, **fields: object) -> None:
        connection.request("POST", path, urlencode(fields), form)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 303, answer.status

    with closing(ours), closing(bare):
        return side_by_side(
            lambda: post(ours, f"{next(games)}/moves", csrf_token=token, ply=2, cell=8),
            lambda: post(bare, "/row", ply=2, cell=8),
        )


def compare_sizes(home: Path, table: Table) -> None:
    """The same user with the same games, once among a thousand games and once among a million."""
    print("History among 1,000 and among 1,000,000 games (filling the tables takes a minute)")
    clients = []
    for games in (10**3, 10**6):
        folder = home / f"games-{games}"
        app = new_site(folder)
        client = app.test_client()
        client.post("/sign-up", data={"csrf_token": token_on(client.get("/sign-up").text), "name": "player7",
                                      "password": "correct horse"})  # fmt: skip
        fill(folder / "noughts.db", games)
        clients.append(client)
    small, large = clients
    for what, path in {
        "history page": "/history",
        "history page, filtered": "/history?opponent=perfect&result=drawn",
        "history page, with mistakes": "/history?opponent=perfect&mistakes=yes",
        "first rows of the CSV": "/history.csv",
    }.items():

        def ask(client: Any, path: str = path) -> None:
            answer = client.get(path, buffered=False)
            next(iter(answer.response))
            answer.close()

        ratio = side_by_side(lambda: ask(large), lambda: ask(small), rounds=100)
        table.add(f"{what}: 10^6 games : 10^3 games", ratio, "<=", 1.3)
    shutil.rmtree(home / f"games-{10**6}")


FILL = """
INSERT INTO game (public_id, rows, columns, in_a_row, status, visibility, winner, reason, created_at, ended_at, version)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :games)
  SELECT 'filled' || i, 3, 3, 3, 'finished', 'private', NULL, 'full', '2026-01-01 00:00:00.000000',
         '2026-01-01 00:01:00.000000', 9 FROM n;
INSERT INTO user (name, name_key, must_change_password, created_at, last_seen_at)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :games / 500 + 2)
  SELECT 'filler' || i, 'filler' || i, 0, '2026-01-01 00:00:00.000000', '2026-01-01 00:00:00.000000' FROM n;
INSERT INTO seat (game_id, mark, user_id, level, result, opponent_id, opponent_level, decisions, kept)
  SELECT id, 'X', CASE WHEN id % (:games / 500) = 0 THEN 1 ELSE 2 + id % (:games / 500) END, NULL, 'drawn', NULL,
         'perfect', 3, CASE WHEN id / (:games / 500) % 5 = 0 THEN 2 ELSE 3 END FROM game;
INSERT INTO seat (game_id, mark, user_id, level, result) SELECT id, 'O', NULL, 'perfect', 'drawn' FROM game;
INSERT INTO move (game_id, ply, cell, made_at)
  SELECT game.id, ply.value, ply.value, '2026-01-01 00:00:30.000000'
  FROM game, json_each('[0, 1, 2, 3, 4, 5]') AS ply;
INSERT INTO tally (user_id, level, mark, won, lost, drawn)
  SELECT user_id, 'perfect', 'X', 0, 0, count(*) FROM seat WHERE user_id IS NOT NULL GROUP BY user_id;
ANALYZE;
"""


def fill(path: Path, games: int) -> None:
    """Five hundred games each for everybody, the user measured among them."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for statement in FILL.replace(":games", str(games)).split(";\n"):
            connection.execute(statement)
        connection.commit()


def rush(folder: Path, table: Table) -> None:
    print("200 log-ins at once, two workers")
    new_site(folder)
    server = LiveServer(folder, NOUGHTS_GUESSES_PER_ADDRESS="10000")
    with closing(server):
        server.start()
        LiveBrowser(server).sign_up()
        guests = [LiveBrowser(server, patience=60) for _ in range(200)]
        tokens = [guest.get("/log-in").csrf_token for guest in guests]
        statuses: list[int] = []

        def log_in(guest: LiveBrowser, token: str) -> None:
            form = {"csrf_token": token, "name": "player7", "password": "correct horse"}
            statuses.append(guest.post("/log-in", form).status)

        threads = [threading.Thread(target=log_in, args=pair) for pair in zip(guests, tokens, strict=True)]
        before = memory_of(server)
        for thread in threads:
            thread.start()
        longest, most = 0.0, before
        while any(thread.is_alive() for thread in threads):
            started = time.perf_counter()
            assert LiveBrowser(server).get("/").status == 200
            longest = max(longest, time.perf_counter() - started)
            most = max(most, memory_of(server))
        for thread in threads:
            thread.join()
    table.add("log-ins answered, of 200", statuses.count(303), ">=", 200)
    table.add("longest wait of another page meanwhile, in seconds", longest, "<=", 0.5, "seconds, not a ratio")
    more = (most - before) * resource.getpagesize() / 2**20
    table.add("memory above what it held before, in MiB", more, "<=", 400, "200 hashes at once would take 3,800")


def memory_of(server: LiveServer) -> float:
    """What the server and its workers hold, in pages."""
    return float(sum(int(fields[21]) for fields in processes_of(server)))


def processes_of(server: LiveServer) -> Iterator[list[str]]:
    """What the system says of each process of the server (man 5 proc, stat), without its number and its name."""
    assert server.process is not None
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):  # it has just ended
            continue
        if int(fields[2]) == server.process.pid:  # the group that the server was started as
            yield fields


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    sys.exit(main())
