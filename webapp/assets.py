"""Static files under addresses that change with their content, and the stylesheets joined into one of them."""

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, Response, current_app, request

# One file on the wire: a phone on bad Wi-Fi asks once, not a dozen times. Later parts overrule earlier ones.
STYLE = "style.css"
STYLES = (
    "tokens", "base", "layout", "board", "form", "table", "game", "home", "lobby", "history", "labs", "analysis",
    "print",
)  # fmt: skip


def init_app(app: Flask) -> None:
    app.add_url_rule(f"{app.static_url_path}/{STYLE}", "style", send_style)
    app.add_template_global(asset)


def send_style() -> Response:
    return Response(_content(str(current_app.static_folder), STYLE), mimetype="text/css")


def asset(filename: str) -> str:
    """The address of a static file, with a hash of its content: cached for ever, and never stale."""
    return _address(request.script_root, str(current_app.static_folder), filename)


@cache
def _address(root: str, folder: str, filename: str) -> str:
    fingerprint = hashlib.sha256(_content(folder, filename)).hexdigest()[:10]
    return f"{root}/static/{filename}?v={fingerprint}"


@cache
def _content(folder: str, filename: str) -> bytes:
    if filename == STYLE:
        return b"\n".join((Path(folder) / "css" / f"{name}.css").read_bytes() for name in STYLES)
    return (Path(folder) / filename).read_bytes()
