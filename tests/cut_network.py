"""A network that can be cut: a TCP proxy on the loopback. While it is cut, what was under way is lost and nothing new
gets through."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread


class CutNetwork:
    def __init__(self, port: int) -> None:
        self.port, self.is_cut = port, False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.open: set[socket.socket] = set()
        Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        self.is_cut = True
        for end in list(self.open):
            self._close(end)

    def mend(self) -> None:
        self.is_cut = False

    def _serve(self) -> None:
        with suppress(OSError):  # the test is over
            while True:
                near = self.listener.accept()[0]
                if self.is_cut:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.port))
                self.open |= {near, far}
                for ends in ((near, far), (far, near)):
                    Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while content := source.recv(65_536):
                target.sendall(content)
        for end in (source, target):
            self._close(end)

    def _close(self, end: socket.socket) -> None:
        self.open.discard(end)
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()


@contextmanager
def cut_network(port: int) -> Iterator[CutNetwork]:
    """The server at `port` under another address, until it is cut."""
    network = CutNetwork(port)
    try:
        yield network
    finally:
        network.listener.close()
        network.cut()
