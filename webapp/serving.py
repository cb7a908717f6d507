"""How gunicorn serves the site: `gunicorn --config python:webapp.serving wsgi:app`. Standard library only."""

import os
import signal
from typing import Any

worker_class = "gthread"
workers = 2
threads = 256  # in each worker: a live page holds one as long as it is open, and moves must still find one
worker_connections = 2 * threads
graceful_timeout = 2  # seconds for the requests under way at SIGTERM
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  a disk can stall the heartbeat
control_socket_disable = True
loglevel = "warning"  # the app itself logs the requests


def post_fork(arbiter: object, worker: Any) -> None:
    """Ctrl-C: leave at once. A page that holds its request open would keep the worker until it is killed, with an
    alarming word about memory; and Ctrl-C comes twice, from the terminal and from the arbiter, on which gunicorn's
    own handler can lock itself out. Nothing is lost: what was answered is committed, the rest never happened.
    """
    worker.handle_quit = leave
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, leave)  # until the worker sets up its own handlers, handle_quit among them


def leave(number: int, frame: object) -> None:
    os._exit(0)
