"""Deleting an account, and what is left of it."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event, update

from tests.conftest import Browser, Pair
from tests.factories import PASSWORD, finished_game, logged_in, make_classroom, make_user
from tests.tables import all_rows, rows_of
from tests.two_players import begin_game, open_game
from webapp.accounts.models import User
from webapp.errors import Refusal
from webapp.extensions import db
from webapp.games import personal
from webapp.operations.invariants import check
from webapp.privacy import services

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
    for table in ("game", "seat", "move", "tally", "mistake", "known_browser", "presence"):
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


def statuses(app: Flask) -> dict[str, tuple[str, str | None, str | None]]:
    return {f"/games/{row['public_id']}": (row["status"], row["winner"], row["reason"]) for row in rows_of(app, "game")}


def test_nobody_is_left_waiting_for_who_is_gone(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    other = browser_of()
    other.sign_up("player8")
    client.sign_up()
    begun, played = begin_game(client, other), begin_game(client, other, 4, 0)
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


def deleted_games(app: Flask, action: Callable[[], object]) -> list[int]:
    """Do something, and tell how many games each of its statements deleted."""
    counts: list[int] = []

    def note(_connection: object, cursor: Any, statement: str, *_: object) -> None:
        if statement.startswith("DELETE FROM game"):
            counts.append(cursor.rowcount)

    with app.app_context():
        event.listen(db.engine, "after_cursor_execute", note)
        action()
        event.remove(db.engine, "after_cursor_execute", note)
    return counts


def test_very_many_games_are_left_and_deleted_in_small_units(
    app: Flask, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal, "AT_ONCE", 2)
    ann, bob = pair
    for _ in range(5):
        begin_game(ann, bob, 4, 0)
    for cell in range(5):
        ann.start(cell=cell)
    assert deleted_games(app, lambda: ann.send("/account/delete", password=PASSWORD)) == [2, 2, 1]
    games = rows_of(app, "game")
    assert [(game["status"], game["winner"], game["reason"]) for game in games] == [("finished", "O", "resigned")] * 5
    assert check(app.config["SQLALCHEMY_DATABASE_URI"]) == []


def test_a_deletion_that_is_refused_resigns_no_game_however_many_there_are(
    app: Flask, client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_classroom(app, "teacher7")
    client.sign_up()
    teacher = logged_in(app, "teacher7")
    games = [begin_game(teacher, client, 4, 0) for _ in range(3)]
    monkeypatch.setattr(personal, "AT_ONCE", 1)
    answer = teacher.send("/account/delete", password=PASSWORD)
    assert answer.status_code == 409 and "only instructor" in answer.text
    assert statuses(app) == dict.fromkeys(games, ("playing", None, None))


class Killed(Exception):
    """The server fell at this moment."""


def fall(*_: object) -> None:
    raise Killed


def test_a_deletion_that_was_cut_off_is_sound_and_the_next_purge_ends_it(
    app: Flask, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = pair
    for _ in range(1):
        begin_game(ann, bob, 4, 0)
    finished_game(ann)
    ann.start(cell=0)
    with app.app_context(), monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(services, "_sweep", fall)
        services.delete_account(1)
    assert check(app.config["SQLALCHEMY_DATABASE_URI"]) == []
    assert len(rows_of(app, "game")) == 3
    with app.app_context():
        services.finish_deletions()
    assert [game["reason"] for game in rows_of(app, "game")] == ["resigned"]


def test_what_an_older_version_left_of_a_deletion_goes_with_the_next_purge(app: Flask, pair: Pair) -> None:
    """It let people join somebody who was being deleted, and counted for both."""
    ann, bob = pair
    for _ in range(1):
        begin_game(ann, bob, 4, 0)
    finished_game(ann)
    ann.send("/games", opponent="bob")
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(update(User).where(User.id == 1).values(name=None, deleted_at=User.created_at))
    assert {broken.promise for broken in check(app.config["SQLALCHEMY_DATABASE_URI"])} == {"I33"}
    with app.app_context():
        services.finish_deletions()
    assert check(app.config["SQLALCHEMY_DATABASE_URI"]) == []
    assert [game["status"] for game in rows_of(app, "game")] == ["finished", "withdrawn"]


@pytest.mark.parametrize("failure", [Refusal("Somebody must stay."), KeyError("a mistake of ours")])
def test_one_deletion_that_is_refused_or_breaks_keeps_no_other_back(
    app: Flask, pair: Pair, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, failure: Exception
) -> None:
    assert pair
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(update(User).values(name=None, deleted_at=User.created_at))
    delete = services.delete_account

    def refuse_the_first(user_id: int) -> None:
        if user_id == 1:
            raise failure
        delete(user_id)

    monkeypatch.setattr(services, "delete_account", refuse_the_first)
    with app.app_context():
        services.finish_deletions()
    assert {row["user_id"] for row in rows_of(app, "session")} == {1}
    assert "deletion of user 1 is not finished" in caplog.text and str(failure) in caplog.text


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
    assert "Keep the account" in client.get("/account/delete").text
    assert all_rows(app) == before


def test_the_button_that_deletes_ends_in_the_same_sentence_when_it_is_pressed_twice(
    client: Browser, browser_of: BrowserOf
) -> None:
    client.sign_up()
    twin = browser_of()
    twin.set_cookie("noughts", client.session_cookie())
    fields = {"password": PASSWORD, "csrf_token": client.csrf_token()}
    for browser in (client, twin):
        assert browser.post("/account/delete", data=fields).location == "/"
    assert "You were logged out" not in (page := twin.get("/").text)
    assert page.count("Your account is deleted.") == 1


def test_whose_session_ended_otherwise_is_asked_to_log_in_before_deleting(client: Browser) -> None:
    client.sign_up()
    cookie, token = client.session_cookie(), client.csrf_token()
    client.send("/account/password", current_password=PASSWORD, new_password="battery staple")
    client.set_cookie("noughts", cookie)
    answer = client.post("/account/delete", data={"password": PASSWORD, "csrf_token": token})
    assert answer.location.startswith("/log-in")
