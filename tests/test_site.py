"""Addresses and calls in templates, where our shorter ways must give what Flask and Jinja give."""

from typing import Any

import pytest
from flask import Flask, render_template_string, url_for
from jinja2 import pass_context, pass_environment, pass_eval_context
from werkzeug.routing import BuildError

from tests.conftest import Browser, sqlite_only
from webapp.site import _path

ADDRESSES: list[tuple[str, dict[str, Any]]] = [
    ("pages.home", {}),
    ("games.show", {"public_id": "abcdefghijkl"}),
    ("games.show", {"public_id": "a b/ü?"}),
    ("games.show", {"public_id": "abcdefghijkl", "best": 3}),
    ("games.show", {"public_id": "abcdefghijkl", "best": None}),
    ("games.show", {"public_id": "abcdefghijkl", "best": True}),
    ("games.show", {"public_id": "abcdefghijkl", "best": 1}),
    ("games.show", {"public_id": "abcdefghijkl", "best": 1.0}),
    ("games.show", {"public_id": "abcdefghijkl", "best": ["1", "2"]}),
    ("games.show", {"public_id": "abcdefghijkl", "_anchor": "advice"}),
    ("games.show", {"public_id": "abcdefghijkl", "_external": True}),
    ("history.show", {"opponent": "perfect", "result": "drawn & won"}),
    (".play_move", {"public_id": "abcdefghijkl"}),
]


@sqlite_only
def test_addresses_are_those_that_flask_builds(app: Flask) -> None:
    for prefix in ("", "/noughts"):
        with app.test_request_context("/games/abcdefghijkl", environ_overrides={"SCRIPT_NAME": prefix}):
            for endpoint, values in [*ADDRESSES, *ADDRESSES]:
                assert url_for(endpoint, **values) == Flask.url_for(app, endpoint, **values), (endpoint, values)


@sqlite_only
def test_addresses_that_views_ask_for_take_the_short_way_too(app: Flask) -> None:
    with app.test_request_context("/"):
        before = _path.cache_info()
        for _ in range(3):
            url_for("games.show", public_id="short-way-00", _anchor="advice")
    after = _path.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 2)


@sqlite_only
def test_what_visitors_send_fills_no_memory(client: Browser) -> None:
    client.get("/log-in?next=labs.show")
    before = _path.cache_info().currsize
    for number in range(10):
        assert client.get(f"/log-in?next={number}{'x' * 1000}").status_code == 200
        assert client.get(f"/players/{number}{'x' * 1000}").status_code == 404
        assert client.get(f"/lobby?challenge={number}{'x' * 1000}").status_code == 200
    known = _path.cache_info().currsize - before
    assert known < 20, "the own addresses of three pages"


@sqlite_only
def test_an_address_that_is_not_there_is_an_error_each_time(app: Flask) -> None:
    with app.test_request_context("/"):
        for _ in range(2):
            with pytest.raises(BuildError):
                url_for("games.show")


@sqlite_only
def test_a_function_in_a_template_is_given_what_it_asks_for(app: Flask) -> None:
    @pass_context
    def seen(context: Any, more: str = "") -> str:
        return f"{context['name']}{more}"

    @pass_environment
    def is_the_sites(environment: Any) -> bool:
        return environment is app.jinja_env

    @pass_eval_context
    def escapes(settings: Any) -> bool:
        return bool(settings.autoescape)

    class Callable:
        @pass_context
        def __call__(self, context: Any) -> str:
            return str(context["name"])

    def plain(*arguments: str, **named: str) -> str:
        return " ".join([*arguments, *(f"{key}={value}" for key, value in sorted(named.items()))])

    template = """{% macro shout(word, mark="!") %}{{ word }}{{ mark }}{{ caller() if caller }}{% endmacro -%}
    {% block main %}{% for cell in [7, 8] %}{{ seen("?") }} {{ plain("a", b="<") }} {{ shout("<", mark=cell) }}
    {%- endfor %}
    {%- endblock %}{{ is_the_sites() }} {{ escapes() }} {{ called() }} {% call shout("x") %}inside{% endcall %}"""
    given = {"name": "n", "seen": seen, "is_the_sites": is_the_sites, "escapes": escapes, "called": Callable()}
    with app.test_request_context("/"):
        text = render_template_string(template, plain=plain, **given)
    assert text.split("\n")[-1].strip() == ("n? a b=&lt; &lt;7n? a b=&lt; &lt;8True True n x!inside")
