"""Server-side sessions: what the cookie is worth, when it dies, and that it stays dead."""

import json
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from flask import Blueprint, Flask, flash, get_flashed_messages, session
from sqlalchemy import delete, select, text, update

from tests.conftest import Browser, MakeApp, SetClock, postgres_only
from tests.factories import PASSWORD, make_user
from tests.meanwhile import all_at_once, meanwhile
from tests.tables import all_rows, rows_of
from webapp.accounts import models
from webapp.accounts.models import User, UserSession
from webapp.accounts.session_interface import OF_ACCOUNT
from webapp.accounts.sessions import PasswordChanged, begin_session, purge_sessions
from webapp.accounts.tokens import hash_of
from webapp.clock import now
from webapp.database import writing
from webapp.extensions import db

BrowserOf = Callable[[], Browser]


def cookie_of(browser: Browser, name: str = "noughts") -> str:
    cookie = browser.get_cookie(name)
    assert cookie is not None
    return cookie.value


def copy_of(browser: Browser, to: Browser) -> Browser:
    """A thief: another browser with the same session cookie."""
    to.set_cookie("noughts", cookie_of(browser))
    return to


def is_logged_in(browser: Browser) -> bool:
    return browser.get("/account").status_code == 200


# The id

def test_the_id_is_long_and_never_the_same(browser_of: BrowserOf) -> None:
    ids = set()
    for _ in range(20):
        browser = browser_of()
        browser.get("/")
        ids.add(cookie_of(browser))
    assert len(ids) == 20
    assert all(len(one) * 6 >= 128 for one in ids)


def test_a_visitor_who_only_looks_costs_no_row(app: Flask, client: Browser) -> None:
    for path in ("/", "/sign-up", "/log-in", "/account", "/games/nothere12345", "/nowhere"):
        client.get(path)
    client.send("/log-out")
    client.log_in("nobody-here", "wrong password")
    assert not rows_of(app, "session")
    assert not rows_of(app, "user")


def test_logging_in_gives_a_new_id_and_the_old_one_opens_nothing(client: Browser, browser_of: BrowserOf) -> None:
    browser_of().sign_up()
    address = client.start(cell=0)
    as_guest, thief = cookie_of(client), copy_of(client, browser_of())
    assert thief.get(address).status_code == 200
    client.log_in()
    assert cookie_of(client) != as_guest
    assert is_logged_in(client)
    assert not is_logged_in(thief)
    assert thief.get(address).status_code == 404


def test_log_in_pressed_twice_at_once_begins_one_session_whichever_answer_the_browser_keeps(
    app: Flask, browser_of: BrowserOf, set_clock: SetClock
) -> None:
    make_user(app)
    presses = [browser_of(), browser_of()]
    fields = {"csrf_token": presses[0].csrf_token(), "name": "player7", "password": PASSWORD}
    copy_of(presses[0], presses[1])
    answers = all_at_once([partial(press.post, "/log-in", data=fields) for press in presses])
    assert [answer.status_code for answer in answers] == [303, 303]
    assert [is_logged_in(press) for press in presses] == [True, True]
    assert len(rows_of(app, "session")) == 1


def test_the_same_id_is_given_to_nobody_else_and_not_for_long(
    app: Flask, client: Browser, browser_of: BrowserOf, set_clock: SetClock
) -> None:
    make_user(app), make_user(app, "player8")
    client.get("/log-in")
    ids = set()
    for name, hours in (("player7", 0), ("player8", 0), ("player7", 1)):
        set_clock.pass_time(hours=hours)
        browser = copy_of(client, browser_of())
        browser.log_in(name)
        ids.add(cookie_of(browser))
    assert len(ids) == 3


def test_a_browser_set_back_to_an_earlier_cookie_brings_no_ended_session_back(
    app: Flask, client: Browser, browser_of: BrowserOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on the computers of a school, which begin each day, or each hour, as they were set up."""
    make_user(app)
    client.get("/log-in")
    at_first, thief = copy_of(client, browser_of()), browser_of()
    client.log_in()
    copy_of(client, thief)
    client.send("/log-out")
    monkeypatch.setattr("itsdangerous.TimestampSigner.get_timestamp", lambda _: int(time.time()) + 60)
    at_first.log_in()
    assert is_logged_in(at_first)
    assert not is_logged_in(thief)


def test_the_number_of_a_session_that_ended_is_given_to_no_other(app: Flask, browser_of: BrowserOf) -> None:
    """A stream that is open knows its session by it: one that the new password ended would go on."""
    for name in ("player7", "player8"):
        make_user(app, name)
    numbers = []
    for name in ("player7", "player8", "player7"):
        (browser := browser_of()).log_in(name)
        numbers += [row["id"] for row in rows_of(app, "session")]
        browser.send("/log-out")
        with app.app_context(), db.engine.begin() as connection:
            connection.execute(delete(UserSession))
    assert len(set(numbers)) == 3


def test_an_id_planted_before_log_in_is_not_logged_in_after_it(client: Browser, browser_of: BrowserOf) -> None:
    planted = "A" * 43
    browser_of().sign_up()
    client.set_cookie("noughts", planted)
    client.log_in()
    thief = browser_of()
    thief.set_cookie("noughts", planted)
    assert is_logged_in(client)
    assert not is_logged_in(thief)


def test_no_session_begins_for_an_account_that_was_deleted_while_it_logged_in(app: Flask) -> None:
    """One that only the school opens has no password before, and none after."""
    user_id = make_user(app, "ann")
    with app.test_request_context("/log-in", method="POST"):
        with writing() as connection:
            connection.execute(update(User).where(User.id == user_id).values(password_hash=None, deleted_at=now()))
        with pytest.raises(PasswordChanged):
            begin_session(user_id)


def test_a_cookie_of_flask_login_neither_opens_an_account_nor_closes_one(client: Browser) -> None:
    client.sign_up("ann")
    client.set_cookie("remember_token", "1|made-up")
    assert client.get("/account").status_code == 200
    other = client.application.test_client()
    other.set_cookie("remember_token", "1|made-up")
    assert other.get("/account").status_code == 303


def test_a_made_up_cookie_is_replaced(client: Browser) -> None:
    for made_up in ("", "x", "A" * 42, "A" * 44, "A" * 42 + "\u00e9", "' OR 1=1 --", "0" * 4000):
        client.set_cookie("noughts", made_up)
        assert client.get("/").status_code == 200
        assert len(cookie_of(client)) == 43, made_up
        assert cookie_of(client) != made_up


def test_a_guest_gets_a_new_id_with_the_first_move(client: Browser) -> None:
    client.get("/")
    before = cookie_of(client)
    client.start(cell=0)
    assert cookie_of(client) != before


# The end

def test_logging_out_ends_the_session_on_the_server(client: Browser, browser_of: BrowserOf) -> None:
    client.sign_up()
    thief = copy_of(client, browser_of())
    assert is_logged_in(thief)
    client.send("/log-out")
    assert not is_logged_in(client)
    assert not is_logged_in(thief)


def test_a_new_password_ends_all_other_sessions_and_changes_the_id_of_this_one(
    client: Browser, browser_of: BrowserOf
) -> None:
    client.sign_up()
    other, thief = browser_of(), copy_of(client, browser_of())
    other.log_in()
    client.send("/account/password", current_password="correct horse", new_password="battery staple")
    assert is_logged_in(client)
    assert not is_logged_in(other)
    assert not is_logged_in(thief)


ENDED = "You were logged out"


def test_whose_session_was_ended_elsewhere_is_told_so_on_every_page_until_they_log_in(
    app: Flask, client: Browser, browser_of: BrowserOf
) -> None:
    client.sign_up()
    other = browser_of()
    other.log_in()
    assert ENDED not in other.get("/lobby").text
    client.send("/account/password", current_password=PASSWORD, new_password="battery staple")
    lobby = other.get("/lobby")
    assert f'{ENDED}. <a href="/log-in?next=lobby.lobby">' in lobby.text
    assert lobby.headers["Logged-Out"] == other.get("/lobby/piece").headers["Logged-Out"] == "yes"
    assert ENDED in other.get("/nowhere").text
    page = other.get("/log-in?next=lobby.lobby").text
    assert page.count(ENDED) == 1 and "because your password was changed or this browser’s session was ended" in page
    other.log_in("player7", "wrong password")
    assert ENDED in other.get("/log-in").text
    other.log_in("player7", "battery staple")
    answer = other.get("/lobby")
    assert ENDED not in answer.text and "Logged-Out" not in answer.headers
    assert ENDED not in client.get("/lobby").text


@pytest.mark.parametrize("begin", ["/games", "/practice?kind=move&position=XOXXO....&to_move=O"])
def test_whose_session_was_ended_elsewhere_is_told_that_they_play_on_as_a_guest(
    client: Browser, browser_of: BrowserOf, begin: str
) -> None:
    client.sign_up()
    other = browser_of()
    other.log_in()
    other.get("/")
    client.send("/account/sessions/end-others")
    page = other.get(other.send(begin, opponent="computer", cell=6, tries=0).location)
    assert f"{ENDED}, so you go on as a guest." in page.text
    assert ENDED not in other.get("/").text
    other.log_in()
    assert "As a guest you have" in other.get("/").text


def test_who_was_never_logged_in_or_has_logged_out_is_told_of_no_session(client: Browser) -> None:
    for press in (lambda: None, lambda: client.start(cell=0), client.sign_up, lambda: client.send("/log-out")):
        press()
        client.get("/")
        for path in ("/", "/log-in", "/lobby"):
            answer = client.get(path)
            assert ENDED not in answer.text and "Logged-Out" not in answer.headers, path


def test_log_out_pressed_twice_ends_in_one_sentence_that_says_so(client: Browser, browser_of: BrowserOf) -> None:
    client.sign_up()
    twin, fields = copy_of(client, browser_of()), {"csrf_token": client.csrf_token()}
    for browser in (client, twin):
        assert browser.post("/log-out", data=fields).location == "/"
    page = twin.get("/").text
    assert page.count("You are logged out.") == 1 and ENDED not in page


def test_a_made_up_session_that_logs_out_leaves_no_row(app: Flask, browser_of: BrowserOf) -> None:
    visitor = browser_of()
    visitor.set_cookie("noughts", OF_ACCOUNT + "a" * 43)
    assert ENDED in visitor.get("/lobby").text
    assert visitor.send("/log-out", page="/log-in").location == "/"
    assert ENDED not in visitor.get("/lobby").text and rows_of(app, "session") == []


def test_what_two_presses_of_a_button_tell_is_told_once(client: Browser) -> None:
    client.sign_up()
    client.get("/")
    for _ in range(2):
        client.send("/account/sessions/end-others")
    assert client.get("/account").text.count("Logged out everywhere else: 0 browsers.") == 1


def test_the_account_page_lists_the_sessions_and_says_which_is_this_one(
    client: Browser, browser_of: BrowserOf, set_clock: SetClock
) -> None:
    client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36"
    client.sign_up()
    set_clock.pass_time(minutes=2)
    phone = browser_of()
    phone.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
    phone.log_in()
    page = " ".join(phone.get("/account").text.split())
    this, other = page.index("Firefox on Android"), page.index("Chromium on Linux")
    assert this < page.index("this one") < other
    assert "2 minutes ago" in page[other:]


def end_button(browser: Browser) -> str:
    """Where the first button that ends another session leads."""
    page = browser.get("/account").text
    start = page.index("/account/sessions/")
    return page[start : page.index('"', start)]


def test_one_session_can_be_ended_from_another_browser(client: Browser, browser_of: BrowserOf) -> None:
    client.sign_up()
    second, third = browser_of(), browser_of()
    second.log_in()
    third.log_in()
    client.send("/log-out")
    assert second.send(end_button(second)).status_code == 303
    assert is_logged_in(second)
    assert not is_logged_in(third)


def test_all_other_sessions_can_be_ended_at_once(client: Browser, browser_of: BrowserOf) -> None:
    client.sign_up()
    others = [browser_of(), browser_of()]
    for other in others:
        other.log_in()
    client.send("/account/sessions/end-others")
    assert "2 browsers" in client.get("/account").text
    assert is_logged_in(client)
    assert not any(map(is_logged_in, others))


def test_a_session_is_ended_by_one_press_alone(client: Browser, browser_of: BrowserOf) -> None:
    """A second one would ask for what is not there any more."""
    client.sign_up()
    browser_of().log_in("player7")
    ends = re.findall(r'<form [^>]*action="/account/sessions/[^>]*>', client.get("/account").text)
    assert len(ends) == 2 and all("data-once" in form for form in ends), ends


def test_somebody_elses_session_is_not_there_and_lives_on(app: Flask, client: Browser, browser_of: BrowserOf) -> None:
    client.sign_up()
    stranger = browser_of()
    stranger.sign_up("stranger")
    mine = next(row["id"] for row in rows_of(app, "session") if row["token_hash"] == hash_of(cookie_of(client)))
    assert stranger.send(f"/account/sessions/{mine}/end").status_code == 404
    assert is_logged_in(client)
    stranger.send("/account/sessions/end-others")
    assert is_logged_in(client)


def test_a_session_that_never_was_is_not_there(client: Browser) -> None:
    client.sign_up()
    for number in (0, 999999, 2**63, 2**70, 10**400):
        assert client.send(f"/account/sessions/{number}/end").status_code == 404, number


def test_ending_this_session_by_its_number_is_logging_out(app: Flask, client: Browser) -> None:
    client.sign_up()
    (row,) = rows_of(app, "session")
    assert client.send(f"/account/sessions/{row['id']}/end").location == "/"
    assert not is_logged_in(client)


def test_a_session_ended_while_a_request_runs_is_not_brought_back(make_app: MakeApp) -> None:
    app = make_app()
    owner, thief = app.test_client(), app.test_client()

    @app.get("/slow")
    def slow() -> str:
        assert meanwhile(lambda: owner.send("/account/sessions/end-others")).status_code == 303
        flash("This wants to be saved with the session.")
        return "done"

    owner.sign_up()
    thief.log_in()
    assert is_logged_in(thief)
    ended = cookie_of(thief)
    assert thief.get("/slow").text == "done"
    assert not is_logged_in(thief)
    again = app.test_client()
    again.set_cookie("noughts", ended)
    assert not is_logged_in(again)
    assert hash_of(ended) not in [row["token_hash"] for row in rows_of(app, "session")]


def test_a_slow_page_does_not_log_out_a_browser_that_has_just_logged_in(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app()
    slow_tab, quick_tab = app.test_client(), app.test_client()

    @app.get("/slow")
    def slow() -> str:
        assert meanwhile(quick_tab.log_in).status_code == 303
        return "done"

    make_user(app)
    slow_tab.start(cell=0)
    copy_of(slow_tab, quick_tab)
    set_clock.pass_time(minutes=5)
    assert "Set-Cookie" not in slow_tab.get("/slow").headers
    copy_of(quick_tab, slow_tab)
    assert is_logged_in(slow_tab)


def test_what_two_requests_at_once_store_in_a_session_is_all_there(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app()
    slow_tab, quick_tab = app.test_client(), app.test_client()

    @app.get("/told/<first>/<second>")
    def told(first: str, second: str) -> str:
        """What a page would show, and what the next one is to show: of this request, and of one meanwhile."""
        shown = " ".join(get_flashed_messages())
        if second != "none":
            assert meanwhile(lambda: quick_tab.get(f"/told/{second}/none")).status_code == 200
        if first != "none":
            flash(first)
            session[f"key {first}"] = first
        return shown

    def both(first: str, second: str) -> str:
        slow_tab.get(f"/told/{first}/{second}")
        return slow_tab.get("/told/none/none").text

    slow_tab.sign_up()
    slow_tab.get("/")
    copy_of(slow_tab, quick_tab)
    assert both("mine", "theirs") == "theirs mine"
    assert both("same", "same") == "same", "as two presses of one button"
    set_clock.pass_time(minutes=5)
    assert both("none", "seen") == "seen", "noting that the browser was seen takes nothing away"
    slow_tab.get("/told/before/none")
    assert both("mine", "theirs") == "theirs mine", "what was shown is gone"
    [row] = rows_of(app, "session")
    assert json.loads(row["data"]) == {f"key {word}": word for word in ("mine", "theirs", "same", "seen", "before")}


def test_what_nobody_reads_does_not_pile_up(app: Flask, client: Browser) -> None:
    client.sign_up()
    token = client.csrf_token("/account")
    for number in range(20):
        client.post("/games", data={"csrf_token": token, "opponent": f"nobody-{number}"})
    [row] = rows_of(app, "session")
    assert len(row["data"]) < 1500
    page = client.get("/account").text
    assert "nobody-19" in page and "nobody-17" in page, "the newest are kept"
    assert "nobody-10" not in page


def test_a_browser_may_call_itself_what_it_likes(app: Flask, client: Browser) -> None:
    client.environ_base["HTTP_USER_AGENT"] = "\0\u00e9" + "x" * 5000
    assert client.sign_up().status_code == 303
    assert rows_of(app, "session")[0]["user_agent"].startswith("\u00e9xx")


@postgres_only
def test_a_page_and_a_new_password_do_not_wait_for_each_other(
    app: Flask, client: Browser, set_clock: SetClock
) -> None:
    """Both lock the user first and sessions then; crosswise PostgreSQL would give one of them up."""
    client.sign_up()
    client.get("/")
    set_clock.pass_time(minutes=5)
    waits = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    with app.app_context(), db.engine.begin() as change, ThreadPoolExecutor(1) as threads:
        change.execute(select(User.id).with_for_update())
        change.execute(text("SET LOCAL lock_timeout = 200"))
        page = threads.submit(client.get, "/account")  # and that the browser was seen is written down
        while not change.scalar(waits):
            time.sleep(0.01)
        try:
            change.execute(delete(UserSession))
        finally:
            change.rollback()
        assert page.result().status_code == 200


def test_the_browsers_used_longest_ago_make_room_for_new_ones(
    app: Flask, client: Browser, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are listed on the account page, and whoever logs in again and again fills no table."""
    monkeypatch.setattr(models, "BROWSERS_KEPT", 3)
    client.sign_up()
    others = [app.test_client() for _ in range(4)]
    for other in others:
        set_clock.pass_time(minutes=2)
        other.log_in()
        client.get("/account")
    assert [is_logged_in(browser) for browser in (client, *others)] == [True, False, False, True, True]
    assert len(rows_of(app, "session")) == len(rows_of(app, "known_browser")) == 3


# The age

def test_a_session_dies_when_it_is_not_used_for_two_weeks(client: Browser, set_clock: SetClock) -> None:
    client.sign_up()
    client.get("/")
    set_clock.pass_time(days=13, hours=23)
    assert is_logged_in(client)
    set_clock.pass_time(days=14, seconds=1)
    assert not is_logged_in(client)


def test_what_a_visitor_is_told_does_not_bring_back_the_session_that_died(
    make_app: MakeApp, set_clock: SetClock
) -> None:
    """The row is still there until the purge, and the browser still has its id."""
    app = make_app()

    @app.get("/told")
    def told() -> str:
        flash("Something was told.")
        return ""

    client = app.test_client()
    client.sign_up()
    set_clock.pass_time(days=400)
    client.get("/told")
    assert not is_logged_in(client)
    assert "Something was told." in client.get("/").text
    assert [row["user_id"] for row in rows_of(app, "session")] == [None]


def test_a_session_dies_after_ninety_days_however_much_it_is_used(client: Browser, set_clock: SetClock) -> None:
    client.sign_up()
    for _ in range(8):
        set_clock.pass_time(days=11)
        assert is_logged_in(client)
    set_clock.pass_time(days=2, seconds=1)
    assert not is_logged_in(client)


def test_a_page_that_only_asks_for_news_does_not_keep_the_session_alive(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app()
    polls = Blueprint("polls", __name__)
    for name in ("state", "piece", "events"):
        polls.add_url_rule(f"/polls/{name}", name, lambda: "no news")
    app.register_blueprint(polls)
    client = app.test_client()
    client.sign_up()
    client.get("/")
    before = all_rows(app)
    set_clock.pass_time(days=13)
    for name in ("state", "piece", "events"):
        client.get(f"/polls/{name}")
    assert all_rows(app) == before
    set_clock.pass_time(days=1, seconds=1)
    assert not is_logged_in(client)


def test_being_seen_is_written_down_at_most_once_a_minute(app: Flask, client: Browser, set_clock: SetClock) -> None:
    client.sign_up()
    client.get("/")
    before = all_rows(app)
    set_clock.pass_time(seconds=59)
    client.get("/")
    assert all_rows(app) == before
    set_clock.pass_time(seconds=2)
    client.get("/")
    for table in ("session", "user"):
        assert rows_of(app, table)[0]["last_seen_at"] == set_clock.moment


def test_the_cookie_lives_as_long_as_the_session(client: Browser, set_clock: SetClock) -> None:
    client.sign_up()
    client.get("/")
    set_clock.pass_time(days=1)
    assert "Max-Age=1209600" in client.get("/").headers["Set-Cookie"]


def test_the_purge_takes_dead_sessions_and_no_live_one(
    app: Flask, client: Browser, browser_of: BrowserOf, set_clock: SetClock
) -> None:
    browser_of().sign_up("gone-away")
    set_clock.pass_time(days=1)
    client.sign_up()
    set_clock.pass_time(days=13)
    with app.app_context():
        assert purge_sessions() == 1
        assert purge_sessions() == 0
    assert is_logged_in(client)


def test_the_purge_takes_a_session_that_is_used_but_too_old(app: Flask, client: Browser, set_clock: SetClock) -> None:
    client.sign_up()
    for _ in range(9):
        set_clock.pass_time(days=10)
        client.get("/")
    with app.app_context():
        assert purge_sessions() == 1


# The cookie

def cookies_set(app: Flask, scheme: str) -> dict[str, str]:
    """Every cookie that signing up sets, by name."""
    client, url = app.test_client(), f"{scheme}://localhost"
    page = client.get("/sign-up", base_url=url)
    token = page.text.split('name="csrf_token" value="')[1].split('"')[0]
    fields = {"csrf_token": token, "name": "player7", "password": "correct horse"}
    answer = client.post("/sign-up", data=fields, base_url=url, headers={"Referer": f"{url}/sign-up"})
    assert answer.status_code == 303, answer.text
    lines = page.headers.getlist("Set-Cookie") + answer.headers.getlist("Set-Cookie")
    return {line.split("=")[0]: line for line in lines}


def test_cookies_on_a_plain_network_are_not_for_scripts_and_not_for_other_sites(app: Flask) -> None:
    cookies = cookies_set(app, "http")
    assert set(cookies) == {"noughts", "noughts_browser"}
    for line in cookies.values():
        parts = line.split("; ")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(parts)
        assert "Secure" not in parts, "on http a browser would drop it silently"
        assert "Domain" not in line


def test_cookies_with_https_are_secure_and_bound_to_the_host(make_app: MakeApp) -> None:
    cookies = cookies_set(make_app(NOUGHTS_HTTPS=True), "https")
    assert set(cookies) == {"__Host-noughts", "__Host-noughts_browser"}
    for line in cookies.values():
        assert {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"} <= set(line.split("; "))
        assert "Domain" not in line


def test_files_and_health_set_no_cookie(client: Browser) -> None:
    for path in ("/static/favicon.svg", "/static/nothing", "/healthz", "/readyz"):
        with client.get(path) as answer:
            assert "Set-Cookie" not in answer.headers


def test_pages_are_not_mixed_up_by_a_cache(client: Browser) -> None:
    assert "Cookie" in client.get("/").headers["Vary"]


def test_a_session_holds_on_all_workers(make_app: MakeApp) -> None:
    here, there = make_app().test_client(), make_app().test_client()
    here.sign_up()
    there.set_cookie("noughts", cookie_of(here))
    assert is_logged_in(there)
    there.send("/log-out")
    assert not is_logged_in(here)


def test_the_settings_decide_how_long_a_session_lives(make_app: MakeApp, set_clock: SetClock) -> None:
    client = make_app(NOUGHTS_SESSION_IDLE_DAYS=1).test_client()
    client.sign_up()
    set_clock.moment += timedelta(days=1, seconds=1)
    assert not is_logged_in(client)
