"""The site under a path of its host, such as /noughts, where the proxy in front serves other things too."""

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
