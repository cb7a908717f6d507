"""Which user of the machine the site runs as: started by root, it becomes an ordinary one that is named."""

import importlib
import os
import sys
from pathlib import Path
from typing import Any

from webapp.launcher.processes import PYTHON, ROOT

ADVICE = (
    "You started Noughts as root. Somebody who finds a fault in it could then control your whole machine. Stop it, and "
    "start it as an ordinary user, or name one as with --user noughts."
)


def is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def become_user(name: str) -> None:
    """For good: there is no way back to root. Nothing happens without a name."""
    if not name:
        return
    if sys.platform == "win32":
        sys.exit("On Windows leave --user and NOUGHTS_USER out: start the site as the user that is meant.")
    entry = _entry(name)
    if entry.pw_uid == os.geteuid():
        return
    if not is_root():
        sys.exit(f"Only root can become {name}: leave --user and NOUGHTS_USER out, or start this as root.")
    _hand_over(instance_folder(), entry)
    os.initgroups(name, entry.pw_gid)
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)
    os.environ |= {"HOME": entry.pw_dir, "USER": name, "LOGNAME": name}


def check_reach(name: str) -> None:
    """What root can reach, an ordinary user may not."""
    if name and not os.access(PYTHON, os.X_OK):
        sys.exit(f"{name} may not use {PYTHON}. Put this folder, and the Python that made its .venv, where everybody "
                 "may read, as under /srv and /usr.")  # fmt: skip


def _entry(name: str) -> Any:
    try:
        entry = importlib.import_module("pwd").getpwnam(name)  # Windows has none
    except KeyError:
        sys.exit(f"This machine has no user {name}: name another, or make it as with 'useradd --system {name}'.")
    if entry.pw_uid == 0:
        sys.exit(f"{name} is root, which is what --user is there to avoid: name an ordinary user.")
    return entry


def instance_folder() -> Path:
    """As webapp/config.py reads it."""
    return ROOT / Path(os.environ.get("NOUGHTS_INSTANCE", "").strip() or "instance").expanduser()


def _hand_over(folder: Path, entry: Any) -> None:
    """A new folder is made for the user. One that is there with things in it is not given away unasked."""
    if not folder.exists():
        folder.mkdir(mode=0o700, parents=True)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    elif folder.stat().st_uid != entry.pw_uid:
        sys.exit(f"{folder} does not belong to {entry.pw_name}, who is to run the site: type 'chown -R {entry.pw_name} "
                 f"{folder}' once, then start this again.")  # fmt: skip
