"""Keeps what the site writes to the user who runs it: others on the machine could read password hashes in it.
Standard library only.
"""

import logging
import os
from pathlib import Path

log = logging.getLogger("noughts.files")
OWN_FOLDERS = {"backups", "browser-python", "compiled-templates"}


def make_private_folder(folder: Path) -> None:
    """Also tightens one that is there, unless other folders in it show that it serves something else as well."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if {path.name for path in folder.iterdir() if path.is_dir()} <= OWN_FOLDERS:
            tighten(folder, 0o700)
    except OSError:  # a disk that cannot be written to: whatever needs the folder will say so
        pass


def make_private_file(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))


def tighten(path: Path, mode: int) -> None:
    """Take away what others may do with a file or folder, if it is there."""
    try:
        if path.stat().st_mode & 0o777 & ~mode:
            path.chmod(mode)
    except FileNotFoundError:
        pass
    except OSError as trouble:
        log.warning("Others on this machine may be able to read %s, and that cannot be changed: %s.", path, trouble)
