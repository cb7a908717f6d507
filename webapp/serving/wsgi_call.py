"""One call of a WSGI app, in pieces that may run in one thread after another."""

import contextvars
from collections.abc import Iterable, Iterator

from webapp.mount import Environ, WsgiApp

PIECE = 64 * 1024
Headers = list[tuple[str, str]]


class WsgiCall:
    """`begin`, then `more` until `is_over`: each gives a piece of the body. `close` where the rest is not wanted.

    Most bodies are one piece. The others are not computed ahead of a client that reads slowly, and hold no thread
    meanwhile. All steps share one context, so that what the app put there is still there in another thread.
    """

    def __init__(self, app: WsgiApp, environ: Environ) -> None:
        self.environ = environ
        self.status, self.headers = 0, list[tuple[bytes, bytes]]()
        self.is_over = False
        self._app = app
        self._context = contextvars.copy_context()
        self._body: Iterable[bytes] = ()
        self._parts: Iterator[bytes] = iter(())

    def begin(self) -> bytes:
        return self._context.run(self._begin)

    def more(self) -> bytes:
        return self._context.run(self._more)

    def close(self) -> None:
        self._context.run(self._close)

    def _begin(self) -> bytes:
        self._body = self._app(self.environ, self._start_response)
        self._parts = iter(self._body)
        return self._more()

    def _start_response(self, status: str, headers: Headers, _exc_info: object = None) -> None:
        self.status = int(status.partition(" ")[0])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

    def _more(self) -> bytes:
        piece = bytearray()
        try:
            for part in self._parts:
                piece += part
                if len(piece) >= PIECE:
                    return bytes(piece)
        except BaseException:
            self._close()
            raise
        self._close()
        return bytes(piece)

    def _close(self) -> None:
        self.is_over = True
        if close := getattr(self._body, "close", None):
            close()
