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


def find_or_install_browser() -> str | None:
    if not find_browser() and shutil.which("apt-get") and os.geteuid() == 0:
        install_debian_package()
    return find_browser()


def install_debian_package() -> None:
    print("Installing Chromium ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        subprocess.call(["apt-get", "-qq", *words], env=environment, stdout=subprocess.DEVNULL)
