"""What every answer carries, errors too: security headers, caching, and the body sizes that are accepted."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, Response, abort, request

from webapp.extensions import settings
from webapp.mount import Environ, WsgiApp

CONTENT_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
FIXED = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: the CSRF check compares the referrer on https.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",  # no other site draws our pages or pictures into its own
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
LARGEST_BODY = 64 * 1024
LARGEST_FILE = 1024 * 1024
FILE_PATHS = ("/roster",)  # ends of the addresses to which files are sent
A_YEAR = "public, max-age=31536000, immutable"


def init_app(app: Flask) -> None:
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.before_request(check_address)
    app.before_request(check_body)
    app.after_request(add_headers)
    app.wsgi_app = with_fixed(app.wsgi_app)  # type: ignore[assignment, method-assign]


def with_fixed(app: WsgiApp) -> WsgiApp:
    """Where headers are a list at last: each that is given to a Response is checked, and compared with all others."""
    fixed = [(name.lower(), (name, value)) for name, value in FIXED.items()]

    def answered(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *failure: Any) -> Any:
            present = {name.lower(): (name, value) for name, value in headers}
            more = [header for name, header in fixed if name not in present]  # a worker has a policy of its own
            if "cache-control" not in present:
                more.append(("Cache-Control", "no-store"))
            if "date" in present:  # every server writes one, and two of them are one too many
                headers.remove(present["date"])
            return start_response(status, headers + more, *failure)

        return app(environ, start)

    return answered


def check_address() -> None:
    """No address of ours holds a NUL, on which PostgreSQL breaks, or a bare byte, on which reading arguments does."""
    if "\0" in request.path:
        abort(404)
    query = request.query_string
    if b"%00" in query or b"\0" in query or not query.isascii():
        abort(400)


def check_body() -> None:
    """A body without a length is cut off silently by the framework, so it is refused."""
    if request.content_length is None:
        if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
            abort(411)
    elif request.content_length > (largest := largest_body(request.path)):
        abort(413)
    else:
        request.max_content_length = largest


def largest_body(path: str) -> int:
    return LARGEST_FILE if path.endswith(FILE_PATHS) else LARGEST_BODY


def add_headers(response: Response) -> Response:
    if settings().https:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if request.endpoint == "static" and "v" in request.args and response.status_code < 400:
        response.headers["Cache-Control"] = A_YEAR
    return response
