"""A guest who logs in is offered the games played before: taken whole, once, and by that browser only."""

import re
from collections.abc import Callable
from random import Random

import pytest
from flask import Flask

from tests.conftest import Browser, SetClock
from tests.factories import PASSWORD, finished_game, make_user
from tests.meanwhile import all_at_once, meanwhile
from tests.tables import all_rows, rows_of
from webapp.errors import NotThere
from webapp.games import services
from webapp.games.guest_games import take_guest_games
from webapp.operations.invariants import check
from webapp.privacy.services import delete_account

BrowserOf = Callable[[], Browser]
OFFER = "/account/guest-games"


def log_in_from(client: Browser, address: str = "") -> str:
    """Log in by the link that stands on a page; gives where that leads."""
    wish = f"games.show/{address.removeprefix('/games/')}" if address else ""
    return str(client.send("/log-in", name="player7", password=PASSWORD, next=wish).location)


def broken(app: Flask) -> list[object]:
    """What is not equal to a recount, or otherwise not as it must be."""
    return list(check(str(app.config["SQLALCHEMY_DATABASE_URI"])))


def played(app: Flask, name: str | None = "player7") -> int:
    """How many finished games the totals of a user tell."""
    (user,) = [row["id"] for row in rows_of(app, "user") if row["name"] == name] or [None]
    rows = [row for row in rows_of(app, "tally") if row["user_id"] == user]
    return sum(row["won"] + row["lost"] + row["drawn"] for row in rows)


def test_who_logs_in_from_a_game_is_offered_it_and_lands_in_it(app: Flask, client: Browser) -> None:
    make_user(app)
    finished_game(client)
    address = client.start(cell=0)
    offer = log_in_from(client, address)
    page = client.get(offer)
    assert page.status_code == 200
    assert "1 finished game and 1 unfinished game" in page.text
    assert "Move these games" in page.text and "Leave them" in page.text
    wish = re.search(r'name="next" value="([^"]+)"', page.text)
    assert wish
    assert client.send(OFFER, answer="take", next=wish[1]).location == address
    assert "are in your account now" in client.get(address).text
    assert "1 finished game" in client.get("/history").text
    assert (played(app), broken(app)) == (1, [])
    assert [row["name"] for row in rows_of(app, "user")] == ["player7"], "nothing is left of the guest"


def test_what_is_taken_is_added_to_what_the_account_has(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    owner = browser_of()
    owner.sign_up()
    for _ in range(2):
        finished_game(owner)
    for level in ("perfect", "beginner"):
        address = client.start(cell=4, level=level)
        client.send(f"{address}/resign")
    log_in_from(client)
    client.send(OFFER, answer="take")
    assert (played(app), broken(app)) == (4, [])
    assert "4 finished games" in owner.get("/history").text


def test_who_leaves_the_games_is_led_somewhere_that_exists(app: Flask, client: Browser) -> None:
    make_user(app)
    address = client.start(cell=0)
    wish = f"games.show/{address.removeprefix('/games/')}"
    log_in_from(client, address)
    before = all_rows(app, "session", "user")
    assert client.send(OFFER, answer="leave", next=wish).location == "/"
    assert all_rows(app, "session", "user") == before
    assert "as a guest" not in client.get("/").text
    assert client.get(address).status_code == 404
    assert client.get(OFFER).location == "/"


def test_who_leaves_them_goes_on_to_where_they_wanted_to_go(app: Flask, client: Browser) -> None:
    make_user(app)
    client.start(cell=0)
    client.log_in()
    assert client.send(OFFER, answer="leave", next="lobby.lobby").location == "/lobby"


def test_a_wish_that_no_database_takes_leads_home(app: Flask, client: Browser) -> None:
    make_user(app)
    finished_game(client)
    log_in_from(client)
    for wish in ("games.show/a\0b", "history.replay/\0"):
        assert client.send(OFFER, answer="leave", next=wish).location == "/", wish


def test_the_offer_outlives_a_page_that_was_not_seen_and_then_expires(
    app: Flask, client: Browser, set_clock: SetClock
) -> None:
    make_user(app)
    client.start(cell=0)
    client.log_in()
    set_clock.pass_time(hours=23)
    for path in ("/", "/account", "/history"):
        assert f'href="{OFFER}?next=' in client.get(path).text, path
    set_clock.pass_time(hours=2)
    assert OFFER not in client.get("/").text
    assert client.get(OFFER).location == "/"
    assert client.send(OFFER, answer="take").location == "/"
    assert "too late" in client.get("/").text
    assert len(rows_of(app, "user")) == 2


def test_the_offer_outlives_the_change_of_a_one_time_password(app: Flask, client: Browser) -> None:
    make_user(app, must_change=True)
    address = client.start(cell=0)
    client.log_in()
    assert client.get(OFFER).location == "/account"
    assert OFFER not in client.get("/account").text, "nothing else opens yet"
    client.send("/account/password", current_password=PASSWORD, new_password="battery staple")
    assert OFFER in client.get("/account").text
    client.send(OFFER, answer="take")
    assert client.get(address).status_code == 200


def test_a_second_press_of_log_in_keeps_the_offer(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    """It is sent with the guest's cookie, whose session the first press has ended."""
    make_user(app)
    client.start(cell=0)
    second, guest = browser_of(), client.get_cookie("noughts")
    token = client.csrf_token()
    second.set_cookie("noughts", guest.value)
    fields = {"csrf_token": token, "name": "player7", "password": PASSWORD}
    client.post("/log-in", data=fields)
    assert second.post("/log-in", data=fields).status_code == 303
    assert "Move these games" in second.get(OFFER).text
    second.send(OFFER, answer="take")
    assert (len(rows_of(app, "user")), broken(app)) == (1, [])


def test_another_browser_of_the_account_is_offered_nothing(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    make_user(app)
    client.start(cell=0)
    client.log_in()
    other = browser_of()
    other.log_in()
    assert other.get(OFFER).location == "/"
    for field in ("guest", "guest_id", "id", "user_id"):
        other.send(OFFER, answer="take", **{field: "2"})
    assert len(rows_of(app, "user")) == 2


def test_the_offer_ends_with_the_session(app: Flask, client: Browser) -> None:
    make_user(app)
    client.start(cell=0)
    client.log_in()
    client.send("/log-out")
    client.log_in()
    assert OFFER not in client.get("/").text


def test_who_played_nothing_is_offered_nothing(app: Flask, client: Browser) -> None:
    make_user(app)
    assert client.log_in().location == "/"
    assert OFFER not in client.get("/").text
    assert client.get(OFFER).location == "/"


def test_an_answer_that_no_page_sends_is_refused(app: Flask, client: Browser) -> None:
    make_user(app)
    client.start(cell=0)
    client.log_in()
    for answer in ("", "both", "TAKE"):
        assert client.send(OFFER, answer=answer).status_code == 400
    assert OFFER in client.get("/").text


# At once

def test_two_presses_at_once_take_them_once(app: Flask, client: Browser) -> None:
    make_user(app)
    for _ in range(3):
        finished_game(client)
    client.log_in()
    token = client.csrf_token()

    def press() -> tuple[int, str]:
        browser = app.test_client()
        browser.set_cookie("noughts", client.get_cookie("noughts").value)
        answer = browser.post(OFFER, data={"csrf_token": token, "answer": "take", "next": "history.show"})
        return answer.status_code, answer.location

    assert all_at_once([press] * 6) == [(303, "/history")] * 6
    assert (played(app), broken(app)) == (3, [])


def test_a_move_that_was_under_way_is_not_played_in_the_game_of_another(app: Flask, client: Browser) -> None:
    account = make_user(app)
    address = client.start(cell=0, level="beginner")
    guest = 2

    class Interrupted(Random):
        """Asked for the computer's answer, when the move is decided and not yet written."""

        def choice(self, cells):  # type: ignore[no-untyped-def]
            meanwhile(taken)
            return super().choice(cells)

    def taken() -> None:
        with app.app_context():
            take_guest_games(account, guest)

    public_id = address.removeprefix("/games/")
    with app.app_context():
        cell = next(cell for cell in range(1, 9) if cell not in [row["cell"] for row in rows_of(app, "move")])
        with pytest.raises(NotThere):
            services.play_move(guest, public_id, cell, 2, Interrupted(1))
    assert len(rows_of(app, "move")) == 2
    assert broken(app) == []


def test_of_a_guest_who_became_an_account_nothing_is_taken(app: Flask, client: Browser) -> None:
    account = make_user(app)
    finished_game(client)
    client.sign_up("player8")
    with app.app_context():
        take_guest_games(account, 2)
    assert (played(app, "player8"), played(app), broken(app)) == (1, 0, [])


def test_nothing_goes_to_an_account_that_was_deleted_meanwhile(app: Flask, client: Browser) -> None:
    account = make_user(app)
    finished_game(client)
    with app.app_context():
        delete_account(account)
        take_guest_games(account, 2)
    assert [row["user_id"] for row in rows_of(app, "seat") if row["user_id"]] == [2]
    assert broken(app) == []
