"""The page that a form leads to, in the answer to the form itself, for a script that prefers it (RFC 7240).

Over a bad network each trip counts, and so a move takes one instead of two. Other browsers are led there (303).
"""

from collections.abc import Callable
from typing import Any

from flask import Response, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

PREFERENCE = "return=representation"


def answer_with(page: Callable[[], str], endpoint: str, **values: Any) -> BaseResponse:
    """`page` draws what stands at this address."""
    address = url_for(endpoint, **values)
    if request.headers.get("Prefer") != PREFERENCE:
        return redirect(address, 303)
    in_path = next(current_app.url_map.iter_rules(endpoint)).arguments
    belongs_to(endpoint, **{name: value for name, value in values.items() if name in in_path})
    return Response(page(), headers={"Content-Location": address, "Preference-Applied": PREFERENCE})


def belongs_to(endpoint: str, **values: Any) -> None:
    """What this form shows, a refusal or the way to log in, is about the page with these arguments in its path."""
    g.shown_page = endpoint, values


def shown_page() -> tuple[str, dict[str, Any]] | None:
    """Endpoint and arguments of the page that this request shows; none for a form that shows another."""
    shown: tuple[str, dict[str, Any]] | None = g.get("shown_page")
    if shown is None and request.method == "GET":
        return request.endpoint or "", request.view_args or {}
    return shown
