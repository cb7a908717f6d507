"""The machine: who may read and write what, room on the disks, versions, and what students need."""

import importlib.metadata
import os
import platform
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from webapp.browser_python import is_there
from webapp.config import ROOT, Settings
from webapp.operations.doctor.findings import Findings, consider, good, mend

PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)( ;)?", re.MULTILINE)
MEGABYTE = 2**20
TOO_LITTLE, LITTLE = 100 * MEGABYTE, 1024 * MEGABYTE
OTHERS = 0o077


def permission_findings(settings: Settings) -> Findings:
    folders = [settings.instance, *([settings.backups] if settings.backups else [])]
    there = [folder for folder in folders if _is_there(folder)]
    usable = [folder for folder in there if os.access(folder, os.R_OK | os.X_OK)]
    found = [*_not_writable(there), *_own_not_writable(settings.instance), *_open_to_others(usable)]
    found += [*_cannot_be_made(set(folders) - set(there)), *_of_others(settings.instance)]
    if not found:
        found = [good(f"Only the user who owns {settings.instance} can read and write what is in it.")]
    if os.name == "posix" and os.geteuid() == 0:
        found.append(consider("You are root, who may do everything. Type this as the user who runs the site, to learn "
                              "what that one may do."))  # fmt: skip
    return found


def _is_there(folder: Path) -> bool:
    """Or may be: who may not look into the folder above cannot know."""
    try:
        return folder.exists()
    except PermissionError:
        return True


def _not_writable(folders: Iterable[Path]) -> Findings:
    for folder in folders:
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield mend(f"{folder} cannot be written to. Give it to the user who runs the site (chown), or choose "
                       "another folder.")  # fmt: skip


def _cannot_be_made(folders: Iterable[Path]) -> Findings:
    """The site makes its folders, where it may."""
    for folder in folders:
        above = next(parent for parent in folder.parents if parent.exists())
        if not os.access(above, os.W_OK | os.X_OK):
            yield mend(f"{folder} is not there, and {above} cannot be written to. Make the folder, and give it to the "
                       "user who runs the site (chown).")  # fmt: skip


def _own_not_writable(folder: Path) -> Findings:
    """The database above all. What belongs to another user is told as such."""
    is_looked_at = os.name == "posix" and os.access(folder, os.R_OK | os.W_OK | os.X_OK)
    for path in _files_in(folder) if is_looked_at else ():
        if path.stat().st_uid == os.geteuid() and not os.access(path, os.R_OK | os.W_OK):
            yield mend(f"{path} cannot be written to. Type 'chmod u+rw {path}'.")


def _files_in(folder: Path) -> Iterator[Path]:
    yield folder
    yield from (path for path in folder.iterdir() if path.is_file()) if os.access(folder, os.R_OK | os.X_OK) else ()


def _open_to_others(folders: Iterable[Path]) -> Findings:
    for path in (path for folder in folders for path in _files_in(folder)):
        if os.name == "posix" and path.stat().st_mode & OTHERS:
            yield mend(f"Other users of this machine can read {path}. Type 'chmod go= {path}'.")


def _of_others(folder: Path) -> Findings:
    """As root's files are, after a command was typed as root: the site cannot write to them."""
    for path in _files_in(folder) if os.access(folder, os.F_OK) else ():
        if path.stat().st_uid != folder.stat().st_uid:
            yield mend(f"{path} belongs to another user than the folder that it is in, so that the site may not be "
                       f"able to use it. Type 'chown --reference={folder} {path}' as root.")  # fmt: skip


def disk_findings(settings: Settings) -> Findings:
    for folder in (settings.instance, settings.backups):
        if folder and os.access(folder, os.F_OK):  # Path.exists raises where one may not look
            free = shutil.disk_usage(folder).free
            told = f"{free // MEGABYTE} MB are free on the disk of {folder}"
            if free < TOO_LITTLE:
                yield mend(f"Only {told}. Make room before nothing can be saved any more.")
            elif free < LITTLE:
                yield consider(f"{told}. That may not last: a backup needs as much as the database.")
            else:
                yield good(f"{told}.")


def version_findings(pins: Path = ROOT / "requirements.txt") -> Findings:
    wrong = list(_unlike(pins))
    for sentence in wrong:
        yield mend(f"{sentence} Delete the folder .venv; the next start installs what is pinned.")
    if not wrong:
        yield good(f"Python {platform.python_version()} has all packages in the versions that are pinned.")


def _unlike(pins: Path) -> Iterator[str]:
    """Some are pinned twice, for different Pythons, or not needed on every system."""
    wanted: dict[str, list[str]] = defaultdict(list)
    optional = set()
    for name, version, is_for_some in PIN.findall(pins.read_text(encoding="utf-8")):
        wanted[name].append(version)
        optional |= {name} if is_for_some else set()
    for name, versions in wanted.items():
        try:
            there = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            if name not in optional:
                yield f"The package {name} is not there, and {versions[0]} is pinned."
        else:
            if there not in versions:
                yield f"The package {name} is {there}, and {' or '.join(versions)} is pinned."


def browser_python_findings(settings: Settings) -> Findings:
    if is_there(settings.instance):
        yield good("Python for the browser is there.")
    else:
        yield consider("Python for the browser is not there, so students cannot try their files at /labs/try. 'python3 "
                       "run.py add-browser-python' fetches it.")  # fmt: skip
