"""Puts the site up: takes the port, has the packages and the database ready, and hands over to the server."""

import os
import socket
import subprocess
import sys
from typing import NoReturn

from webapp.launcher.addresses import address_behind_proxy, address_for_others, greeting, listen, url
from webapp.launcher.environment import RUNTIME, prepare
from webapp.launcher.processes import ROOT, attend, become, flask, last_line, module, say
from webapp.launcher.users import ADVICE, become_user, check_reach, is_root


def serve(host: str, port: int, user: str = "") -> NoReturn:
    """Root takes the port and installs; the rest is the user's who is named."""
    listener = listen(host, port)
    prepare(RUNTIME)
    become_user(user)
    check_reach(user)
    bring_database_up_to_date()
    os.chdir(ROOT)
    port = listener.getsockname()[1]
    os.environ.setdefault("NOUGHTS_ADDRESS", address_behind_proxy(os.environ) or address_for_others(host, port))
    for line in ([ADVICE] if is_root() else []) + greeting(host, port):
        say(line)
    # Old guests go while the site comes up; an early Ctrl-C is meant for the site, and leaves this alone.
    address = os.environ["NOUGHTS_ADDRESS"] or url("127.0.0.1", port)
    subprocess.Popen(flask("start-up", "--address", address), start_new_session=True)  # noqa: S603 - our own words
    _hand_over(listener)


def bring_database_up_to_date() -> None:
    """Ask a light process how the schema stands; the migration machinery loads only when there is work."""
    asked = subprocess.run(module("webapp.schema"), cwd=ROOT, capture_output=True, text=True)  # noqa: S603
    if asked.returncode:
        sys.exit("Noughts cannot start. " + last_line(asked.stderr))
    if asked.stdout.strip() == "newer":
        sys.exit("The database was made by a newer version of Noughts: update this folder to that version, "
                 "or restore a backup from before.")  # fmt: skip
    if asked.stdout.strip() == "copying":
        sys.exit("This database is a copy that was never finished, so it is not used. Make a new, empty one and run "
                 "copy-database again; the database that it was copied from is as it was.")  # fmt: skip
    if asked.stdout.strip() != "current" and attend(flask("upgrade-database")):
        sys.exit("The database could not be brought up to date; nothing was started.")


def _hand_over(listener: socket.socket) -> NoReturn:
    """To the server in .venv: the socket itself, or on Windows, where a program inherits none, its address."""
    if os.name == "nt":
        host, port = listener.getsockname()[:2]
        listener.close()
        become(module("webapp.serving", "--host", host, "--port", port))
    listener.set_inheritable(True)
    become(module("webapp.serving", "--fd", listener.fileno()))
