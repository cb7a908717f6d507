"""Copies of this project as a clone would give them, and the site as run.py serves it from one."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webapp.launcher.environment import DEVELOPMENT, RUNTIME, STAMP, digest
from webapp.launcher.processes import ROOT

START = ("run.py", "pyproject.toml", RUNTIME, DEVELOPMENT)
TOOLS = (*START, "webapp/__init__.py", "webapp/launcher")
SITE = (*START, "wsgi.py", "webapp", "templates", "static", "migrations")


def copy_into(folder: Path, names: tuple[str, ...]) -> Path:
    """With the times of its files: so what Python has compiled of them is copied along, and is good in the copy."""
    for name in names:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / name)
    return folder


def lend_environment(folder: Path) -> Path:
    """Give the copy a .venv made of the packages that run the tests, so that nothing is installed."""
    (folder / ".venv").mkdir()
    for part in ("bin", "lib", "pyvenv.cfg"):
        (folder / ".venv" / part).symlink_to(Path(sys.prefix) / part)
    stamp = ["{}.{}".format(*sys.version_info), digest(RUNTIME), digest(DEVELOPMENT)]
    (folder / ".venv" / STAMP.name).write_text("\n".join(stamp))
    return folder


def surroundings(**more: str) -> dict[str, str]:
    """This process's environment without settings of the site: a copy must never meet a real database."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("NOUGHTS_", "DATABASE_URL"))}
    return ours | more


@contextmanager
def served(folder: Path, *words: str, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The site as run.py serves it, at any free port: its address and its process. It logs to server.log."""
    with (folder / "server.log").open("a") as log:
        site = subprocess.Popen(
            [sys.executable, folder / "run.py", "--port", "0", *words],
            env=surroundings(**environment), stdout=subprocess.PIPE, stderr=log, text=True,
            start_new_session=True,
        )  # fmt: skip
    assert site.stdout
    with site, site.stdout:
        try:
            yield address_in(site.stdout, folder), site
        finally:
            press_ctrl_c(site)


def press_ctrl_c(site: subprocess.Popen[str]) -> None:
    """A terminal sends it to everyone in the group: to the server and to its workers."""
    if site.poll() is None:
        os.killpg(site.pid, signal.SIGINT)


def address_in(lines: Iterator[str], folder: Path) -> str:
    for line in lines:
        for word in line.split():
            if word.startswith("http://"):
                return word
    raise AssertionError("The site did not start:\n" + (folder / "server.log").read_text())
