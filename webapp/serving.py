"""How gunicorn serves the site: `gunicorn --config python:webapp.serving wsgi:app`. Knows only the settings."""

import os
import resource
import signal
from typing import Any

worker_class = "gthread"
workers = 2
preload_app = True  # loaded once and shared: nearly half the memory
# A browser opens six connections to a host, and its pages need some beside their streams: four in all for a person.
os.environ.setdefault("NOUGHTS_STREAMS_PER_USER", str(4 // workers))
os.environ.setdefault("NOUGHTS_STREAMS", "1000")  # for each worker; a stream holds an open file, and no thread
threads = 400  # few of them begin; whoever waits, for a slow phone, to log in or to write, holds one
worker_connections = threads + 400  # the rest are browsers that keep their line open between two pages
graceful_timeout = 2  # seconds for the requests under way at SIGTERM
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  a disk can stall the heartbeat
control_socket_disable = True
loglevel = "warning"  # the app itself logs the requests

# Each line to a browser and each database file is an open file; the 1024 that many systems allow are too few.
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
if 0 <= soft < 8192:
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192 if hard < 0 else min(8192, hard), hard))


def when_ready(arbiter: Any) -> None:
    """Compile the templates before the workers fork: the first page that each shows would take half a second."""
    templates = arbiter.app.wsgi().jinja_env
    for name in templates.list_templates():
        templates.get_template(name)


def post_fork(arbiter: object, worker: Any) -> None:
    """Ctrl-C: leave at once. A request under way would keep the worker until it is killed, with an alarming word
    about memory; and Ctrl-C comes twice, from the terminal and from the arbiter, on which gunicorn's own handler
    can lock itself out. Nothing is lost: what was answered is committed, the rest never happened.
    """
    worker.handle_quit = leave
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, leave)  # until the worker sets up its own handlers, handle_quit among them


def leave(number: int, frame: object) -> None:
    os._exit(0)


def worker_exit(arbiter: object, worker: Any) -> None:
    """The streams end as well; whoever listens comes back to the next server by itself."""
    if app := getattr(worker, "wsgi", None):
        app.extensions["noughts_streams"].end_all()
