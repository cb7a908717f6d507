"""The Chromium of this machine, for the journeys and the screenshots. Standard library only."""

import os
import shutil
import subprocess

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",  # with its sandbox Chromium does not start as root, and containers are root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_browser() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def install_browser() -> None:
    """Take Debian's package where we may; where we may not, the journeys are skipped and say so."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    print("Installing Chromium for the journeys ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        subprocess.call(["apt-get", "-qq", *words], env=environment, stdout=subprocess.DEVNULL)
