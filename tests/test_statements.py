"""How many statements a page costs, on both databases. BEGIN and COMMIT are no statements of ours."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event

from tests.conftest import Browser, Pair, SetClock
from tests.two_players import begin_game, open_game
from webapp.extensions import db
from webapp.prepared import Prepared


@contextmanager
def statements(app: Flask) -> Iterator[list[str]]:
    """The statements that are sent to the database meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            sent.append(statement)

    with app.app_context():
        engine = db.engine
    execute = Prepared._execute

    def noted(prepared: Prepared, *arguments: Any) -> Any:
        sent.append("prepared")
        return execute(prepared, *arguments)

    event.listen(engine, "before_cursor_execute", note)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Prepared, "_execute", noted)
        yield sent
    event.remove(engine, "before_cursor_execute", note)


def test_a_game_page_costs_at_most_5(app: Flask, client: Browser) -> None:
    client.sign_up()
    address = client.start(cell=0)
    client.get(address)  # that somebody is here is written once in a quarter of a minute, not with each page
    with statements(app) as sent:
        assert client.get(address).status_code == 200
    assert 1 <= len(sent) <= 5, sent


def test_the_coach_costs_2_more_asked_or_not(app: Flask, client: Browser) -> None:
    """What was taken back, and whether the coach is closed to this player."""
    client.sign_up()
    address = client.start(cell=0, coach="yes")
    client.get(address)
    for asked in ("", "?best=2"):
        with statements(app) as sent:
            assert client.get(f"{address}{asked}").status_code == 200
        assert 1 <= len(sent) <= 7, sent


def test_the_lobby_costs_at_most_9_its_piece_6_and_the_home_page_6_all_of_them_prepared(
    app: Flask, set_clock: SetClock, pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    """Who is closed to somebody is asked once for all who are listed."""
    begin_game(*pair, 0)
    opener, dora = browser_of(), browser_of()
    opener.sign_up("carl")
    open_game(opener)
    dora.sign_up("dora")
    dora.start(cell=0)
    for path, most in (("/lobby", 9), ("/lobby/piece", 6), ("/", 6)):
        dora.get(path)
        with statements(app) as sent:
            page = dora.get(path).text
        assert 1 <= len(sent) <= most and set(sent) == {"prepared"}, (path, sent)
        assert path == "/" or all(shown in page for shown in ("carl", "Join", "Watch<")), path


def test_where_nobody_is_nobody_is_asked_about(app: Flask, set_clock: SetClock, client: Browser) -> None:
    client.sign_up()
    for path, most in (("/lobby", 7), ("/lobby/piece", 4)):
        client.get(path)
        with statements(app) as sent:
            assert "Nobody else is here now" in client.get(path).text
        assert 1 <= len(sent) <= most, (path, sent)


def test_the_history_costs_at_most_6_and_a_replay_at_most_5(app: Flask, client: Browser) -> None:
    client.sign_up()
    address = client.start(cell=0, level="casual")
    client.send(f"{address}/resign")
    client.get(address)
    for query in ("", "?opponent=casual&result=lost", f"?before={address.rsplit('/')[-1]}"):
        with statements(app) as sent:
            assert client.get(f"/history{query}").status_code == 200
        assert 1 <= len(sent) <= 6, sent
    with statements(app) as sent:
        assert client.get(f"{address}/replay").status_code == 200
    assert 1 <= len(sent) <= 5, sent


def test_a_move_costs_at_most_8_and_the_last_one_10(app: Flask, client: Browser) -> None:
    client.sign_up()
    address = client.start(level="perfect")
    token = client.csrf_token(address)
    for ply, cell in ((0, 0), (2, 1), (4, 3)):  # Perfect takes the centre, blocks the top row and wins
        with statements(app) as sent:
            answer = client.post(f"{address}/moves", data={"csrf_token": token, "cell": cell, "ply": ply})
        assert answer.status_code == 303
        assert 1 <= len(sent) <= (8 if ply < 4 else 10), sent  # its results, its mistake, and for which classrooms
    assert "Perfect wins" in client.get(address).text
