"""`python -m webapp.serving [--host 127.0.0.1] [--port 8000]`: what run.py does when all is prepared."""

import argparse
import socket
import sys
from ipaddress import ip_address

from webapp.clock import now
from webapp.config import read_settings
from webapp.json_log import set_up_log
from webapp.running_note import note_left
from webapp.serving.daily import DailyCommand
from webapp.serving.metrics_folder import metrics_folder
from webapp.serving.supervisor import Supervisor

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

MOST_FILES = 16384


def main(words: list[str]) -> int:
    options = _options(words)
    raise_file_limit()
    listener, settings = _listener(options), read_settings()
    set_up_log(settings.log == "json")
    address = (settings.address or _url(listener)) + settings.prefix
    with listener, note_left(settings.instance, address), metrics_folder(bool(settings.metrics)):
        daily = [DailyCommand("purge", done_on=now().date())]  # as run.py does at each start
        if settings.backups:
            daily.append(DailyCommand("daily-backup"))
        has_served = Supervisor(listener, settings.workers, options.app, daily).run()
    return 0 if has_served else 1


def _url(listener: socket.socket) -> str:
    """As this machine itself reaches it."""
    host, port = listener.getsockname()[:2]
    if ip_address(host).is_unspecified:  # every address, and so none to open
        host = "::1" if ":" in host else "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m webapp.serving")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", default=8000, type=int)
    parser.add_argument("--fd", type=int, help="instead of both: a socket that listens already")
    parser.add_argument("--app", default="wsgi:app")
    return parser.parse_args(words)


def _listener(options: argparse.Namespace) -> socket.socket:
    if options.fd is not None:
        return socket.socket(fileno=options.fd)
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    return socket.create_server((options.host, options.port), family=family)


def raise_file_limit() -> None:
    """Each connection and each database file is an open file; the 1024 that many systems allow are too few."""
    if resource:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard < 0 else min(MOST_FILES, hard)
        if 0 <= soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
