"""The site behind a proxy: under a path of its host, such as /noughts, and with the address that the proxy tells."""

from collections.abc import Callable, Iterable
from typing import Any

Environ = dict[str, Any]
WsgiApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


def under(prefix: str, app: WsgiApp) -> WsgiApp:
    """Whether the proxy leaves the prefix in the path or takes it off, our links begin with it."""

    def mounted(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        environ["SCRIPT_NAME"] = prefix
        environ["PATH_INFO"] = path.removeprefix(prefix) if path.startswith(f"{prefix}/") else path
        return app(environ, start_response)

    return mounted


def with_told_address(app: WsgiApp) -> WsgiApp:
    """A quotation mark that somebody sends in X-Forwarded-For, to which a proxy adds their address, would quote that
    too: ProxyFix finds no address then, and they would pass for the proxy itself.
    """

    def unquoted(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if (told := environ.get("HTTP_X_FORWARDED_FOR")) is not None:
            environ["HTTP_X_FORWARDED_FOR"] = told.replace('"', "")
        return app(environ, start_response)

    return unquoted
