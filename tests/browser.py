"""The Chromium of this machine, for the journeys and the screenshots. Standard library only."""

import shutil

from tests.programs import can_install, debian

# The same Chromium without the windows around it needs half the processor time.
PACKAGES = ("chromium-headless-shell", "chromium")
NAMES = (*PACKAGES, "chromium-browser", "google-chrome")
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
    if not find_browser() and can_install():
        print("Installing Chromium ...", flush=True)
        debian("update")
        any(debian("install", "-y", "--no-install-recommends", package) for package in PACKAGES)
    return find_browser()
