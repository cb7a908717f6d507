"""Two app servers on one PostgreSQL behind nginx, with https and under a path: the configuration that docs/ gives.

One of them reaches the database through pgbouncer. All tests share them; what one has killed starts for the next.
"""

import http.client
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from typing import NamedTuple

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import select

from tests.agents.programs import make_program, wait_until
from tests.competitions.agent_contests import Contest
from tests.competitions.http_agents import HttpAgent, playing
from tests.competitions.recount import check_schedule, games_over, wait_until_played
from tests.conftest import MakeApp
from tests.journeys.app_servers import GUESTS, PREFIX, REQUESTS, AppServers, Client
from tests.journeys.playing import press
from tests.live_server import Answer, HeldStream
from tests.nginx import Site, running_nginx
from tests.pooler import through_pooler
from tests.postgres import PostgresServer
from tests.two_players import begin_game
from webapp.agents.models import Agent
from webapp.database import reading
from webapp.extensions import db

NUMBERS = count(1)


@pytest.fixture(scope="module")
def started_servers(
    postgres: tuple[PostgresServer, str], pooler: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AppServers]:
    server, template = postgres
    direct = server.url(server.create(template))
    folders = [tmp_path_factory.mktemp(word) for word in ("first", "second")]
    servers = AppServers(folders, [direct, through_pooler(direct)])
    try:
        with running_nginx(tmp_path_factory.mktemp("nginx"), PREFIX, *servers.sites):
            yield servers
    finally:
        for running in servers.running:
            running.close()
        server.drop(direct)


@pytest.fixture
def app_servers(started_servers: AppServers) -> AppServers:
    started_servers.start()
    return started_servers


@pytest.fixture(scope="module")
def own_app(started_servers: AppServers, build_app: MakeApp) -> Iterator[Flask]:
    """On the same database, to make agents without forms."""
    server = started_servers.running[0]
    app = build_app(server.instance, server.environment["DATABASE_URL"])
    yield app
    with app.app_context():
        db.engine.dispose()


def member(site: Site, word: str) -> Client:
    client = Client(site)
    assert client.sign_up(f"{word}{next(NUMBERS)}").status == 303
    return client


def test_the_site_is_there_by_https_under_its_path(app_servers: AppServers) -> None:
    client = Client(app_servers.both)
    client.headers["Accept-Encoding"] = "gzip"
    page = client.get("/")
    assert page.status == 200 and "Content-Encoding" not in page.headers, "a page that holds secrets is not compressed"
    addresses = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
    assert addresses and all(address.startswith(f"{PREFIX}/") for address in addresses)
    style = next(address for address in addresses if ".css" in address)
    assert client.get(style).headers["Content-Encoding"] == "gzip"
    (cookie,) = page.headers.get_all("Set-Cookie", [])
    assert re.match(r"__Host-noughts=\S+;.*Secure; HttpOnly; Path=/; SameSite=Lax", cookie), cookie
    assert page.headers["Strict-Transport-Security"] and page.headers["Content-Security-Policy"]
    too_large = client.request("POST", "/log-in", b"x" * 1_500_000)
    assert too_large.status == 413 and "Content-Security-Policy" in too_large.headers, "the site itself refuses it"
    plain = http.client.HTTPConnection("127.0.0.1", app_servers.both.http_port, timeout=30)
    plain.request("GET", f"{PREFIX}/lobby")
    assert plain.getresponse().getheader("Location") == f"https://127.0.0.1{PREFIX}/lobby"
    plain.close()


def test_a_session_and_its_forms_count_at_every_app_server(app_servers: AppServers) -> None:
    before = app_servers.answered()
    ann, bob = member(app_servers.both, "ann"), member(app_servers.both, "bob")
    address = begin_game(ann, bob, 0, 3, 1, 4, 2)
    assert "data-over" in ann.get(address).text
    assert bob.send("/log-out").status == 303
    assert [bob.get("/account").status for _ in range(4)] == [303] * 4
    assert all(after > 8 + was for was, after in zip(before, app_servers.answered(), strict=True))


def test_a_limit_is_exact_across_app_servers_and_counts_by_the_true_address(app_servers: AppServers) -> None:
    """Whoever makes up where they come from is counted with the others; who comes from elsewhere is not."""

    def begin_as_guest(number: int, address: str = "127.0.0.1") -> int:
        guest = Client(app_servers.both, address)
        guest.headers["X-Forwarded-For"] = f"192.0.2.{number}"
        return guest.send("/games", opponent="computer", cell=0).status

    before = app_servers.answered()
    with ThreadPoolExecutor(8) as threads:
        statuses = list(threads.map(begin_as_guest, range(GUESTS + 8)))
    assert Counter(statuses) == {303: GUESTS, 429: 8}
    assert all(after > GUESTS / 2 + was for was, after in zip(before, app_servers.answered(), strict=True))
    assert begin_as_guest(0, "127.0.0.2") == 303


def test_a_stream_tells_through_nginx_what_happens_at_another_app_server(app_servers: AppServers) -> None:
    ann, bob = member(app_servers.first, "ann"), member(app_servers.second, "bob")
    address = begin_game(ann, bob)
    game = f"game={address.rsplit('/')[-1]}"
    streams = [HeldStream(ann, game), HeldStream(bob, game)]
    assert [stream.next_event() for stream in streams] == ["event: hello"] * 2
    for ply, player in enumerate((ann, bob, ann)):
        assert player.send(f"{address}/moves", cell=ply, ply=ply).status == 303
        assert [stream.next_event() for stream in streams] == ["event: changed"] * 2
    for stream in streams:
        stream.close()


def as_agent(site: Site, token: str) -> Client:
    client = Client(site)
    client.headers |= {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return client


def test_the_limit_of_a_token_is_exact_across_app_servers(app_servers: AppServers, own_app: Flask) -> None:
    robot = make_program(own_app, "owner", "limited")

    def ask_often(_: int) -> list[Answer]:
        program = as_agent(app_servers.both, robot.token)
        return [program.get("/api/v1/agent") for _ in range(6)]

    before = app_servers.answered()
    with ThreadPoolExecutor(6) as threads:
        answers = [answer for some in threads.map(ask_often, range(6)) for answer in some]
    assert Counter(answer.status for answer in answers) == {200: REQUESTS, 429: 36 - REQUESTS}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in answers if answer.status == 429)
    assert all(after > REQUESTS / 3 + was for was, after in zip(before, app_servers.answered(), strict=True))


def test_an_agent_waits_through_nginx_for_what_happens_at_another_app_server(
    app_servers: AppServers, own_app: Flask
) -> None:
    name = f"owner{next(NUMBERS)}"
    owner = Client(app_servers.first)
    assert owner.sign_up(name).status == 303
    robot = make_program(own_app, name, "robot")
    here, there = as_agent(app_servers.second, robot.token), as_agent(app_servers.first, robot.token)

    with ThreadPoolExecutor(2) as threads:

        def begin_to_wait(program: Client) -> Future[Answer]:
            """Comes back when it does."""
            before = wait_number(own_app, robot.agent_id)
            asked = threads.submit(program.request, "POST", "/api/v1/agent/next", b'{"wait": 25}')
            wait_until(lambda: wait_number(own_app, robot.agent_id) > before)
            return asked

        waiting = begin_to_wait(here)
        address = owner.send("/games", opponent="robot", mark="X").location
        assert owner.send(f"{address}/moves", cell=4, ply=0).status == 303
        job = json.loads(waiting.result().body)["job"]
        assert (job["ply"], job["game"]) == (1, address.rsplit("/")[-1])
        assert owner.send(f"{address}/resign").status == 303
        older = begin_to_wait(there)
        newer = begin_to_wait(here)
        assert older.result().status == 409, "a newer copy of the program, at the other one, ends this wait"
        assert owner.send(f"/account/agents/{robot.agent_id}/revoke", page="/account/agents").status == 303
        assert newer.result().status == 401


def wait_number(app: Flask, agent_id: int) -> int:
    """How many times it has begun to wait."""
    with app.app_context(), reading() as connection:
        return connection.scalar(select(Agent.wait_number).where(Agent.user_id == agent_id)) or 0


class Person(NamedTuple):
    http: Client  # the same session without a window
    page: Page


@pytest.fixture
def person(browser: Browser) -> Iterator[Callable[[Site, str], Person]]:
    contexts: list[BrowserContext] = []

    def make(site: Site, word: str) -> Person:
        http, url = member(site, word), f"https://127.0.0.1:{site.port}"
        contexts.append(browser.new_context(base_url=url, ignore_https_errors=True, reduced_motion="reduce"))
        value = http.cookies["__Host-noughts"]
        contexts[-1].add_cookies([{"name": "__Host-noughts", "value": value, "url": url, "secure": True}])
        return Person(http, contexts[-1].new_page())

    yield make
    for context in contexts:
        context.close()


def until_told(person: Person, headline: str) -> None:
    """Without a press, and by the stream: a page that only asks says so."""
    expect(person.page.get_by_role("heading", name=headline)).to_be_visible()
    expect(person.page.locator("[data-news=told]")).to_be_attached()


def test_each_player_is_at_another_app_server(
    app_servers: AppServers, person: Callable[[Site, str], Person]
) -> None:
    ann, bob = person(app_servers.first, "ann"), person(app_servers.second, "bob")
    address = begin_game(ann.http, bob.http)
    for one in (bob, ann):
        one.page.goto(address)
    until_told(ann, "Your turn")
    expect(ann.page.locator(".dot-here")).to_be_attached()  # Bob, who is at the other one
    for player, cell in ((ann, "centre"), (bob, "top left"), (ann, "top centre"), (bob, "top right")):
        until_told(player, "Your turn")
        press(player.page, cell)
    until_told(ann, "Your turn")
    press(ann.page, "bottom centre")
    expect(bob.page.locator("[data-over]")).to_be_attached()


def test_a_game_goes_on_when_the_app_server_of_one_player_is_killed(
    app_servers: AppServers, person: Callable[[Site, str], Person]
) -> None:
    ann, bob = person(app_servers.first, "ann"), person(app_servers.second, "bob")
    address = begin_game(ann.http, bob.http)
    for one in (ann, bob):
        one.page.goto(address)
    until_told(ann, "Your turn")
    press(ann.page, "centre")
    app_servers.kill(0)
    try:
        until_told(bob, "Your turn")
        press(bob.page, "top left")
        until_told(ann, "Your turn")
        press(ann.page, "top right")
        until_told(bob, "Your turn")
    finally:
        app_servers.start()
    press(bob.page, "bottom left")
    until_told(ann, "Your turn")


def test_a_competition_goes_on_when_the_app_server_of_some_agents_is_killed(
    app_servers: AppServers, own_app: Flask
) -> None:
    contest = Contest(own_app)
    programs = contest.enter("agent1", "agent2", "agent3")
    contest.start()
    sites, planned = (*app_servers.spare, app_servers.both), 3 * 2 + 3 * 2 * 5
    agents = [HttpAgent(Client(site), program.token) for site, program in zip(sites, programs, strict=True)]
    before = app_servers.answered()
    with playing(agents):
        wait_until_played(own_app, planned // 4)
        app_servers.kill(1)
        assert games_over(own_app) < planned, "or nothing was under way"
        wait_until_played(own_app, planned)
    assert all(after > 10 + was for was, after in zip(before, app_servers.answered(), strict=True))
    check_schedule(own_app, contest, 3)
