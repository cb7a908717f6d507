"""Deleting an account, and what is left of it."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.conftest import Browser
from tests.factories import PASSWORD, finished_game, make_user
from tests.tables import all_rows, rows_of

BrowserOf = Callable[[], Browser]


def test_the_account_its_sessions_and_its_games_against_the_computer_are_gone(
    app: Flask, client: Browser, browser_of: BrowserOf
) -> None:
    client.sign_up()
    address = finished_game(client)
    other = browser_of()
    other.log_in()
    assert client.send("/account/delete", password=PASSWORD).location == "/"
    assert "Your account is deleted." in client.get("/").text
    for browser in (client, other):
        assert browser.get("/account").status_code == 303
        assert browser.get(address).status_code == 404
    for table in ("game", "seat", "move", "tally", "known_browser", "presence"):
        assert not rows_of(app, table), table
    assert [row for row in rows_of(app, "session") if row["user_id"] is not None] == []


def test_nothing_is_left_of_the_person_but_the_name_that_nobody_may_take_again(app: Flask, client: Browser) -> None:
    client.sign_up("Player7")
    client.send("/account/delete", password=PASSWORD)
    (left,) = rows_of(app, "user")
    assert (left["name"], left["name_key"], left["password_hash"]) == (None, "player7", None)
    assert left["deleted_at"] is not None


@pytest.mark.parametrize("name", ["Player7", "player7", "PLAYER7"])
def test_the_name_is_not_given_again_and_does_not_log_in(client: Browser, name: str) -> None:
    client.sign_up("Player7")
    client.send("/account/delete", password=PASSWORD)
    assert client.sign_up(name).status_code == 409
    assert client.log_in(name).status_code == 403


def test_it_needs_the_password_and_is_refused_at_its_field_without(app: Flask, client: Browser) -> None:
    client.sign_up()
    client.get("/")
    before = all_rows(app, "throttle")
    for password in ("", "wrong password", PASSWORD.upper()):
        answer = client.send("/account/delete", password=password)
        assert answer.status_code == 403
        assert 'id="password-error"' in answer.text
        assert not password or password not in answer.text
    assert all_rows(app, "throttle") == before


def test_others_keep_what_is_theirs(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    other = browser_of()
    other.sign_up("player8")
    address = finished_game(other)
    other.get("/")
    client.sign_up()
    finished_game(client)
    client.send("/account/delete", password=PASSWORD)
    assert other.get(address).status_code == 200
    assert len(rows_of(app, "game")) == len(rows_of(app, "tally")) == 1


def open_game(browser: Browser, **fields: str) -> str:
    answer = browser.send("/games", **{"opponent": "anyone", "mark": "X", **fields})
    assert answer.status_code == 303
    return str(answer.location)


def statuses(app: Flask) -> dict[str, tuple[str, str | None, str | None]]:
    return {f"/games/{row['public_id']}": (row["status"], row["winner"], row["reason"]) for row in rows_of(app, "game")}


def test_nobody_is_left_waiting_for_who_is_gone(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    other = browser_of()
    other.sign_up("player8")
    client.sign_up()
    begun, played = open_game(client), ""
    other.send(f"{begun}/join")
    played = open_game(client)
    other.send(f"{played}/join")
    client.send(f"{played}/moves", cell=4, ply=0)
    other.send(f"{played}/moves", cell=0, ply=1)
    waiting, challenge = open_game(client), open_game(other, opponent="player7")
    assert client.send("/account/delete", password=PASSWORD).status_code == 303
    assert statuses(app) == {
        begun: ("aborted", None, "aborted"),
        played: ("finished", "O", "resigned"),
        waiting: ("withdrawn", None, "withdrawn"),
        challenge: ("declined", None, "other"),
    }
    page = other.get(played).text
    assert "deleted player" in page
    assert "player7" not in page
    assert [(row["user_id"], row["won"]) for row in rows_of(app, "tally")] == [(1, 1)]


def test_a_guest_has_nothing_to_delete(app: Flask, client: Browser) -> None:
    client.start(cell=0)
    assert client.get("/account/delete").location == "/account"
    assert client.send("/account/delete", password="").location == "/account"
    assert len(rows_of(app, "user")) == 1


def test_asking_about_it_deletes_nothing(app: Flask, client: Browser) -> None:
    make_user(app)
    client.log_in()
    client.get("/")
    before = all_rows(app)
    assert "for good" in client.get("/account/delete").text
    assert all_rows(app) == before
