"""One process that serves: uvicorn with our front, our deadlines, and a pipe by which its pool speaks to it."""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

import uvicorn

from webapp.serving.child import DRAIN, READY, STOP
from webapp.serving.front import CLIENTS, POSTS_AT_ONCE, QUICK_POSTS, SLOW_POSTS, Front
from webapp.serving.protocol import BoundedProtocol
from webapp.worker_number import set_worker_number

KEEP_ALIVE_SECONDS = 20
LARGEST_HEAD = 32 * 1024
# How long the requests under way may take: those of people who want to stop the site, and those beside a new worker.
SECONDS_TO_END = {STOP: 1.0, DRAIN: 60.0}
LOWER_PRIORITY = 10  # steps: a ninth of the usual share of a busy core


def work(pipe: Connection, pools_end: Connection, app_name: str, listener: socket.socket, number: int) -> None:
    """What a worker's process does."""
    set_worker_number(number)
    pools_end.close()  # so that the pipe breaks if the pool is killed
    Worker(load(app_name), pipe).run([listener])


def load_slowly(name: str) -> Any:
    """In a thread with a priority of its own, as Linux has it: one that is lowered for a process stays low for good."""

    def step() -> Any:
        if sys.platform == "linux":
            this = (os.PRIO_PROCESS, threading.get_native_id())
            os.setpriority(*this, os.getpriority(*this) + LOWER_PRIORITY)  # 19 if that is too much
        return load(name)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(step).result()


@cache
def load(name: str) -> Any:
    """The app, ready to serve; where the pool has loaded it already, a fork of it finds it here."""
    module, _, attribute = name.partition(":")
    app = getattr(import_module(module), attribute)
    compile_templates(app)
    for prepare in app.extensions.get("noughts_preparations", ()):  # else its first page would wait
        prepare()
    gc.freeze()  # what is there from the start need not be looked at again, nor copied after a fork
    return app


def compile_templates(app: Any) -> None:
    """Else the first page that each worker shows would take half a second."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)


def config_of(app: Any) -> uvicorn.Config:
    """How uvicorn serves this ASGI app."""
    return uvicorn.Config(
        app,
        http=BoundedProtocol,
        loop="asyncio",
        lifespan="off",
        ws="none",
        interface="asgi3",
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        proxy_headers=False,  # the app itself believes as many proxies as it is told of
        server_header=False,
        access_log=False,
        log_config=None,
        log_level="error",
    )


class Worker(uvicorn.Server):
    def __init__(self, app: Any, pipe: Connection) -> None:
        found = app.extensions
        slow_posts, at_once = found.get(SLOW_POSTS, ()), found.get(POSTS_AT_ONCE, QUICK_POSTS)
        self.front = Front(app, slow_posts, clients=found.get(CLIENTS), posts_at_once=at_once)
        self.pipe = pipe
        self.wish = STOP
        super().__init__(config_of(self.front))

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Some signals reach every process of a terminal, but what they mean is the supervisor's to say."""
        for name in ("SIGINT", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: self.end(STOP))
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.pipe.send(READY)

    async def on_tick(self, counter: int) -> bool:
        self.obey()
        return await super().on_tick(counter)

    def obey(self) -> None:
        if self.pipe.poll():
            try:
                self.end(self.pipe.recv())
            except EOFError:  # the pool was killed
                self.end(STOP)

    def end(self, wish: str) -> None:
        self.wish, self.should_exit = wish, True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nobody any more, and answer those who have asked.

        Beside a new worker an idle connection stays until it has had a last answer, or until its usual time is up: to
        close it now could cut off a request that is on its way.
        """
        for server in self.servers:
            server.close()
        self.front.end()
        begun = time.monotonic()
        await asyncio.sleep(0.05)  # who was accepted a moment ago is not among the connections yet
        while self.server_state.connections and time.monotonic() < begun + SECONDS_TO_END[self.wish]:
            if self.wish == STOP:
                self.close_idle()
            await asyncio.sleep(0.05)
            self.obey()
        os._exit(0)  # whatever threads still wait for: what was answered is stored, the rest never happened

    def close_idle(self) -> None:
        for connection in list(self.server_state.connections):
            if not connection.transport.is_closing():
                connection.shutdown()
