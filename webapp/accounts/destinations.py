"""Where a person wanted to go, kept through log-in as a name of ours, never as a URL to be trusted."""

import re
from collections.abc import Callable
from typing import Any

from flask import current_app, url_for
from werkzeug.routing import BuildError

from webapp.shown_page import shown_page

ARGUMENT = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
# The one before the last is a secret that must not stand in another address; the last is no page for people.
NOT_AFTER_LOG_IN = {"accounts.log_in", "accounts.sign_up", "guest_games.show", "static", "set_up.show", "metrics"}
FIRST_PAGE = "noughts_first_page"
FirstPage = Callable[[int], str]  # from a user's id: the name of the page where they begin; empty for home


def destination_name() -> str:
    """The page of this request as `endpoint` or `endpoint/argument`; empty if it is none to come back to. It stands on
    every page of a visitor, and what is drawn for it is remembered: nobody makes it as long as they like.
    """
    endpoint, values = shown_page() or ("", {})
    arguments = [str(value) for value in values.values()]
    is_known = len(arguments) <= 1 and all(ARGUMENT.match(argument) for argument in arguments)
    if not endpoint or endpoint in NOT_AFTER_LOG_IN or not is_known:
        return ""
    return "/".join([endpoint, *arguments])


def destination_url(name: str) -> str:
    """The address of a page named by `destination_name`; the home page for anything else."""
    endpoint, _, argument = name.partition("/")
    rules = [rule for rule in current_app.url_map.iter_rules() if rule.endpoint == endpoint]
    if rules and endpoint not in NOT_AFTER_LOG_IN and "GET" in (rules[0].methods or ()):
        wanted = sorted(rules[0].arguments)
        if len(wanted) == (1 if ARGUMENT.match(argument) else 0):
            values: dict[str, Any] = dict(zip(wanted, [argument], strict=False))
            try:
                return url_for(endpoint, **values)
            except (BuildError, ValueError):  # as a word where the address has a number
                pass
    return url_for("pages.home")


def url_after_log_in(user_id: int, wish: str = "") -> str:
    """Where they wanted to go; who came by the home page, as everybody with a card does, begins in their class."""
    first_page: FirstPage | None = current_app.extensions.get(FIRST_PAGE)
    has_wish = wish not in ("", "pages.home")
    return destination_url(wish if has_wish or not first_page else first_page(user_id))
