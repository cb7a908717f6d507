"""Parts of pages that depend on a few values alone, drawn once and remembered: a class sees the same all the time."""

from functools import lru_cache
from typing import Any

from flask import Flask, has_request_context, request
from markupsafe import Markup

BOARDS, OF_BOARDS = "macros/board.html", 1024  # of up to seven kilobytes each
OF_OTHERS = 8192  # of a few hundred bytes: a hundred games at once have thousands


def init_app(app: Flask) -> None:
    templates = app.jinja_env

    def anew(_root: str, template: str, macro: str, *arguments: Any) -> Markup:
        return Markup(getattr(templates.get_template(template).module, macro)(*arguments))  # noqa: S704 # nosec B704

    boards, others = (lru_cache(maxsize=kept, typed=True)(anew) for kept in (OF_BOARDS, OF_OTHERS))

    def drawn(template: str, macro: str, *arguments: Any) -> Markup:
        """What a macro of this template makes of these arguments; addresses in it begin where the site does."""
        root = request.root_path if has_request_context() else ""
        return (boards if template == BOARDS else others)(root, template, macro, *arguments)

    app.add_template_global(drawn)
