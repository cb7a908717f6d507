"""Flask and Jinja, lean where every page pays: the general way is taken whenever there is more to it."""

from collections.abc import Callable, Mapping, MutableMapping
from functools import cache, lru_cache, partial
from types import FunctionType, MethodType
from typing import Any
from urllib.parse import quote

from flask import Flask, has_request_context, request
from flask.templating import Environment
from jinja2.runtime import Context, Macro
from werkzeug.routing import Rule

FUNCTIONS = {FunctionType, MethodType}
PLAIN = {int, str, type(None)}  # of these, unlike True and 1.0, no two are equal and written differently
LONGEST = 40  # visitors choose some values, as the page to come back to: what is kept of them stays small
UNQUOTED = "%!#$&'()*+,/:;=?@"  # in an anchor, as Flask does it
OPTIONS = {"_method", "_scheme", "_external"}


class LeanContext(Context):
    def call(self, called: Any, *arguments: Any, **named: Any) -> Any:
        """Fifty calls make a page, and Jinja asks each what of its own it wants to be given. Most are known to want
        nothing, and a macro the settings for escaping.
        """
        if type(called) in FUNCTIONS and not called.__dict__:  # where pass_context and its like leave their mark
            return called(*arguments, **_own(named))
        if type(called) is Macro:
            return called(self.eval_ctx, *arguments, **_own(named))
        return super().call(called, *arguments, **named)


def _own(named: dict[str, Any]) -> dict[str, Any]:
    """Without what Jinja adds in loops and blocks, for those who want the context."""
    named.pop("_loop_vars", None)
    named.pop("_block_vars", None)
    return named


class Templates(Environment):
    context_class = LeanContext

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """One dict: Jinja's chain of two is walked name by name at each import, a tenth of what a page costs."""
        return {**self.globals, **(d or {})}


class LazyRule(Rule):
    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        """Werkzeug writes and compiles two functions for each rule, most of what it takes to make the app. Here that is
        done when an address is first asked for.
        """
        compiled = cache(partial(super()._compile_builder, append_unknown))

        def build(rule: Rule, /, **values: Any) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build


class Site(Flask):
    jinja_environment = Templates
    # A plain dict for all of our templates, and no lock each time that one is imported.
    jinja_options = {"cache_size": -1}  # noqa: RUF012 - as Flask declares it
    url_rule_class = LazyRule

    def url_for(self, /, endpoint: str, *, _anchor: str | None = None, **values: Any) -> str:
        """The same few addresses stand on every page, and Werkzeug puts each together anew from its rule."""
        if "_method" in values:  # Flask's function hands all options on, though they are none
            values = {name: value for name, value in values.items() if name not in OPTIONS or value is not None}
        if has_request_context() and _is_plain(endpoint, values):
            address = request.script_root + _path(self, endpoint, tuple(values.items()))
            return address if _anchor is None else f"{address}#{quote(_anchor, safe=UNQUOTED)}"
        return super().url_for(endpoint, _anchor=_anchor, **values)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """No function of ours is a coroutine. Flask would look at fourteen of them in each request, and find that."""
        return func


def _is_plain(endpoint: str, values: Mapping[str, Any]) -> bool:
    if endpoint.startswith(".") or not OPTIONS.isdisjoint(values):
        return False
    return all(type(value) in PLAIN and len(str(value)) <= LONGEST for value in values.values())


@lru_cache(maxsize=8192)  # a hundred games at once have a thousand addresses
def _path(site: Flask, endpoint: str, values: tuple[tuple[str, Any], ...]) -> str:
    return site.url_map.bind("localhost").build(endpoint, dict(values))
