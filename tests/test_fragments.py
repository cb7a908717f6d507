"""Parts of pages that are drawn once: what they depend on, and what tells them apart."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import Flask, render_template_string
from jinja2 import meta, nodes

from tests.conftest import sqlite_only
from tests.test_templates import TEMPLATES
from webapp.clock import now
from webapp.games.players import PlayerKind, SeatView
from webapp.tictactoe import Mark

KNOWN_EVERYWHERE = {"url_for", "asset", "drawn"}  # the same for everybody, but for where the site begins
DRAWN = re.compile(r'drawn\("([^"]+)", "([^"]+)"')


@sqlite_only
def test_what_is_remembered_sees_nothing_but_its_arguments(app: Flask) -> None:
    used = {found for source in TEMPLATES.values() for found in DRAWN.findall(source)}
    assert len(used) > 8
    for template, macro in used:
        tree = app.jinja_env.parse(TEMPLATES[template])
        own = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}  # a namespace is told besides
        assert meta.find_undeclared_variables(tree) - own <= KNOWN_EVERYWHERE, (template, macro)


@sqlite_only
def test_nobody_fills_the_memory_with_addresses_of_their_own(app: Flask) -> None:
    pages = [app.test_client().get("/games/" + letter * 3000).text for letter in "ab"]
    assert all("does not exist" in page and "next=" not in page for page in pages)


def drawn_in(app: Flask) -> Callable[..., str]:
    def drawn(*arguments: Any, root: str = "") -> str:
        with app.test_request_context("/", environ_overrides={"SCRIPT_NAME": root}):
            return render_template_string("{{ drawn(*arguments) }}", arguments=arguments)

    return drawn


@sqlite_only
def test_addresses_in_it_begin_where_the_site_does(app: Flask) -> None:
    drawn = drawn_in(app)
    for root in ("", "/noughts", ""):
        assert f'href="{root}/"' in drawn("macros/head.html", "brand", root=root)


@sqlite_only
def test_what_is_written_differently_is_drawn_apart(app: Flask) -> None:
    drawn = drawn_in(app)
    assert drawn("macros/player.html", "agent_of", 1) != drawn("macros/player.html", "agent_of", True)


@sqlite_only
def test_a_seat_does_not_depend_on_when_its_player_was_seen(app: Flask) -> None:
    one, other = (
        SeatView(Mark.X, "ada", PlayerKind.USER, False, name="ada", seen_at=now() - timedelta(hours=hours))
        for hours in (1, 2)
    )
    assert one == other
    assert "seen_at" not in TEMPLATES["macros/player.html"]
    assert "ada" in drawn_in(app)("macros/player.html", "seat", one)
