"""What the pages of a class of 200 cost among few and among many games. `python3 run.py bench classroom`."""

import shutil
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from bench._table import Table
from bench.site import fill, new_site, side_by_side, token_on
from webapp.accounts.queries import account_named
from webapp.classrooms import services
from webapp.live.classrooms import classroom_scenes, pause

PAGES = {
    "results page": "results",
    "results of the last 7 days": "results?period=week",
    "common mistakes": "mistakes",
    "lesson view": "lesson",
}
# A class of 200, each with twenty games of this lesson, every second one with a mistake, and one that goes on.
CLASS = """
INSERT INTO user (name, name_key, must_change_password, is_instructor, may_change_name, created_at, last_seen_at)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
  SELECT 'student' || i, 'student' || i, 0, 0, 0, '2026-01-01 00:00:00.000000', '2026-01-01 00:00:00.000000' FROM n;
INSERT INTO enrolment (classroom_id, user_id, role, real_name, external_id, email, section, made_for_classroom,
                       on_leaderboard, joined_at)
  SELECT 1, id, 'student', 'Student ' || id, '', '', '', 1, 1, '2026-01-01 00:00:00.000000'
  FROM user WHERE name LIKE 'student%';
INSERT INTO lesson (classroom_id, began_at, first_game_id)
  SELECT 1, strftime('%Y-%m-%d %H:%M:%S.000000', 'now', '-1 hour'), max(id) + 1 FROM game;
INSERT INTO game (public_id, rows, columns, in_a_row, status, visibility, reason, created_at, ended_at, version)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
  SELECT 'class' || i, 3, 3, 3, 'finished', 'private', 'full',
         strftime('%Y-%m-%d %H:%M:%S.000000', 'now', '-50 minutes'),
         strftime('%Y-%m-%d %H:%M:%S.000000', 'now', '-40 minutes'), 9 FROM n;
INSERT INTO seat (game_id, mark, user_id, result, opponent_level, decisions, kept)
  SELECT id, 'X', (SELECT min(id) FROM user WHERE name LIKE 'student%') + substr(public_id, 6) % 200, 'drawn',
         'perfect', 4, 4 - id % 2 FROM game WHERE public_id LIKE 'class%';
INSERT INTO seat (game_id, mark, level, result)
  SELECT id, 'O', 'perfect', 'drawn' FROM game WHERE public_id LIKE 'class%';
INSERT INTO mistake (game_id, ply, user_id, shape, position, to_move, cell, value_before, value_after)
  SELECT game_id, 2, user_id, '3x3x3', 'XO.......', 'X', 2, 1, 0 FROM seat
  WHERE kept < decisions AND game_id IN (SELECT id FROM game WHERE public_id LIKE 'class%');
INSERT INTO counted_game (classroom_id, user_id, game_id, lesson_id, day, kind)
  SELECT 1, user_id, game_id, 1, date('now'), 'perfect' FROM seat
  WHERE user_id IS NOT NULL AND game_id IN (SELECT id FROM game WHERE public_id LIKE 'class%');
INSERT INTO classroom_tally (classroom_id, user_id, lesson_id, day, kind, won, drawn, lost, decisions, kept, moves)
  SELECT 1, user_id, 1, date('now'), 'perfect', 0, count(*), 0, sum(decisions), sum(kept), 80 FROM seat
  WHERE user_id IS NOT NULL AND game_id IN (SELECT id FROM game WHERE public_id LIKE 'class%') GROUP BY user_id;
INSERT INTO game (public_id, rows, columns, in_a_row, status, visibility, created_at, version)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
  SELECT 'going' || i, 3, 3, 3, 'playing', 'private', strftime('%Y-%m-%d %H:%M:%S.000000', 'now'), 3 FROM n;
INSERT INTO seat (game_id, mark, user_id)
  SELECT id, 'X', (SELECT min(id) FROM user WHERE name LIKE 'student%') + substr(public_id, 6) % 200
  FROM game WHERE public_id LIKE 'going%';
INSERT INTO seat (game_id, mark, level) SELECT id, 'O', 'perfect' FROM game WHERE public_id LIKE 'going%';
INSERT INTO move (game_id, ply, cell, made_at)
  SELECT game.id, ply.value, ply.value, strftime('%Y-%m-%d %H:%M:%S.000000', 'now')
  FROM game, json_each('[0, 1, 2]') AS ply WHERE public_id LIKE 'going%';
ANALYZE;
"""


def main() -> int:
    table = Table("python3 run.py bench classroom")
    with tempfile.TemporaryDirectory() as folder:
        few, many = (classroom_among(Path(folder) / f"games-{games}", games) for games in (10**4, 10**6))
        for what, page in PAGES.items():
            ratio = side_by_side(lambda page=page: ask(*many, page), lambda page=page: ask(*few, page), rounds=60)
            table.add(f"{what} of 200 students: 10^6 games : 10^4 games", ratio, "<=", 1.3)
        table.add("CPU of a lesson view of 200 : of their moves, one each 5 s", share_of_lesson(*few), "<=", 0.05)
        shutil.rmtree(folder, ignore_errors=True)
    table.write()
    return 0


def classroom_among(folder: Path, games: int) -> tuple[Any, str]:
    """An instructor's browser, and the address of a class among so many games of others."""
    print(f"A class of 200 among {games:,} games")
    app = new_site(folder)
    client = app.test_client()
    form = {"csrf_token": token_on(client.get("/sign-up").text), "name": "teacher7", "password": "correct horse"}
    client.post("/sign-up", data=form)
    with app.app_context():
        services.make_instructor("teacher7")
        classroom = services.create_classroom(account_named("teacher7"), "Bench")
    fill(folder / "noughts.db", games)
    with closing(sqlite3.connect(folder / "noughts.db")) as connection:
        connection.executescript(CLASS)
        connection.commit()
    return client, f"/classrooms/{classroom}"


def share_of_lesson(client: Any, address: str) -> float:
    """The lesson is drawn afresh after a pause that grows with the class; meanwhile 40 moves a second are made."""
    token = token_on(client.get("/").text)

    def game() -> str:
        return str(client.post("/games", data={"csrf_token": token, "cell": 0}).location)

    games = iter([game() for _ in range(61)])

    def move() -> None:
        this = next(games)
        client.post(f"{this}/moves", data={"csrf_token": token, "ply": 2, "cell": 8})
        assert client.get(this).status_code == 200

    ratio = side_by_side(lambda: ask(client, address, "lesson/piece"), move, rounds=50, clock=time.process_time)
    with client.application.app_context():
        (scene,) = classroom_scenes([1]).values()
    return ratio / pause(scene) / (200 / 5)


def ask(client: Any, address: str, page: str) -> None:
    answer = client.get(f"{address}/{page}")
    assert answer.status_code == 200, (page, answer.status_code)


if __name__ == "__main__":
    sys.exit(main())
