"""Parts of pages that depend on a few values alone, drawn once and remembered: a class sees the same all the time."""

from functools import lru_cache
from typing import Any

from flask import Flask, has_request_context, request
from markupsafe import Markup

KEPT = 2048  # a board takes up to seven kilobytes, the rest a few hundred bytes


def init_app(app: Flask) -> None:
    templates = app.jinja_env

    @lru_cache(maxsize=KEPT, typed=True)
    def remembered(_root: str, template: str, macro: str, *arguments: Any) -> Markup:
        return Markup(getattr(templates.get_template(template).module, macro)(*arguments))  # noqa: S704 # nosec B704

    def drawn(template: str, macro: str, *arguments: Any) -> Markup:
        """What a macro of this template makes of these arguments; addresses in it begin where the site does."""
        root = request.root_path if has_request_context() else ""
        return remembered(root, template, macro, *arguments)

    app.add_template_global(drawn)
