"""Agents under the account: made, shown once, renewed, revoked; marked wherever they appear; gone with their owner."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.agents.programs import Program, make_program
from tests.conftest import Browser, SetClock, sqlite_only
from tests.factories import logged_in, member_of
from tests.meanwhile import all_at_once, meanwhile
from tests.tables import all_rows, rows_of
from webapp.accounts.tokens import hash_of
from webapp.agents import services
from webapp.agents.models import Accepts
from webapp.agents.queries import AgentRecord, agents_of
from webapp.agents.services import MOST_AGENTS, NewToken, make_agent, renew_token
from webapp.errors import Refusal
from webapp.operations.invariants import check
from webapp.privacy.services import delete_account


@pytest.fixture
def owner(app: Flask) -> Browser:
    return member_of(app, "owner7")


def token_on(page: str) -> str:
    """It stands alone in the one <code> of the page."""
    [token] = re.findall(r"<code>([^<]*)</code>", page)
    return str(token)


def test_an_agent_is_made_and_its_token_shown_once(app: Flask, owner: Browser) -> None:
    made = owner.send("/account/agents", name="Robot7", plays_with="alpha-beta")
    assert made.status_code == 200 and made.headers["Cache-Control"] == "no-store"
    token = token_on(made.text)
    assert re.fullmatch(r"[A-Za-z0-9_-]{40,}", token)
    listed = owner.get("/account/agents").text
    assert "Robot7" in listed and "alpha-beta" in listed and token not in listed
    program = Program(app, rows_of(app, "agent")[0]["user_id"], "Robot7", token)
    assert program.ask("GET", "/agent").json["plays_with"] == "alpha-beta"


@sqlite_only
def test_both_pages_tell_how_to_connect_on_windows_too_and_where_to_read_on(app: Flask, owner: Browser) -> None:
    made = owner.send("/account/agents", name="Robot7").text
    assert 'data-copy="token"' in made and "js/copy.js" in made
    for page in (made, owner.get("/account/agents").text):
        assert "python3 labs.pyz connect http://localhost tictactoe" in page and "<kbd>py</kbd>" in page
        assert 'href="/labs#connect"' in page
    description = owner.get("/api/v1/openapi.json").json["info"]["description"]
    assert "/agent/next" in description and "docs/" not in description, "students have no docs folder"


def test_pressed_twice_it_makes_one_agent_and_the_token_on_the_page_works(app: Flask, owner: Browser) -> None:
    pages = [owner.send("/account/agents", name="Robot7") for _ in range(2)]
    assert [page.status_code for page in pages] == [200, 200]
    assert [row["token_hash"] for row in rows_of(app, "agent")] == [hash_of(token_on(pages[1].text))]


def key_on(page: str) -> str:
    return re.findall(r'name="key" value="([^"]+)"', page)[-1]


def test_the_form_pressed_twice_shows_one_token_and_sent_again_later_changes_nothing(
    app: Flask, owner: Browser, set_clock: SetClock
) -> None:
    form = {"name": "Robot7", "key": key_on(owner.get("/account/agents").text)}
    pages = [owner.send("/account/agents", **form).text for _ in range(2)]
    assert token_on(pages[0]) == token_on(pages[1]), "whichever the browser shows"
    program = Program(app, rows_of(app, "agent")[0]["user_id"], "Robot7", token_on(pages[0]))
    set_clock.pass_time(seconds=11)
    again = owner.send("/account/agents", **form)
    assert again.status_code == 409 and "made already" in again.text and "New token" in again.text
    assert program.token not in again.text and program.ask("GET", "/agent").status_code == 200
    assert form["key"] not in repr(all_rows(app))


def test_of_presses_at_once_each_shows_the_token_that_works(app: Flask, owner: Browser) -> None:
    [row] = rows_of(app, "user")
    program = make_program(app)

    def press(make: Callable[..., NewToken], *fields: Any) -> str:
        with app.app_context():
            return make(row["id"], *fields).token

    made = all_at_once([lambda: press(make_agent, "Robot8", "", "AKeyOfAForm8")] * 6)
    with app.app_context():
        [after] = [agent.token_state for agent in agents_of(row["id"]) if agent.name == "robot7"]
    renewed = all_at_once([lambda: press(renew_token, program.agent_id, "AKeyOfAForm7", after)] * 6)
    assert len(set(made)) == len(set(renewed)) == 1
    for program.token in (made[0], renewed[0]):
        assert program.ask("GET", "/agent").status_code == 200


def test_a_new_token_pressed_twice_is_one_and_an_old_page_ends_no_newer_token(
    app: Flask, owner: Browser, set_clock: SetClock
) -> None:
    program = make_program(app)

    def form() -> dict[str, str]:
        listed = owner.get("/account/agents").text
        [(key, after)] = re.findall(
            r'name="key" value="([^"]+)"><input type="hidden" name="after" value="([^"]+)"', listed
        )
        return {"key": key, "after": after}

    path = f"/account/agents/{program.agent_id}"
    set_clock.pass_time(seconds=1)
    first = form()
    pages = [owner.send(f"{path}/token", **first).text for _ in range(2)]
    program.token = token_on(pages[0])
    assert program.token == token_on(pages[1]) and program.ask("GET", "/agent").status_code == 200
    set_clock.pass_time(seconds=11)
    again = owner.send(f"{path}/token", **first)
    assert again.status_code == 409 and "made already" in again.text
    program.token = token_on(owner.send(f"{path}/token", **form()).text)
    assert owner.send(f"{path}/token", **first).status_code == 409
    assert program.ask("GET", "/agent").status_code == 200, "of two pages the older one is reloaded"
    owner.send(f"{path}/revoke")
    assert owner.send(f"{path}/token", **first).status_code == 409
    assert program.ask("GET", "/agent").status_code == 401, "no form brings a revoked token back"


def test_a_new_token_ends_the_old_one_and_a_revoked_one_is_gone(app: Flask, owner: Browser) -> None:
    program = make_program(app)
    renewed = owner.send(f"/account/agents/{program.agent_id}/token")
    assert "stops until it has the new token" in owner.get("/account/agents").text, "asked once more"
    assert renewed.status_code == 200 and renewed.headers["Cache-Control"] == "no-store"
    assert program.ask("GET", "/agent").status_code == 401
    program.token = token_on(renewed.text)
    assert program.ask("GET", "/agent").status_code == 200
    listed = owner.get("/account/agents").text
    assert f'action="/account/agents/{program.agent_id}/revoke"' in listed
    assert listed.index("Yes, stop this token") > listed.index('id="stop-'), "asked once more, too"
    for _ in range(2):
        assert owner.send(f"/account/agents/{program.agent_id}/revoke").status_code == 303
        assert program.ask("GET", "/agent").status_code == 401
    challenge = member_of(app, "player7").send("/games", opponent="robot7")
    assert challenge.location.startswith("/lobby"), "nobody sits against a program that cannot answer"


@sqlite_only
def test_names_follow_the_rule_of_names_and_are_never_used_twice(app: Flask, owner: Browser) -> None:
    member_of(app, "taken7")
    for name, status in (("x", 400), ("perfect", 400), ("a b c", 400), ("TAKEN7", 409), ("", 400)):
        answer = owner.send("/account/agents", name=name)
        assert answer.status_code == status and "field-error" in answer.text, name
    assert owner.send("/account/agents", name="robot7", plays_with="x" * 81).status_code == 400
    assert rows_of(app, "agent") == []
    make_program(app)
    owner.send("/account/delete", password="correct horse")
    other = member_of(app, "player7")
    assert other.send("/account/agents", name="robot7").status_code == 409
    assert app.test_client().send("/sign-up", name="robot7", password="correct horse").status_code == 409


def test_nobody_has_more_than_five_however_many_are_made_at_once(app: Flask, owner: Browser) -> None:
    owner_id = rows_of(app, "user")[0]["id"]

    def make(number: int) -> bool:
        try:
            with app.app_context():
                make_agent(owner_id, f"robot-{number}")
        except Refusal:
            return False
        return True

    made = all_at_once([lambda number=number: make(number) for number in range(12)])
    assert sum(made) == MOST_AGENTS == len(rows_of(app, "agent"))
    assert "that is the most" in owner.get("/account/agents").text


@sqlite_only
def test_settings_are_read_strictly(app: Flask, owner: Browser) -> None:
    program = make_program(app)
    path = f"/account/agents/{program.agent_id}"
    assert "selected" in owner.get(path).text
    good = {"accepts": "classmates", "games_at_once": "3", "plays_with": "minimax"}
    assert owner.send(path, **good).status_code == 303
    for wrong in ({"accepts": "all"}, {"games_at_once": "0"}, {"games_at_once": "21"}, {"games_at_once": "1e1"}):
        assert owner.send(path, **(good | wrong)).status_code == 400, wrong
    row = rows_of(app, "agent")[0]
    assert (row["accepts"], row["games_at_once"], row["plays_with"]) == (Accepts.CLASSMATES, 3, "minimax")


def test_an_agent_is_marked_wherever_it_appears(app: Flask, owner: Browser) -> None:
    program = make_program(app)
    browser = member_of(app, "player7")
    program.next()
    lobby = browser.get("/lobby").text
    people, _, agents = lobby.partition('id="agents"')
    assert "robot7" not in people and "agent of owner7" in agents
    address = str(browser.send("/games", opponent="robot7", mark="X").location)
    for path in (address, "/lobby", "/players/robot7"):
        assert "agent of" in browser.get(path).text and "owner7" in browser.get(path).text, path
    browser.send(f"{address}/moves", cell=4, ply=0)
    program.play(0, nodes=77)
    page = browser.get(address).text
    assert "How robot7 chose its move" in page and "says of itself" in page
    program.ask("POST", f"/games/{address.rsplit('/')[-1]}/resign", {"cause": "the program crashed: <b>1/0</b>"})
    page = browser.get(address).text
    assert "the program crashed: &lt;b&gt;1/0&lt;/b&gt;" in page
    assert browser.get("/history").text.count("agent of owner7") == 2, "in the list and among the opponents"
    assert "as robot7 says" in browser.get(f"{address}/replay").text
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_it_is_exported_and_deleted_with_its_owner(app: Flask, owner: Browser) -> None:
    program = make_program(app)
    browser = member_of(app, "player7")
    address = str(browser.send("/games", opponent="robot7", mark="X").location)
    browser.send(f"{address}/moves", cell=4, ply=0)
    program.play(0)
    program.start("perfect")
    told = json.loads(owner.get("/account/export").text)
    assert told["agents"][0]["name"] == "robot7" and len(told["games_of_agents"]) == 2
    assert program.token not in repr(told)
    assert owner.send("/account/delete", password="correct horse").status_code == 303
    assert program.ask("GET", "/agent").status_code == 401
    assert "deleted player" in browser.get(address).text and browser.get("/players/robot7").status_code == 404
    assert browser.get(f"{address}/state").json["winner"] == "X"
    rows = all_rows(app)
    assert rows["agent"] == [] and len(rows["game"]) == 1, "its games against the computer are gone too"
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_an_agent_that_is_deleted_while_it_is_given_a_new_token_is_not_there(
    app: Flask, owner: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, found = make_program(app), services.agent_for

    def found_and_gone(owner_id: int, agent_id: int) -> AgentRecord:
        def delete() -> None:
            with app.app_context():
                delete_account(owner_id)

        record = found(owner_id, agent_id)
        meanwhile(delete)
        return record

    monkeypatch.setattr(services, "agent_for", found_and_gone)
    assert owner.send(f"/account/agents/{program.agent_id}/token").status_code == 404


@sqlite_only
def test_a_guest_is_asked_to_sign_up_and_another_s_agent_is_not_there(app: Flask, client: Browser) -> None:
    program = make_program(app)
    client.start(cell=0)
    assert client.get("/account/agents").location.startswith("/sign-up")
    other = member_of(app, "player7")
    for path in ("", "/token", "/revoke"):
        assert other.send(f"/account/agents/{program.agent_id}{path}").status_code == 404, path
    assert program.ask("GET", "/agent").status_code == 200


@sqlite_only
def test_a_host_gives_an_agent_no_password(app: Flask) -> None:
    from webapp.accounts.changing_passwords import reset_password

    make_program(app)
    with app.app_context(), pytest.raises(Refusal):
        reset_password("robot7")
    assert logged_in(app, "owner7").get("/account").status_code == 200
