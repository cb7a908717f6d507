"""A request of ASGI as WSGI names it. Believes nothing that a client says about paths and proxies."""

import sys
from collections.abc import MutableMapping
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from webapp.mount import Environ

Scope = MutableMapping[str, Any]
OWN_NAMES = {"CONTENT_TYPE", "CONTENT_LENGTH"}


def environ_of(scope: Scope, body: bytes) -> Environ:
    client, server = scope["client"] or ("", 0), scope["server"] or ("localhost", 0)
    return {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(_path(scope["raw_path"])).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **_headers(scope),
    }


def _path(target: bytes) -> bytes:
    """A proxy may ask for http://host/path, and then /path is meant."""
    if target.startswith(b"/") or b"://" not in target:
        return target
    return b"/" + target.partition(b"://")[2].partition(b"/")[2]


def _headers(scope: Scope) -> dict[str, str]:
    """Without names that hold a `_`: `X_Forwarded_For` would pass for what only a proxy may say."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name:
            continue
        name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
        key = name if name in OWN_NAMES else f"HTTP_{name}"
        found[key] = f"{found[key]}{'; ' if name == 'COOKIE' else ','}{value}" if key in found else value
    return found
