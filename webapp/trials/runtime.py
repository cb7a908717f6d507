"""What the worker of /labs/try is made of: Python for the browser, our checker, and the script that ties them together.

Its addresses never change their content, so they are cached for ever. A worker takes its content policy from the answer
that its own script came with: here that policy ends at the folder of these files, so that a student's code reaches
neither our pages, with the reader's cookie, nor another host (docs/decisions/023)."""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from flask import Response, abort, request, url_for

from webapp.assets import accepts_gzip
from webapp.browser_python import FILES, VERSION, folder_in
from webapp.config import ROOT
from webapp.extensions import settings
from webapp.headers import A_YEAR
from webapp.labs.packing import packed

WORKER, CHECKER = "worker.mjs", "checker.zip"
TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm", ".zip": "application/zip", ".json": "application/json"}
PIECE = 1 << 18


@cache
def own_files() -> dict[str, bytes]:
    return {WORKER: (ROOT / "static/js" / WORKER).read_bytes(), CHECKER: packed()}


@cache
def own_version() -> str:
    return hashlib.sha256(b"".join(own_files().values())).hexdigest()[:10]


def worker_address() -> str:
    """With the version of Python behind the #: the worker looks for it beside its own folder."""
    return url_for("trials.part", version=own_version(), name=WORKER, _anchor=VERSION)


def sizes() -> list[tuple[str, int, int]]:
    """The address of each part to load, its size, and its size on the wire."""
    folder = folder_in(settings().instance)
    found = [(name, (folder / name).stat().st_size, (folder / f"{name}.gz").stat().st_size) for name in FILES]
    parts = [(url_for("trials.part", version=VERSION, name=name), size, zipped) for name, size, zipped in found]
    own = {url_for("trials.part", version=own_version(), name=name): len(file) for name, file in own_files().items()}
    return parts + [(address, size, size) for address, size in own.items()]


def sent(version: str, name: str) -> Response:
    """One part. Only these names exist, compared whole."""
    if version == own_version() and name in own_files():
        response = Response(own_files()[name])
    elif version == VERSION and name in FILES and (folder := folder_in(settings().instance)).is_dir():
        response = from_disk(folder / name)
    else:
        abort(404)
    response.content_type = TYPES[Path(name).suffix]
    response.headers["Cache-Control"] = A_YEAR
    response.headers["Content-Security-Policy"] = policy()
    return response


def from_disk(path: Path) -> Response:
    """In pieces, so that a slow phone holds a piece and not the whole."""
    is_zipped = accepts_gzip()
    file = path.with_name(f"{path.name}.gz") if is_zipped else path
    response = Response(pieces(file))
    response.content_length = file.stat().st_size
    response.vary.add("Accept-Encoding")
    if is_zipped:
        response.content_encoding = "gzip"
    return response


def pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while piece := opened.read(PIECE):
            yield piece


def policy() -> str:
    """Built from the host and the path by which the browser came: a policy that only says 'self' would let the worker
    read every page of ours."""
    folder = request.host_url.rstrip("/") + url_for("trials.show").removesuffix("try") + "python/"
    if not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]_-]+/[A-Za-z0-9/_-]+/", folder):
        abort(400)  # a Host that no browser sends, and that must not get into a header
    return "; ".join([
        "default-src 'none'",
        f"script-src {folder} 'wasm-unsafe-eval'",
        f"connect-src {folder}",
        "worker-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ])  # fmt: skip
