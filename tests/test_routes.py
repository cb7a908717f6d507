"""Every route is either public by this list, or asks for a user; every post answers with a redirect."""

import pytest
from flask import Flask

from tests.conftest import sqlite_only
from webapp.extensions import csrf

PUBLIC = {
    "static", "pages.home", "pages.healthz", "pages.readyz",
    "accounts.sign_up", "accounts.log_in", "accounts.log_out",
    "games.start",  # makes a guest of whoever has no account
    "games.show", "games.piece", "games.state", "history.replay",  # the loader decides who may see a game
    "games.after_deed",  # leads there
    "analysis.game",  # likewise
    "lobby.lobby", "lobby.piece", "live.events",
    "labs.show", "labs.starter_file", "labs.checker", "labs.client", "trials.show", "trials.part",
    "analysis.show", "analysis.as_json", "analysis.as_csv", "analysis.as_svg",
    "analysis.tree", "analysis.tree_as_svg", "analysis.worksheet",  # of positions, not of games
    "analysis.run_searches",  # limited, and one at a time
    "practice.show", "practice.answer",  # makes a guest of whoever has no account
    "set_up.show", "joining.ask", "joining.join",  # for who has the link or the code; else they answer 404
    "single_sign_on.begin", "single_sign_on.back",  # 404 unless a setting lets a school log people in
    "single_sign_on.first", "single_sign_on.join",
    "single_sign_on.part",  # where there is such a setting it asks for a user: tests/single_sign_on
    "history.player",  # a name and a record
    "api.openapi",  # what programs may ask, not an answer to it
    "competitions.all", "competitions.of_game",  # those that are open to all; else the loader decides
}  # fmt: skip


@sqlite_only
def test_every_public_route_is_there(app: Flask) -> None:
    """Else the name stays public for whatever is called so next."""
    assert PUBLIC - {rule.endpoint for rule in app.url_map.iter_rules()} == set()


def test_every_other_route_sends_a_visitor_to_log_in(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        if rule.endpoint in PUBLIC:
            continue
        path = rule.rule
        for argument in rule.arguments:
            path = path.replace(f"<{argument}>", "abcdefghijkl").replace(f"<int:{argument}>", "1")
        app.config["WTF_CSRF_ENABLED"] = False
        method = "POST" if "POST" in rule.methods else "GET"
        answer = app.test_client().open(path, method=method)
        if path.startswith("/api/"):
            assert (answer.status_code, answer.mimetype) == (401, "application/json"), f"{rule.endpoint} needs no token"
            continue
        assert answer.status_code == 303 and "/log-in" in answer.location, f"{rule.endpoint} lets anybody in"


def test_only_routes_that_ask_for_a_token_are_exempt_from_the_csrf_check(app: Flask) -> None:
    blueprints = {blueprint.name for blueprint in csrf._exempt_blueprints}
    exempt = {rule.rule for rule in app.url_map.iter_rules() if rule.endpoint.split(".")[0] in blueprints}
    assert exempt and not csrf._exempt_views
    assert [path for path in exempt if not path.startswith("/api/")] == []


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_answers_without_a_cookie(app: Flask, path: str) -> None:
    answer = app.test_client().get(path)
    assert (answer.status_code, answer.text) == (200, "ok\n")
    assert "Set-Cookie" not in answer.headers
