"""`/metrics`: who may read it, what it tells, and that it tells of all workers, crashed ones too."""

import http.client
import json
import os
import re
import signal
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families as families_in

from tests.conftest import Browser, MakeApp, sqlite_only
from tests.live_server import LiveBrowser, live_server, until, workers_of
from webapp.config import ROOT
from webapp.extensions import db
from webapp.measured import measured_by

TOKEN = "a-token-of-the-monitor"
HERE = "127.0.0.1"
NOT_ON_SQLITE = {"noughts_database_lock_waiters"}
Samples = dict[tuple[str, ...], float]


def samples(text: str) -> Samples:
    """By name and label values."""
    found = [sample for family in families_in(text) for sample in family.samples]
    return {(sample.name, *sample.labels.values()): sample.value for sample in found}


def total(found: Samples, name: str, *words: str) -> float:
    return sum(value for key, value in found.items() if key[0] == name and set(words) <= set(key))


@pytest.fixture
def measured_app(make_app: MakeApp) -> Flask:
    return make_app(NOUGHTS_METRICS=HERE, NOUGHTS_SIGN_UPS_PER_ADDRESS=2)


def browser_of(app: Flask) -> Browser:
    browser = app.test_client()
    assert isinstance(browser, Browser)
    return browser


# Who may read it


@sqlite_only
def test_without_the_setting_there_is_no_such_page(make_app: MakeApp) -> None:
    app = make_app()
    assert "metrics" not in app.view_functions
    assert app.test_client().get("/metrics").status_code == 404


@sqlite_only
def test_only_those_who_are_named_may_read_it(make_app: MakeApp) -> None:
    def status(setting: str, address: str = HERE, proxies: int = 0, **headers: str) -> int:
        site = make_app(NOUGHTS_METRICS=setting, NOUGHTS_PROXIES=proxies).test_client()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = site.get("/metrics", headers=named, environ_base={"REMOTE_ADDR": address})
        if answer.status_code == 404:
            assert answer.text.replace(answer.headers["X-Request-Id"], "") == nothing_there(site)
        return answer.status_code

    def nothing_there(site: Browser) -> str:
        answer = site.get("/no-such-page")
        return str(answer.text).replace(answer.headers["X-Request-Id"], "")

    assert status(HERE) == 200
    assert status(HERE, "127.0.0.2") == 404
    assert status("10.0.0.0/24, 192.168.1.5", "10.0.0.77") == 200
    assert status("10.0.0.0/24, 192.168.1.5", "::ffff:192.168.1.5") == 200
    assert status("2001:db8::/32", "2001:db8::1") == 200
    assert status("2001:db8::/32", "not an address") == 404
    assert status(TOKEN) == 404
    assert status(TOKEN, Authorization=f"Bearer {TOKEN}") == 200
    assert status(TOKEN, Authorization="Bearer another-token-entirely") == 404
    assert status(TOKEN, Authorization="Bearer é") == 404
    assert status(TOKEN, Authorization="Basic Og==") == 404
    assert status(HERE, Authorization=f"Bearer {HERE}", address="10.9.9.9") == 404
    assert status("10.0.0.5", X_Forwarded_For="10.0.0.5") == 404  # made up: no proxy is configured
    assert status("10.0.0.5", X_Forwarded_For="10.0.0.5", proxies=1) == 200
    for made_up in ('"', '"x, y', '\\"', '","'):  # to which a proxy on this machine adds the address
        assert status(HERE, X_Forwarded_For=f"{made_up}, 192.0.2.7", proxies=1) == 404, made_up


# What it tells


def test_it_counts_what_happens_and_names_nobody(measured_app: Flask) -> None:
    browser = browser_of(measured_app)
    browser.sign_up("player7")
    game = browser.start(level="perfect", cell=0)
    browser.send(f"{game}/moves", ply=2, cell=8)
    browser.get("/players/player7")
    browser.get("/no-such-page")
    browser.open("/lobby", method="SPEAK")
    for name in ("player8", "player9"):
        browser_of(measured_app).sign_up(name)
    measured_by(measured_app).waiting_agents(3)
    text = browser.get("/metrics").text
    found = samples(text)
    assert found["noughts_requests_total", "POST", "games.play_move", "303"] == 1
    assert found["noughts_request_seconds_count", "games.play_move"] == 1
    assert found["noughts_requests_total", "other", "none", "405"] == 1
    assert found["noughts_requests_total", "GET", "none", "404"] == 1
    assert found["noughts_moves_total",] == 4
    assert found["noughts_search_seconds_count", "perfect"] == 2
    assert found["noughts_limits_hit_total", "accounts.sign_up"] == 1
    assert found["noughts_write_lock_wait_seconds_count",] > 5
    assert found["noughts_live_pages",] == 0 and found["noughts_waiting_agents",] == 3
    assert found["noughts_last_good_backup_timestamp_seconds",] == 0
    assert found["noughts_database_up",] == 1
    is_postgres = "postgresql" in str(measured_app.config["SQLALCHEMY_DATABASE_URI"])
    assert found.get(("noughts_database_lock_waiters",)) == (0 if is_postgres else None)
    for secret in ("player7", "no-such-page", "SPEAK", game.rsplit("/", 1)[1]):
        assert secret not in text, secret
    routes = set(re.findall(r'route="([^"]*)"', text))
    assert routes <= measured_app.view_functions.keys() | {"none"}


@sqlite_only
def test_it_answers_without_the_database(measured_app: Flask, tmp_path: Path) -> None:
    with measured_app.app_context():
        db.engine.dispose()
    (tmp_path / "noughts.db").rename(tmp_path / "gone.db")
    found = samples(measured_app.test_client().get("/metrics").text)
    assert found["noughts_database_up",] == 0
    assert ("noughts_last_good_backup_timestamp_seconds",) not in found


@sqlite_only
def test_the_dashboard_shows_what_there_is(measured_app: Flask) -> None:
    text = measured_app.test_client().get("/metrics").text
    known = {family.name for family in families_in(text)} | NOT_ON_SQLITE
    known |= {f"{name}{ending}" for name in known for ending in ("_total", "_bucket", "_count", "_sum")}
    dashboard = json.loads((ROOT / "docs" / "deploy" / "grafana.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    used = {name for expression in asked for name in re.findall(r"noughts_\w+", expression)}
    assert used <= known
    shown = {re.sub("_(total|bucket|count|sum)$", "", name) for name in used}
    assert {family.name for family in families_in(text)} == shown - NOT_ON_SQLITE


# Across workers


@pytest.mark.slow
@sqlite_only
def test_every_worker_tells_of_all_and_a_crash_loses_no_count(database: str, tmp_path: Path) -> None:
    settings = {"NOUGHTS_METRICS": HERE, "NOUGHTS_LOG": "json"}
    with live_server(tmp_path, workers=2, **settings) as server:
        process, browser = server.process, LiveBrowser(server)
        assert process
        browser.sign_up("player7")
        visit(browser, 20)
        assert {shown(browser) for _ in range(8)} == {20}
        with closing(open_page(browser)):
            until(lambda: live_pages(browser) == 1, server.log)
        until(lambda: live_pages(browser) == 0, server.log)
        with closing(open_page(browser)):
            until(lambda: live_pages(browser) == 1, server.log)
            crashed = workers_of(process)
            for worker in crashed:
                os.kill(worker, signal.SIGKILL)
            until(lambda: len(workers_of(process) - crashed) == 2, server.log)
        until(lambda: live_pages(browser) == 0, server.log)
        visit(browser, 10)
        assert {shown(browser) for _ in range(8)} == {30}
        old = workers_of(process)
        os.kill(process.pid, signal.SIGHUP)
        until(lambda: not old & workers_of(process), server.log)
        visit(browser, 10)
        assert {shown(browser) for _ in range(8)} == {40}
        server.end(signal.SIGTERM)
    assert_is_json(server.log.read_text())


def visit(browser: LiveBrowser, times: int) -> None:
    for _ in range(times):
        assert browser.get("/players/player7").status == 200


def shown(browser: LiveBrowser) -> float:
    """Whichever worker tells it."""
    return total(samples(browser.get("/metrics").text), "noughts_requests_total", "history.player")


def live_pages(browser: LiveBrowser) -> float:
    return samples(browser.get("/metrics").text)["noughts_live_pages",]


def open_page(browser: LiveBrowser) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection(HERE, browser.port, timeout=30)
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    connection.request("GET", "/events", headers={"Cookie": cookies})
    assert connection.getresponse().status == 200
    return connection


def assert_is_json(log: str) -> None:
    """Each line of it, with what is wanted and without a name."""
    lines = [json.loads(line) for line in log.splitlines()]
    of_requests = [line for line in lines if line["logger"] == "noughts.requests"]
    assert {1, 2} <= {line["worker"] for line in of_requests}
    wanted = {"time", "level", "logger", "worker", "request", "method", "route", "status", "milliseconds"}
    assert all(line.keys() == wanted for line in of_requests)
    assert {line["route"] for line in of_requests} >= {"history.player", "accounts.sign_up", "live.events"}
    assert any("takes its place" in line.get("message", "") for line in lines)
    assert "player7" not in log
