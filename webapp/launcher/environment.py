"""The environment: the pinned packages, installed once into .venv beside run.py."""

import hashlib
import importlib.util
import subprocess
import sys

from webapp.launcher.processes import PYTHON, ROOT, VENV, last_line, module, say

RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"
STAMP = VENV / "installed.txt"  # which Python and which pins .venv holds


def prepare(pins: str) -> None:
    """Have the pinned packages in .venv. When they are there already, this starts no program."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    held = STAMP.read_text().split() if STAMP.exists() and PYTHON.exists() else []
    if held[:1] != [version]:
        make_environment()
        held = [version]
    if digest(pins) in held:
        return
    STAMP.write_text(version)  # so that an install cut short does not look like a finished one
    install(pins)
    STAMP.write_text("\n".join([version, digest(pins), digest(RUNTIME)]))  # both sets hold the runtime's pins


def digest(pins: str) -> str:
    return hashlib.sha256((ROOT / pins).read_bytes()).hexdigest()


def make_environment() -> None:
    if not importlib.util.find_spec("venv") or not importlib.util.find_spec("ensurepip"):
        sys.exit("This Python came without its venv module: on Debian and Ubuntu type "
                 "'sudo apt install python3-venv', then start this again.")  # fmt: skip
    say("Making .venv ...")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True)  # noqa: S603
    if made.returncode:
        sys.exit("The folder .venv could not be made: " + last_line(made.stderr or made.stdout))


def install(pins: str) -> None:
    say(f"Installing the packages in {pins}; only this time it needs the network, and about a minute ...")
    quietly = ("--quiet", "--no-input", "--disable-pip-version-check", "--retries", 2)
    pip = module("pip", "install", *quietly, "--require-hashes", "-r", ROOT / pins)
    done = subprocess.run(pip, stderr=subprocess.PIPE, text=True)  # noqa: S603 - our own words
    if done.returncode and ("Retrying (" in done.stderr or "(from versions: none)" in done.stderr):
        sys.exit("The packages could not be fetched: connect to the network, then start this again.")
    if done.returncode:
        sys.exit("The packages could not be installed; pip says: " + last_line(done.stderr))
