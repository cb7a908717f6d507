"""Static files: read and compressed once, under addresses that change with their content. No other file is given out.

Pages are not compressed, see docs/decisions/015-what-is-compressed.md.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Flask, Response, abort, current_app, request

# One file on the wire: a phone on bad Wi-Fi asks once, not a dozen times. Later parts overrule earlier ones.
STYLE = "style.css"
ADDRESSES = "noughts_asset_addresses"
STYLES = (
    "tokens", "base", "layout", "board", "form", "table", "game", "home", "lobby", "history", "labs", "analysis",
    "own_game", "try", "practice", "classrooms", "roster", "results", "agents", "competitions", "print",
)  # fmt: skip
# Not the machine's own list: on Windows any program can change what a script is taken for.
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Asset:
    content: bytes
    zipped: bytes
    kind: str
    fingerprint: str


def init_app(app: Flask) -> None:
    app.view_functions["static"] = send
    app.add_template_global(asset)
    found = assets_in(str(app.static_folder)).items()
    app.extensions[ADDRESSES] = {name: f"/static/{name}?v={one.fingerprint}" for name, one in found}


def send(filename: str) -> Response:
    found = assets_in(str(current_app.static_folder)).get(filename) or abort(404)
    is_zipped = accepts_gzip() and len(found.zipped) < len(found.content)
    response = Response(found.zipped if is_zipped else found.content, content_type=f"{found.kind}; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("Accept-Encoding")
    if is_zipped:
        response.content_encoding = "gzip"
    response.set_etag(f"{found.fingerprint}-gzip" if is_zipped else found.fingerprint)
    response.make_conditional(request)
    return response


def accepts_gzip() -> bool:
    """What is said of gzip counts more than what is said of everything."""
    accepted = {coding.lower(): quality for coding, quality in request.accept_encodings}
    return accepted.get("gzip", accepted.get("*", 0)) > 0


def asset(filename: str) -> str:
    """The address of a static file, with a hash of its content: cached for ever, and never stale."""
    return f"{request.script_root}{current_app.extensions[ADDRESSES][filename]}"


@cache
def assets_in(folder: str) -> dict[str, Asset]:
    """By the names that addresses have, which are compared whole: no address leads out of the folder."""
    files = [path for path in Path(folder).rglob("*") if path.suffix in TYPES]
    found = {path.relative_to(folder).as_posix(): _asset(path.read_bytes(), path.suffix) for path in files}
    style = b"\n".join(found[f"css/{name}.css"].content for name in STYLES)
    return {**found, STYLE: _asset(style, ".css")}


def _asset(content: bytes, suffix: str) -> Asset:
    fingerprint = hashlib.sha256(content).hexdigest()[:10]
    return Asset(content, gzip.compress(content, mtime=0), TYPES[suffix], fingerprint)
