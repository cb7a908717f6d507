"""Log-in by a header that a named proxy sets, and sites without passwords of their own."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from tests.classrooms.rooms import Room, cards_on
from tests.conftest import Browser, MakeApp, sqlite_only
from tests.factories import make_classroom, make_user
from webapp.accounts.changing_passwords import reset_password
from webapp.accounts.logging_in import WrongNameOrPassword
from webapp.accounts.models import User
from webapp.accounts.services import VerifiedAccount
from webapp.classrooms.set_up import new_set_up_token
from webapp.config import BadSetting, read_settings
from webapp.database import reading
from webapp.single_sign_on.identity import Identity, suggested_name
from webapp.single_sign_on.models import ExternalIdentity
from webapp.single_sign_on.services import join_to

PROXY = {"NOUGHTS_TRUSTED_HEADER": "X-Remote-User", "NOUGHTS_TRUSTED_HEADER_FROM": "127.0.0.1, 10.1.0.0/16"}


def from_school(app: Flask, person: str = "zoe@school.example", peer: str = "127.0.0.1") -> Browser:
    """A browser behind the school's proxy."""
    browser: Any = app.test_client()
    browser.environ_base |= {"REMOTE_ADDR": peer, "HTTP_X_REMOTE_USER": person}
    return browser  # type: ignore[no-any-return]


def rows(app: Flask, table: Any) -> int:
    with app.app_context(), reading() as connection:
        return int(connection.scalar(select(func.count()).select_from(table)) or 0)


def test_the_header_of_a_named_proxy_logs_in_and_nobody_elses(make_app: MakeApp) -> None:
    app = make_app(**PROXY)
    for peer, person in (("192.0.2.7", "zoe"), ("10.2.0.1", "zoe"), ("127.0.0.1", "")):
        answer = from_school(app, person, peer).get("/log-in/school")
        assert answer.status_code == 403, peer
        assert "only through your school" in answer.text
    zoe = from_school(app)
    assert zoe.get("/log-in/school?next=lobby.lobby").location == "/log-in/school/first"
    assert zoe.send("/log-in/school/first", name="zed").location == "/lobby"
    assert from_school(app, peer="::ffff:10.1.2.3").get("/log-in/school").location == "/"
    assert rows(app, ExternalIdentity) == 1


def test_a_forwarded_address_does_not_make_a_proxy_trusted(make_app: MakeApp) -> None:
    app = make_app(**PROXY, NOUGHTS_PROXIES=1)
    answer = from_school(app, peer="192.0.2.7").get("/log-in/school", headers={"X-Forwarded-For": "127.0.0.1"})
    assert answer.status_code == 403
    behind = from_school(app).get("/log-in/school", headers={"X-Forwarded-For": "192.0.2.7"})
    assert behind.location == "/log-in/school/first"


def test_pressed_twice_at_once_one_account_is_made_and_both_are_logged_in(make_app: MakeApp) -> None:
    app = make_app(**PROXY)
    two = [from_school(app), from_school(app)]
    for browser in two:
        browser.get("/log-in/school")
        browser.csrf_token("/log-in/school/first")
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda browser: browser.send("/log-in/school/first", name="zed"), two))
    assert [answer.location for answer in answers] == ["/", "/"]
    assert (rows(app, User), rows(app, ExternalIdentity)) == (1, 1)


def test_the_games_of_a_guest_come_along(make_app: MakeApp) -> None:
    app = make_app(**PROXY)
    zoe = from_school(app)
    address = zoe.start(cell=4)
    zoe.get("/log-in/school")
    assert "come with you" in zoe.get("/log-in/school/first").text
    assert zoe.send("/log-in/school/first", name="zed").status_code == 303
    assert zoe.get(address).status_code == 200
    assert rows(app, User) == 1


@sqlite_only
def test_deleting_an_account_without_a_password_wants_a_fresh_log_in(make_app: MakeApp, set_clock: Any) -> None:
    app = make_app(**PROXY)
    zoe = from_school(app)
    zoe.get("/log-in/school")
    zoe.send("/log-in/school/first", name="zed")
    set_clock.pass_time(minutes=11)
    refused = zoe.send("/account/delete")
    assert refused.status_code == 403
    assert "Log in again" in refused.text
    assert zoe.get("/log-in/school?again=1&next=privacy.delete_account").location == "/account/delete"
    assert zoe.send("/account/delete").location == "/"
    assert rows(app, ExternalIdentity) == 0


@sqlite_only
def test_a_log_in_code_joins_nothing(make_app: MakeApp) -> None:
    """Who sees a code on the wall would have the account for good."""
    app = make_app(**PROXY)
    room = Room(app)
    room.add("Alpha, Ann")
    [(name, code)] = cards_on(room.browser.send(f"{room.path}/log-in-codes").text)
    zoe = from_school(app)
    zoe.get("/log-in/school")
    for typed in (code, f"{code}  ", f" {code}\t", code.replace("-", ""), code.upper()):  # as the log-in form takes it
        refused = zoe.send("/log-in/school/join", name=name, password=typed)
        assert refused.status_code == 403 and "The name or the password is wrong" in refused.text, typed
    assert rows(app, ExternalIdentity) == 0
    assert app.test_client().log_in(name, code).status_code == 303  # type: ignore[attr-defined]


@sqlite_only
def test_who_joins_an_account_is_told_which_school_account_will_open_it(make_app: MakeApp) -> None:
    """The page may be somebody else's, who went away from a computer that many use."""
    zoe = from_school(make_app(**PROXY))
    zoe.get("/log-in/school")
    assert "You came from your school as <b>zoe</b>" in zoe.get("/log-in/school/join").text
    refused = zoe.send("/log-in/school/join", name="player7", password="wrong password")
    assert refused.status_code == 403 and "<b>zoe</b>" in refused.text


def test_a_one_time_password_ends_what_somebody_joined_with_the_old_one(make_app: MakeApp) -> None:
    app = make_app(**PROXY)
    make_user(app, "player7")
    thief = from_school(app, "thief")
    thief.get("/log-in/school")
    assert thief.send("/log-in/school/join", name="player7", password="correct horse").location == "/"
    with app.app_context():
        reset_password("player7")
    assert thief.get("/log-in/school").location == "/log-in/school/first"
    assert rows(app, ExternalIdentity) == 0


def test_an_account_shows_what_was_joined_and_takes_leave_of_it(make_app: MakeApp) -> None:
    app = make_app(**PROXY)
    make_user(app, "player7")
    owner: Any = app.test_client()
    owner.log_in("player7")
    assert "school account" not in owner.get("/account").text
    thief = from_school(app, "thief")
    thief.get("/log-in/school")
    thief.send("/log-in/school/join", name="player7", password="correct horse")
    assert "A school account opens this account too" in owner.get("/account").text
    assert owner.send("/log-in/school/part", page="/account").location == "/account"
    assert "school account" not in owner.get("/account").text
    assert thief.get("/history").location.startswith("/log-in")
    assert thief.get("/log-in/school").location == "/log-in/school/first"


@sqlite_only
def test_who_has_no_password_keeps_the_school_account(make_app: MakeApp) -> None:
    app = make_app(**PROXY)
    zoe = from_school(app)
    zoe.get("/log-in/school")
    zoe.send("/log-in/school/first", name="zed")
    assert "Use my password only" not in zoe.get("/account").text
    zoe.send("/log-in/school/part", page="/account")
    assert rows(app, ExternalIdentity) == 1
    visitor: Any = app.test_client()
    assert visitor.send("/log-in/school/part").location.startswith("/log-in")


def test_who_joins_by_a_one_time_password_chooses_another(make_app: MakeApp) -> None:
    """So a card opens an account once, and whose card it is finds out that somebody else has used it."""
    for passwords, goes_on in ((True, "/account"), (False, None)):
        app = make_app(**PROXY, NOUGHTS_PASSWORDS=passwords)
        with app.app_context():
            make_user(app, name := "player7" if passwords else "player8", must_change=True)
        zoe = from_school(app, name)
        for way in ("first time", "later"):
            zoe.get("/log-in/school")
            if way == "first time":
                zoe.send("/log-in/school/join", page="/", name=name, password="correct horse")
            assert zoe.get("/history").location == goes_on, (passwords, way)
            zoe.send("/log-out", page="/account")


def test_a_password_that_was_changed_meanwhile_joins_nothing(make_app: MakeApp) -> None:
    app = make_app(**PROXY)
    user_id = make_user(app, "player7")
    with app.app_context(), pytest.raises(WrongNameOrPassword):
        join_to(Identity("trusted header", "thief"), VerifiedAccount(user_id, "the hash from before"))
    assert rows(app, ExternalIdentity) == 0


@sqlite_only
def test_with_passwords_off_the_school_is_the_only_way_in(make_app: MakeApp) -> None:
    app = make_app(**PROXY, NOUGHTS_PASSWORDS=False)
    make_user(app, "player7")
    room = make_classroom(app, "teacher7")
    browser: Any = app.test_client()
    page = browser.get("/log-in").text
    assert 'type="password"' not in page
    assert "Log in with your school account" in page
    assert browser.get("/sign-up").location == "/log-in"
    assert "Are you in a classroom already?" in browser.get("/join").text  # nobody has a card
    for path in ("/sign-up", "/log-in"):
        name = "player8" if path == "/sign-up" else "player7"
        answer = browser.send(path, page="/", name=name, password="correct horse")
        assert answer.status_code in (303, 403), path
    assert browser.get("/history").status_code == 303
    assert rows(app, User) == 2
    teacher = from_school(app, "teacher")
    teacher.get("/log-in/school")
    joined = teacher.send("/log-in/school/join", page="/", name="teacher7", password="correct horse")
    assert joined.location == "/"
    assert "you make no accounts for them" in teacher.get(f"/classrooms/{room}/roster").text
    for path in ("roster", "students/passwords", "log-in-codes"):
        assert teacher.send(f"/classrooms/{room}/{path}", names="Zoë").status_code == 403, path
    assert "This site has no password of yours" in teacher.get("/account").text


@sqlite_only
def test_with_passwords_off_a_set_up_link_is_for_who_is_logged_in(make_app: MakeApp) -> None:
    app = make_app(**PROXY, NOUGHTS_PASSWORDS=False)
    with app.app_context():
        token = new_set_up_token()
    zoe = from_school(app)
    assert "then open this link again" in zoe.get(f"/set-up/{token}").text
    assert zoe.send(f"/set-up/{token}", page="/", name="teacher7", password="correct horse").status_code == 403
    zoe.get("/log-in/school")
    zoe.send("/log-in/school/first", page="/", name="zed")
    assert zoe.send(f"/set-up/{token}").location == "/classrooms"


@sqlite_only
def test_ids_that_cannot_be_kept_are_refused(make_app: MakeApp) -> None:
    app = make_app(**PROXY)
    for person in ("x" * 256, "zo\u00ad", "\x7f"):
        assert from_school(app, person.encode().decode("latin-1")).get("/log-in/school").status_code == 403, person


@sqlite_only
def test_without_settings_there_is_no_such_page(client: Browser) -> None:
    for path in ("", "/back", "/first", "/join"):
        assert client.get(f"/log-in/school{path}").status_code == 404, path


def test_a_name_is_suggested_only_if_it_can_be_had() -> None:
    wishes = {"zoe@school.example": "zoe", "Zoë Åberg": "Zo-berg", "é": "", "admin": "", "": "", "a" * 40: "a" * 20}
    assert {wish: suggested_name(wish) for wish in wishes} == wishes


@pytest.mark.parametrize(
    "given",
    [
        {"NOUGHTS_OIDC_ISSUER": "http://login.school.example"},
        {"NOUGHTS_OIDC_ISSUER": "https://login.school.example"},
        {"NOUGHTS_TRUSTED_HEADER": "X-Remote-User"},
        {"NOUGHTS_TRUSTED_HEADER": "X Remote", "NOUGHTS_TRUSTED_HEADER_FROM": "10.0.0.1"},
        {**PROXY, "NOUGHTS_TRUSTED_HEADER_FROM": "everybody"},
        {**PROXY, "NOUGHTS_OIDC_ISSUER": "https://login.school.example", "NOUGHTS_OIDC_CLIENT_ID": "noughts"},
        {"NOUGHTS_PASSWORDS": "off"},
    ],
)
def test_settings_that_do_not_go_together_are_refused_with_a_sentence(given: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match="NOUGHTS_"):
        read_settings(given)
